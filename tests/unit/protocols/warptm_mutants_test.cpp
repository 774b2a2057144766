// Every row of a commit unit's entry changed in every way, and writes out of turn: what the exploration does not notice
// is known, and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "protocols/coherence/engine/mutant.h"
#include "protocols/transactions/explore/explorer.h"
#include "protocols/transactions/explore/suite.h"
#include "tests/support/sanitized.h"

namespace syncline::tests {
namespace {

using namespace protocols::transactions;
using protocols::TableMutant;
using protocols::explore::Program;

/// A program in a world, and how large it is without a fault.
struct Case {
  const Program* program;
  WarptmWorldOptions world;
  std::uint64_t states;
};

std::vector<Case> cases_of(const std::vector<Program>& programs) {
  std::vector<Case> cases;
  for (const WarptmCase& one : warptm_worlds()) {
    for (const Program& program : programs) {
      WarptmExploreOptions options;
      options.world = one.world;
      options.max_states = 3'000;
      const WarptmReport report = explore_transactions(program, options);
      if (report.complete) cases.push_back({&program, one.world, report.states});
    }
  }
  std::stable_sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.states < b.states; });
  return cases;
}

template <class Fault>
bool is_killed(const std::vector<Case>& cases, Fault&& with_fault) {
  return std::any_of(cases.begin(), cases.end(), [&with_fault](const Case& one) {
    WarptmExploreOptions options;
    options.world = one.world;
    with_fault(options.world);
    options.max_states = 10 * one.states;
    const WarptmReport report = explore_transactions(*one.program, options);
    return report.violation || !report.complete;  // one that never ends is as visible as one that ends wrong
  });
}

TEST(WarptmMutants, AreKilled) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  const auto table = protocols::warptm::entry_table();
  const std::vector<Program> programs = value_shapes();
  const std::vector<Case> cases = cases_of(programs);
  const std::vector<TableMutant> mutants = mutants_of(*table);
  std::vector<std::string> survivors;
  for (const TableMutant& mutant : mutants) {
    const auto changed = mutated(*table, mutant);
    if (!is_killed(cases, [&changed](WarptmWorldOptions& world) { world.table = changed; }))
      survivors.push_back(mutant.description);
  }
  EXPECT_THAT(survivors,
              testing::UnorderedElementsAre(
                  // All that ever wrote the word counts as a hazard then: more is validated twice, and right.
                  "entry unused, Log: without sample"));
  EXPECT_GE(mutants.size() - survivors.size(), mutants.size() * 95 / 100) << mutants.size();
}

TEST(WarptmMutants, WritesOutOfTurnAreFound) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  const std::vector<Program> programs = value_shapes();
  EXPECT_TRUE(is_killed(cases_of(programs), [](WarptmWorldOptions& world) {
    world.turn = protocols::warptm::CommitUnit::Turn::when_ready;
  }));
}

}  // namespace
}  // namespace syncline::tests
