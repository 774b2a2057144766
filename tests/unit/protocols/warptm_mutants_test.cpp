// Every row of a commit unit's entry changed in every way, and writes out of turn: what the exploration does not notice
// is known, and why.
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

std::vector<SoundCase<WarptmWorldOptions>> cases_of(const std::vector<Program>& programs) {
  std::vector<WarptmWorldOptions> worlds;
  for (const WarptmCase& one : warptm_worlds()) worlds.push_back(one.world);
  return sound_cases(worlds, programs, 3'000);
}

TEST(WarptmMutants, AreKilled) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  const auto table = protocols::warptm::entry_table();
  const std::vector<Program> programs = value_shapes();
  const std::size_t mutants = mutants_of(*table).size();
  const std::vector<std::string> survivors = survivors_of(*table, cases_of(programs));
  EXPECT_THAT(survivors,
              testing::UnorderedElementsAre(
                  // All that ever wrote the word counts as a hazard then: more is validated twice, and right.
                  "entry unused, Log: without sample"));
  EXPECT_GE(mutants - survivors.size(), mutants * 95 / 100) << mutants;
}

TEST(WarptmMutants, WritesOutOfTurnAreFound) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  const std::vector<Program> programs = value_shapes();
  const auto out_of_turn = [](WarptmWorldOptions& world) {
    world.turn = protocols::warptm::CommitUnit::Turn::when_ready;
  };
  EXPECT_TRUE(is_killed(cases_of(programs), out_of_turn, nothing_else));
}

}  // namespace
}  // namespace syncline::tests
