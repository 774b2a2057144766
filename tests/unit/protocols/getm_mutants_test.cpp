// Every row of the granule's table changed in every way: what the exploration does not notice is known, and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "protocols/coherence/engine/mutant.h"
#include "protocols/transactions/explore/explorer.h"
#include "protocols/transactions/explore/suite.h"

namespace syncline::tests {
namespace {

using namespace protocols::transactions;
using protocols::TableMutant;
using protocols::explore::Program;
using protocols::getm::TieRule;

/// A program in a world, and how large it is without a fault.
struct Case {
  const Program* program;
  WorldOptions world;
  std::uint64_t states;
};

bool is_killed(const TableMutant& mutant, const protocols::TransitionTable& table, const std::vector<Case>& cases) {
  const auto changed = mutated(table, mutant);
  return std::any_of(cases.begin(), cases.end(), [&changed](const Case& one) {
    ExploreOptions options;
    options.world = one.world;
    options.world.table = changed;
    options.max_states = 10 * one.states;
    const Report report = explore_transactions(*one.program, options);
    return report.violation || !report.complete;  // one that never ends is as visible as one that ends wrong
  });
}

TEST(GetmMutants, AreKilledButThree) {
  const auto table = protocols::getm::granule_table(TieRule::reader_set);
  const std::vector<Program> programs = shapes();
  std::vector<Case> cases;
  for (const WorldOptions& world : worlds(TieRule::reader_set)) {
    for (const Program& program : programs) {
      ExploreOptions options;
      options.world = world;
      options.max_states = 4'000;
      const Report report = explore_transactions(program, options);
      if (report.complete) cases.push_back({&program, world, report.states});
    }
  }
  std::stable_sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.states < b.states; });
  const std::vector<TableMutant> mutants = mutants_of(*table);
  std::vector<std::string> survivors;
  for (const TableMutant& mutant : mutants) {
    if (!is_killed(mutant, *table, cases)) survivors.push_back(mutant.description);
  }
  EXPECT_THAT(survivors, testing::UnorderedElementsAre(
                             // Equivalent: wts is later than the owner's time from its first store on, also after it
                             // has aborted, and nobody else reads until then. So rts decides nothing any more.
                             "granule own, Load: without stamp_read",
                             // The rollover is asked for later, when the granule is free or by another one.
                             "granule other, Load [used_up]: without roll_over",
                             "granule other, Store [used_up]: without roll_over"));
  EXPECT_GE(mutants.size() - survivors.size(), mutants.size() * 95 / 100) << mutants.size();
}

}  // namespace
}  // namespace syncline::tests
