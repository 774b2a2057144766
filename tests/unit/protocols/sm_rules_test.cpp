// What the model checker takes for granted of an SM (sm_rules.h) has to be so: a world without the rule shows an
// outcome that sc or the PTX memory model forbids, and the world with it does not.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "protocols/coherence/explore/explorer.h"
#include "protocols/coherence/registry.h"

namespace syncline::tests {
namespace {

using namespace protocols::explore;
using protocols::CoherenceContext;
using protocols::CoherencePolicy;

struct Rule {
  const char* name;
  bool SmRules::*rule;
  const char *policy, *program, *forbidden;
  /// The network keeps the order of what an SM sends to one home, so with one home little is out of order.
  unsigned homes = 1;
  bool whole = true;  ///< small enough to be explored with the rule in a second
};

std::ostream& operator<<(std::ostream& out, const Rule& rule) {
  return out << rule.name;
}

class SmRule : public testing::TestWithParam<Rule> {
 protected:
  static CoherencePolicy policy() {
    protocols::CoherenceSpec spec;
    spec.policy = GetParam().policy;
    spec.tc.lease = 2;
    spec.tc.predictor = protocols::TcPredictor::fixed;
    spec.rcc.lease_min = 1;
    spec.rcc.lease_max = 2;
    spec.rcc.timestamp_bits = 8;
    return protocols::make_coherence_policy(spec, {});
  }
  /// Whether the outcome is met when the world keeps the rule, or does not.
  static bool shows(bool keeps) {
    const Program program = parse_program(GetParam().program);
    bool met = false;
    ExploreOptions options;
    options.check_drain = false;
    options.world.invariants = false;
    options.world.homes = GetParam().homes;
    options.world.sm.*GetParam().rule = keeps;
    options.allowed = [&](const Outcome& outcome) {
      met = met || text_of(outcome, program) == GetParam().forbidden;
      return !met;  // and no more of it
    };
    const Report report = explore(policy(), program, {}, options);
    EXPECT_TRUE(report.complete);
    if (keeps && report.violation) ADD_FAILURE() << report.violation->what;
    return met;
  }
};

TEST_P(SmRule, Matters) {
  EXPECT_TRUE(shows(false));
  if (GetParam().whole) {
    EXPECT_FALSE(shows(true));
  }
}

/// Too large to be explored whole here; the test check.early_store does that.
constexpr const char* early = "ld x; st x 1 @0 | ld x; fence; st y 1 @0 | ld y; fence; ld x @1";

INSTANTIATE_TEST_SUITE_P(
    All, SmRule,
    testing::Values(
        Rule{"sc_loads", &SmRules::sc_waits_for_loads, "gpu_vi", "ld x; st y 1 | ld y; st x 1", "0:r0=1 1:r0=1 x=1 y=1",
             2},
        Rule{"sc_stores", &SmRules::sc_waits_for_stores, "gpu_vi", "st x 1; ld y | st y 1; ld x",
             "0:r0=0 1:r0=0 x=1 y=1", 2},
        Rule{"sc_atomics", &SmRules::sc_waits_for_atomics, "gpu_vi", "add x 1; ld y | add y 1; ld x",
             "0:r0=0 0:r1=0 1:r0=0 1:r1=0 x=1 y=1", 2},
        Rule{"fence_loads", &SmRules::fence_waits_for_loads, "rcc_wo", "ld x; fence; st y 1 | ld y; fence; st x 1",
             "0:r0=1 1:r0=1 x=1 y=1", 2},
        Rule{"fence_stores", &SmRules::fence_waits_for_stores, "rcc_wo", "st x 1; fence; ld y | st y 1; fence; ld x",
             "0:r0=0 1:r0=0 x=1 y=1", 2},
        Rule{"fence_atomics", &SmRules::fence_waits_for_atomics, "rcc_wo",
             "add x 1; fence; ld y | add y 1; fence; ld x", "0:r0=0 0:r1=0 1:r0=0 1:r1=0 x=1 y=1", 2},
        Rule{"fence_asks", &SmRules::fence_asks_l1, "rcc_wo", "ld y; st x 1; fence; ld y | ld x; st y 1; fence; ld x",
             "0:r0=0 0:r1=0 1:r0=0 1:r1=0 x=1 y=1"},
        Rule{"fence_asks_for_time", &SmRules::fence_asks_l1, "tc_weak",
             "st x 1; fence; st y 1 | ld x; ld y; fence; ld x", "1:r0=0 1:r1=1 1:r2=0 x=1 y=1"},
        Rule{"release_loads", &SmRules::release_waits_for_loads, "rcc_wo",
             "ld x; st.release y 1 | ld.acquire y; st x 1", "0:r0=1 1:r0=1 x=1 y=1", 2},
        Rule{"release_stores", &SmRules::release_waits_for_stores, "rcc_wo",
             "st x 1; st.release y 1 | ld.acquire y; ld x", "1:r0=1 1:r1=0 x=1 y=1", 2},
        Rule{"release_atomics", &SmRules::release_waits_for_atomics, "rcc_wo",
             "add x 1; st.release y 1 | ld.acquire y; ld x", "0:r0=0 1:r0=1 1:r1=0 x=1 y=1", 2},
        Rule{"release_asks", &SmRules::release_asks_l1, "tc_weak", "st x 1; st.release y 1 | ld x; ld.acquire y; ld x",
             "1:r0=0 1:r1=1 1:r2=0 x=1 y=1"},
        Rule{"acquire_holds", &SmRules::acquire_holds_later, "rcc_wo", "st x 1; st.release y 1 | ld.acquire y; ld x",
             "1:r0=1 1:r1=0 x=1 y=1", 2},
        Rule{"acquire_tells", &SmRules::acquire_tells_l1, "none", "st x 1; st.release y 1 | ld x; ld.acquire y; ld x",
             "1:r0=0 1:r1=1 1:r2=0 x=1 y=1"},
        Rule{"mates", &SmRules::waits_for_mates, "tc_weak", early, "0:r0=0 1:r0=1 2:r0=1 2:r1=0 x=1 y=1", 2, false}),
    [](const testing::TestParamInfo<Rule>& rule) { return std::string(rule.param.name); });

}  // namespace
}  // namespace syncline::tests
