// The contract that every coherence policy keeps, whatever its tables: a program free of data races reads what it
// wrote. A policy joins by being in the registry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <exception>
#include <ostream>

#include "platform/stress/row_coverage.h"
#include "tests/support/platform_fixture.h"
#include "tests/support/sanitized.h"
#include "tests/unit/caches/invalidating_policy.h"
#include "tests/unit/caches/random_tester.h"

namespace syncline::tests {
namespace {

struct Case {
  std::string name;
  protocols::CoherenceSpec coherence;
  std::uint64_t seed;
  bool own_policy = false;  ///< the invalidating policy of the tests
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

/// Every policy of the registry, and the forms of those that have several, each with some seeds.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&all](const std::string& name, const protocols::CoherenceSpec& spec) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      all.push_back({name + "_seed" + std::to_string(seed), spec, seed, false});
  };
  for (const protocols::CoherenceEntry& entry : protocols::coherence_policies()) {
    protocols::CoherenceSpec spec;
    spec.policy = std::string(entry.name);
    add(spec.policy, spec);
  }
  protocols::CoherenceSpec bypass;
  bypass.none.l1 = protocols::NoneL1::bypass;
  add("none_bypass", bypass);
  protocols::CoherenceSpec update;
  update.none.store_hit = protocols::NoneStoreHit::update;
  add("none_update", update);
  protocols::CoherenceSpec keep;
  keep.none.acquire = protocols::NoneAcquire::keep;
  add("none_keep", keep);
  protocols::CoherenceSpec small_directory;
  small_directory.policy = "gpu_vi_ni";
  small_directory.gpu_vi_ni = {3, 2};
  add("gpu_vi_ni_small_directory", small_directory);
  protocols::CoherenceSpec recycling;
  recycling.policy = "tc_strong";
  recycling.tc.recycle_cycles = 10;
  add("tc_strong_recycling", recycling);
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    all.push_back({"invalidating_seed" + std::to_string(seed), {}, seed, true});
  return all;
}

class Conformance : public PlatformFixture, public testing::WithParamInterface<Case> {
 protected:
  void run(MemorySystemSpec spec, const TesterSpec& tester_spec) {
    spec.coherence = GetParam().coherence;
    if (GetParam().own_policy) spec.own_policy = make_invalidating_policy();
    if (spec.policy().of_modules) spec.spread();
    spec.seed = GetParam().seed;
    SCOPED_TRACE("seed " + std::to_string(spec.seed));
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
    EXPECT_GT(tester.loads, 100U);
    EXPECT_GT(tester.stores, 50U);
    EXPECT_GT(tester.atomics, 10U);
    expect_clean();
  }
};

/// The random tester reaches every row of the tables: what it does not reach, it does not test.
class Coverage : public PlatformFixture {
 protected:
  /// Rows of the L1s that random programs do not take; those of the homes are all taken.
  std::vector<std::string> rows_not_taken(protocols::NonePrivate private_memory, unsigned episodes) {
    MemorySystemSpec spec = MemorySystemSpec::tiny();
    spec.l1.handles = 8;
    spec.l1.mshr_entries = spec.l2.mshr_entries = 4;
    spec.coherence.none.private_memory = private_memory;
    MemorySystem system(context, spec);
    TesterSpec tester_spec;
    tester_spec.episodes = episodes;
    tester_spec.in_flight = 8;
    tester_spec.last_uses = 6;
    RandomTester tester("tester", context, system, tester_spec, 7);
    EXPECT_TRUE(tester.run());
    EXPECT_THAT(stress::rows_not_taken(stress::machines(system, protocols::Role::home)), testing::IsEmpty());
    return stress::rows_not_taken(stress::machines(system, protocols::Role::l1));
  }
};

TEST_F(Coverage, TheTesterTakesEveryRowOfNone) {
  if (sanitized) GTEST_SKIP() << explores_long;
  EXPECT_THAT(rows_not_taken(protocols::NonePrivate::write_through, 400), testing::IsEmpty());
}

TEST_F(Coverage, TheTesterTakesEveryRowOfNoneThatWritesBack) {
  if (sanitized) GTEST_SKIP() << explores_long;
  // Only a store that leaves the copy in its place, as those that write through do, is answered while the line is in V.
  EXPECT_THAT(rows_not_taken(protocols::NonePrivate::write_back, 800),
              testing::IsSubsetOf({"L1: V, Reply: sent before the line was fetched"}));
}

TEST_P(Conformance, TinyCachesShowOnlyProgramOrder) {
  run(MemorySystemSpec::tiny(), {});
}

TEST_P(Conformance, LargeCachesShowOnlyProgramOrder) {
  MemorySystemSpec spec;
  spec.l1s = 4;
  spec.network_capacity = 16;
  TesterSpec tester;
  tester.in_flight = 16;
  run(spec, tester);
}

INSTANTIATE_TEST_SUITE_P(AllPolicies, Conformance, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& c) { return c.param.name; });

}  // namespace
}  // namespace syncline::tests
