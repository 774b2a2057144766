// What may stand in the place of the atomic unit, under every policy: a program without races reads what it wrote, and
// no atomic is lost.
#include <gmock/gmock.h>

#include <exception>
#include <ostream>

#include "tests/support/foreign_atomic_units.h"
#include "tests/support/platform_fixture.h"
#include "tests/unit/caches/invalidating_policy.h"
#include "tests/unit/caches/random_tester.h"

namespace syncline::tests {
namespace {

enum class AtomicPlace { library_that_locks, foreign_non_blocking, foreign_blocking };

struct PlaceCase {
  std::string name;
  AtomicPlace place;
  protocols::CoherenceSpec coherence;
  std::uint64_t seed;
  bool own_policy = false;
};
void PrintTo(const PlaceCase& c, std::ostream* out) {
  *out << c.name;
}

std::vector<PlaceCase> place_cases() {
  std::vector<PlaceCase> all;
  const std::pair<const char*, AtomicPlace> places[] = {{"locks", AtomicPlace::library_that_locks},
                                                        {"slow", AtomicPlace::foreign_non_blocking},
                                                        {"waits", AtomicPlace::foreign_blocking}};
  for (const auto& [place_name, place] : places) {
    const auto add = [&all, place_name = place_name, place = place](const std::string& name,
                                                                    const protocols::CoherenceSpec& coherence) {
      for (std::uint64_t seed = 1; seed <= 2; ++seed)
        all.push_back({name + "_" + place_name + "_seed" + std::to_string(seed), place, coherence, seed});
    };
    for (const protocols::CoherenceEntry& entry : protocols::coherence_policies()) {
      protocols::CoherenceSpec coherence;
      coherence.policy = std::string(entry.name);
      add(coherence.policy, coherence);
    }
    protocols::CoherenceSpec small_directory;
    small_directory.policy = "gpu_vi_ni";
    small_directory.gpu_vi_ni = {3, 2};
    add("gpu_vi_ni_small_directory", small_directory);
    protocols::CoherenceSpec recycling;
    recycling.policy = "tc_strong";
    recycling.tc.recycle_cycles = 10;
    add("tc_strong_recycling", recycling);
    protocols::CoherenceSpec rollover;  // logical time begins anew while atomics are with the unit
    rollover.policy = "rcc";
    rollover.rcc.timestamp_bits = 8;
    add("rcc_rollover", rollover);
    all.push_back({std::string("invalidating_") + place_name, place, {}, 1, true});
  }
  return all;
}

class AtomicPlaces : public PlatformFixture, public testing::WithParamInterface<PlaceCase> {
 protected:
  void run(MemorySystemSpec spec, const TesterSpec& tester_spec) {
    const PlaceCase& c = GetParam();
    spec.coherence = c.coherence;
    if (c.own_policy) spec.own_policy = make_invalidating_policy();
    if (spec.policy().of_modules) spec.spread();
    spec.seed = c.seed;
    constexpr std::uint64_t longest_ps = 60'000;  // some 40 cycles of the L2
    spec.l2.atomic_unit.forwarding = c.place != AtomicPlace::library_that_locks;
    if (c.place == AtomicPlace::foreign_non_blocking) {
      spec.atomic_unit = [&](unsigned index, models::PlatformContext&, models::ClockDomain&, models::AtomicLink& link) {
        const std::string name = "slow_unit" + std::to_string(index);
        slow.push_back(std::make_unique<SlowAtomicUnit>(name.c_str(), longest_ps, c.seed + index));
        link.bind(slow.back()->socket);
      };
    } else if (c.place == AtomicPlace::foreign_blocking) {
      spec.atomic_unit = [&](unsigned index, models::PlatformContext&, models::ClockDomain&, models::AtomicLink& link) {
        const std::string name = "waiting_unit" + std::to_string(index);
        waiting.push_back(std::make_unique<WaitingAtomicUnit>(name.c_str(), longest_ps, c.seed + index));
        link.bind(waiting.back()->socket);
      };
    }
    MemorySystem system(context, spec);
    RandomTester tester("tester", context, system, tester_spec, spec.seed);
    const bool finished = tester.run();
    if (scheduler.failure()) std::rethrow_exception(scheduler.failure());
    if (!finished) {
      for (const models::Block* block : context.blocks) {
        for (const std::string& line : block->describe_waiting()) ADD_FAILURE() << block->name() << ": " << line;
      }
      FAIL() << "no progress, or a wrong value";
    }
    EXPECT_GT(tester.atomics, 10U);
    double asked = 0;
    for (unsigned i = 0; i < spec.slices; ++i) asked += statistic("part" + std::to_string(i) + "_l2.atomic_requests");
    EXPECT_GT(asked, 10);
    unsigned foreign = 0;
    for (const auto& unit : slow) foreign += unit->answers();
    for (const auto& unit : waiting) foreign += unit->answers();
    if (c.place != AtomicPlace::library_that_locks) {
      EXPECT_EQ(foreign, asked) << "who performed the others?";
    }
    expect_clean();
  }

  std::vector<std::unique_ptr<SlowAtomicUnit>> slow;
  std::vector<std::unique_ptr<WaitingAtomicUnit>> waiting;
};

TEST_P(AtomicPlaces, TinyCachesShowOnlyProgramOrder) {
  MemorySystemSpec spec = MemorySystemSpec::tiny();
  spec.l2.locks = 2;
  run(spec, {});
}

TEST_P(AtomicPlaces, LargeCachesShowOnlyProgramOrder) {
  MemorySystemSpec spec;
  spec.l1s = 4;
  spec.network_capacity = 16;
  TesterSpec tester;
  tester.in_flight = 16;
  tester.locks = 2;
  run(spec, tester);
}

INSTANTIATE_TEST_SUITE_P(AllPolicies, AtomicPlaces, testing::ValuesIn(place_cases()),
                         [](const testing::TestParamInfo<PlaceCase>& c) { return c.param.name; });

}  // namespace
}  // namespace syncline::tests
