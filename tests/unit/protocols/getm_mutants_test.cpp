// Every row of the granule's table changed in every way: what the exploration does not notice is known, and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "protocols/transactions/explore/suite.h"
#include "tests/support/sanitized.h"
#include "tests/unit/protocols/explored_transactions.h"

namespace syncline::tests {
namespace {

using namespace protocols::transactions;
using protocols::explore::Program;
using protocols::getm::TieRule;

TEST(GetmMutants, AreKilledButThree) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  const auto table = protocols::getm::granule_table(TieRule::reader_set);
  const std::vector<Program> programs = shapes();
  const std::size_t mutants = mutants_of(*table).size();
  const std::vector<std::string> survivors =
      survivors_of(*table, sound_cases(worlds(TieRule::reader_set), programs, 4'000));
  EXPECT_THAT(survivors, testing::UnorderedElementsAre(
                             // Equivalent: wts is later than the owner's time from its first store on, also after it
                             // has aborted, and nobody else reads until then. So rts decides nothing any more.
                             "granule own, Load: without stamp_read",
                             // The rollover is asked for later, when the granule is free or by another one.
                             "granule other, Load [used_up]: without roll_over",
                             "granule other, Store [used_up]: without roll_over"));
  EXPECT_GE(mutants - survivors.size(), mutants * 95 / 100) << mutants;
}

}  // namespace
}  // namespace syncline::tests
