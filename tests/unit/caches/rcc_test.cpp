// `rcc` and `rcc_wo` in real caches: random traffic under each form of the policy, with timestamps so narrow that
// logical time begins anew all the time, and all rows of the tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <exception>
#include <functional>

#include "platform/stress/row_coverage.h"
#include "tests/support/platform_fixture.h"
#include "tests/unit/caches/hierarchy_fixture.h"
#include "tests/unit/caches/random_tester.h"

namespace syncline::tests {
namespace {

using protocols::RccSpec;
using protocols::Role;

struct Form {
  std::string name;
  std::function<void(RccSpec&)> change;
};
void PrintTo(const Form& form, std::ostream* out) {
  *out << form.name;
}

std::vector<Form> forms() {
  return {{"narrow", [](RccSpec& s) { s.timestamp_bits = 8; }},
          {"narrow_fixed",
           [](RccSpec& s) {
             s.timestamp_bits = 8;
             s.predictor = protocols::RccPredictor::fixed;
             s.lease_fixed = 4;
           }},
          {"released", [](RccSpec& s) { s.predictor = protocols::RccPredictor::released; }},
          {"from_the_shortest", [](RccSpec& s) { s.lease_first = protocols::RccLease::shortest; }},
          {"short_leases",
           [](RccSpec& s) {
             s.predictor = protocols::RccPredictor::fixed;
             s.lease_fixed = 1;
           }},
          {"without_renew", [](RccSpec& s) { s.renew = false; }},
          {"thesis_mnow", [](RccSpec& s) { s.mnow_rule = protocols::RccMnowRule::thesis; }},
          {"volatile_hits", [](RccSpec& s) { s.around_l1 = protocols::RccAroundL1::hit; }},
          {"fast_tick",
           [](RccSpec& s) {
             s.tick = 3;
             s.timestamp_bits = 8;
           }},
          {"no_tick", [](RccSpec& s) { s.tick = 0; }}};
}

double sum_of(const std::vector<const protocols::Machine*>& machines, std::string_view event) {
  double sum = 0;
  for (const protocols::Machine* machine : machines) {
    for (const protocols::Transition& t : machine->table().transitions()) {
      if (machine->table().vocabulary().events[t.row.event].name == event)
        sum += static_cast<double>(machine->taken()[t.index]);
    }
  }
  return sum;
}

class RccUnderRandomTraffic : public PlatformFixture,
                              public testing::WithParamInterface<std::tuple<Form, std::string, int>> {
 protected:
  void run(MemorySystemSpec spec, const TesterSpec& tester_spec) {
    const auto& [form, policy, seed] = GetParam();
    spec.coherence.policy = policy;
    form.change(spec.coherence.rcc);
    spec.seed = static_cast<std::uint64_t>(seed);
    MemorySystem system(context, spec);
    RandomTester tester("tester", context, system, tester_spec, spec.seed);
    const bool finished = tester.run();
    if (scheduler.failure()) std::rethrow_exception(scheduler.failure());
    if (!finished) {
      ADD_FAILURE() << "no progress";
      for (const models::Block* block : context.blocks) {
        for (const std::string& line : block->describe_waiting()) ADD_FAILURE() << block->name() << ": " << line;
      }
      return;
    }
    expect_clean();
    const double rollovers = sum_of(stress::machines(system, Role::l1), "Rollover");
    if (spec.coherence.rcc.timestamp_bits == 8)
      EXPECT_GE(rollovers, 2.0 * spec.l1s);
    else
      EXPECT_EQ(rollovers, 0);
  }
};

TEST_P(RccUnderRandomTraffic, TinyCachesShowOnlyProgramOrder) {
  run(MemorySystemSpec::tiny(), {});
}

TEST_P(RccUnderRandomTraffic, LargeCachesShowOnlyProgramOrder) {
  MemorySystemSpec spec;
  spec.l1s = 4;
  spec.slices = 3;
  spec.network_capacity = 16;
  TesterSpec tester;
  tester.in_flight = 16;
  tester.episodes = 8;
  run(spec, tester);
}

INSTANTIATE_TEST_SUITE_P(AllForms, RccUnderRandomTraffic,
                         testing::Combine(testing::ValuesIn(forms()), testing::Values("rcc", "rcc_wo"),
                                          testing::Values(1, 2, 3)),
                         [](const auto& c) {
                           return std::get<0>(c.param).name + "_" + std::get<1>(c.param) + "_seed" +
                                  std::to_string(std::get<2>(c.param));
                         });

TEST_F(HierarchyFixture, AnAcquireThatHitsBringsTheClocksOfRccWoTogether) {
  spec.coherence.policy = "rcc_wo";
  spec.coherence.rcc.around_l1 = protocols::RccAroundL1::hit;
  spec.coherence.rcc.tick = 0;
  build();
  constexpr std::uint64_t flag = 0x1000, other = 0x2000;
  load(0, flag);
  load(1, other);
  store(0, other, 1);  // behind the lease of the other L1
  const double before = stat("l1_0.logical_time");
  load(0, flag);
  ASSERT_EQ(stat("l1_0.load_hits"), 1);
  EXPECT_EQ(stat("l1_0.logical_time"), before) << "weak: loads go on as if the store were later";
  load(0, flag, isa::Semantics::acquire, isa::Scope::gpu);
  ASSERT_EQ(stat("l1_0.load_hits"), 2);
  EXPECT_GT(stat("l1_0.logical_time"), before) << "loads behind the acquire are behind the store, too";
}

class RccCoverage : public PlatformFixture {
 protected:
  /// Narrow timestamps and short leases, so that copies end and epochs begin all the time.
  static MemorySystemSpec short_lived() {
    MemorySystemSpec spec = MemorySystemSpec::tiny();
    spec.slices = 3;
    spec.coherence.policy = "rcc";
    spec.coherence.rcc.timestamp_bits = 8;
    spec.coherence.rcc.predictor = protocols::RccPredictor::fixed;
    spec.coherence.rcc.lease_fixed = 6;
    spec.l1.handles = 8;
    spec.l1.mshr_entries = spec.l2.mshr_entries = 4;
    return spec;
  }
};

TEST_F(RccCoverage, TinyCachesTakeEveryRowThatNeedsNoRenewalDuringAFlush) {
  MemorySystem system(context, short_lived());
  TesterSpec tester_spec;
  tester_spec.episodes = 160;
  tester_spec.in_flight = 8;
  RandomTester tester("tester", context, system, tester_spec, 7);
  ASSERT_TRUE(tester.run());
  EXPECT_THAT(stress::rows_not_taken(stress::machines(system, Role::l1)),
              testing::IsSubsetOf(
                  {"L1: IV, Renew: the loads that wait came before", "L1: II, Renew: a store is still on its way"}));
  EXPECT_THAT(stress::rows_not_taken(stress::machines(system, Role::home)), testing::IsEmpty());
}

TEST_F(RccCoverage, CachesThatHoldTheirLinesRenewDuringAFlush) {
  MemorySystemSpec spec = short_lived();
  spec.l1.size = 16 * 128;
  spec.l2.size = 16 * 128;
  spec.l1.mshr_entries = spec.l2.mshr_entries = 8;
  spec.max_network_delay_ps = 200'000;
  MemorySystem system(context, spec);
  TesterSpec tester_spec;
  tester_spec.lines = 6;
  tester_spec.episodes = 240;
  tester_spec.in_flight = 8;
  RandomTester tester("tester", context, system, tester_spec, 7);
  ASSERT_TRUE(tester.run());
  EXPECT_THAT(stress::rows_not_taken(stress::machines(system, Role::l1)),
              testing::Not(testing::Contains("L1: IV, Renew: the loads that wait came before")));
  EXPECT_THAT(stress::rows_not_taken(stress::machines(system, Role::l1)),
              testing::Not(testing::Contains("L1: II, Renew: a store is still on its way")));
}

}  // namespace
}  // namespace syncline::tests
