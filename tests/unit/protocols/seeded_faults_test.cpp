// Faults that programs of two threads do not show, or none of the classic shapes: random programs find them, and so do
// the shapes of the suite that were written for them.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "protocols/coherence/engine/mutant.h"
#include "protocols/coherence/explore/explorer.h"
#include "protocols/coherence/explore/random_programs.h"
#include "protocols/coherence/explore/suite.h"
#include "protocols/coherence/registry.h"

namespace syncline::tests {
namespace {

using namespace protocols::explore;
using protocols::CoherencePolicy;
using protocols::Mutant;

CoherencePolicy policy_of(const char* name) {
  protocols::CoherenceSpec spec;
  spec.policy = name;
  spec.tc.lease = 2;
  spec.tc.predictor = protocols::TcPredictor::fixed;
  return protocols::make_coherence_policy(spec, {});
}

/// The policy with the actions of one row left out, or those of another row in their place.
CoherencePolicy with_row(const CoherencePolicy& policy, const std::string& row, const std::string& like = {}) {
  const protocols::TransitionTable& table = *policy.table(protocols::Role::l1);
  const auto find = [&](const std::string& name) -> const protocols::Transition& {
    for (const protocols::Transition& t : table.transitions()) {
      if (row_name(t.row, table.vocabulary()) == name) return t;
    }
    throw std::runtime_error("no row " + name);
  };
  const protocols::Transition& broken = find(row);
  Mutant mutant{protocols::Role::l1, broken.index, broken.row, row};
  mutant.changed.actions = like.empty() ? protocols::ActionCodes() : find(like).row.actions;
  return mutated(policy, mutant);
}

/// What is wrong with the policy on the program, judged by sequential consistency and by outcomes alone.
bool violates(const CoherencePolicy& policy, const Program& program, unsigned homes, const SmRules& rules = {}) {
  ExploreOptions options;
  options.max_states = 20'000;
  options.world.homes = homes;
  options.world.sm = rules;
  return explore(policy, program, {}, options).violation.has_value();
}

/// The number of the first random program that shows it, or `most`.
unsigned first_of_random(const CoherencePolicy& policy, unsigned most, const SmRules& rules = {}) {
  const RandomPrograms programs(16, false);
  for (unsigned i = 0; i < most; ++i) {
    const Program program = programs.at(i);
    if (violates(policy, program, program.lines() > 1 && i % 2 != 0 ? 2 : 1, rules)) return i;
  }
  return most;
}

TEST(SeededFaults, AMateReadsAStoreBeforeItIsPerformed) {
  const CoherencePolicy gpu_vi = policy_of("gpu_vi");
  const CoherencePolicy broken = with_row(gpu_vi, "S_M, Load", "S, Load");
  unsigned seen = 0;
  for (const Program& program : early_programs()) seen += violates(broken, program, 1) ? 1 : 0;
  EXPECT_GE(seen, 2U);
  EXPECT_LT(first_of_random(broken, 600), 600U);
}

TEST(SeededFaults, AStoreOvertakesALoadThatAsksAgain) {
  const CoherencePolicy tc = policy_of("tc_strong");
  EXPECT_LT(first_of_random(with_row(tc, "I_S, Store [loads_may_be_late]", "I_S, Store"), 600), 600U);
}

/// What the SM has to do, and does not.
TEST(SeededFaults, AWarpGoesOnWithoutItsAnswers) {
  const CoherencePolicy gpu_vi = policy_of("gpu_vi");
  for (bool SmRules::*rule :
       {&SmRules::sc_waits_for_loads, &SmRules::sc_waits_for_stores, &SmRules::sc_waits_for_atomics}) {
    SmRules rules;
    rules.*rule = false;
    EXPECT_LT(first_of_random(gpu_vi, 600, rules), 600U);
  }
}

}  // namespace
}  // namespace syncline::tests
