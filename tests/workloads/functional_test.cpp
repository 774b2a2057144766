// Every workload and microbenchmark on the emulator, under several interleavings of warps and CTAs.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "platform/functional/functional_device.h"
#include "workloads/micro/micro.h"
#include "workloads/registry.h"

namespace syncline::workloads {
namespace {

/// How long a warp and a CTA run before the next one has its turn, in warp instructions.
struct Interleaving {
  std::uint64_t warp_slice;
  std::uint64_t cta_slice;
};
constexpr Interleaving long_turns{1 << 12, 1 << 16};
constexpr Interleaving short_turns{3, 50};

platform::FunctionalDevice::Config config_of(const Interleaving& interleaving) {
  platform::FunctionalDevice::Config config;
  config.emulator.warp_slice = interleaving.warp_slice;
  config.emulator.cta_slice = interleaving.cta_slice;
  return config;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Workload* workload : all_workloads()) all.emplace_back(workload->name());
  return all;
}

class OnTheEmulator : public testing::TestWithParam<std::string> {
 protected:
  /// The contents of memory after a verified run.
  static std::uint64_t signature(const Interleaving& interleaving, std::uint64_t seed) {
    const Workload& workload = find_workload(GetParam());
    platform::FunctionalDevice device(config_of(interleaving));
    const Verdict verdict = workload.run({device, Size::small, seed, ptx_path(workload)});
    EXPECT_TRUE(verdict.verified) << verdict.detail;
    EXPECT_GT(device.totals().warp_instructions, 1000U);
    // A lock that all threads of a CTA want is tried for again and again, which takes little time of the host.
    const bool tries = GetParam() == "local_ht_high" || GetParam() == "local_gc_high";
    EXPECT_LE(device.totals().warp_instructions, tries ? 500'000U : 150'000U)
        << "too long for a run in under a second on the timed device";
    return device.memory_signature();
  }
};

TEST_P(OnTheEmulator, VerifiesForSeveralSeeds) {
  for (const std::uint64_t seed : {1, 2, 3}) signature(long_turns, seed);
}

/// Programs with races, and those in whose memory one sees who came first at a lock, a pool, a deque or a chain.
const std::set<std::string_view> order_shows{
    "barnes_hut",   "bfs_racy",       "cloth",        "cloth_opt",     "cuda_cuts",    "cloth_to",
    "hash_table",   "hash_table_cas", "hash_table_l", "hash_table_m",  "load_balance", "local_gc_high",
    "local_gc_low", "local_ht_high",  "local_ht_low", "local_it_high", "place",        "racey",
    "racey_atomic", "racey_cta",      "sorted_list",  "vacation"};

TEST_P(OnTheEmulator, LeavesTheSameMemoryUnderEveryInterleavingUnlessItsOrderShows) {
  const bool same = signature(long_turns, 1) == signature(short_turns, 1);
  EXPECT_EQ(same, order_shows.count(GetParam()) == 0);
}

TEST_P(OnTheEmulator, VerifiesHoweverLanesMeet) {
  const Workload& workload = find_workload(GetParam());
  std::map<std::string, std::uint64_t> instructions;
  for (const char* const mechanism : {"ipdom", "its", "tf_stack"}) {
    platform::FunctionalDevice::Config config = config_of(long_turns);
    config.emulator.reconvergence = {mechanism};
    platform::FunctionalDevice device(config);
    const Verdict verdict = workload.run({device, Size::small, 1, ptx_path(workload)});
    EXPECT_TRUE(verdict.verified) << mechanism << ": " << verdict.detail;
    instructions[mechanism] = device.totals().warp_instructions;
  }
  // Lanes meet at post-dominators at the latest. How often those of a warp try for several locks depends on their
  // order.
  if (GetParam() == "vacation") return;
  EXPECT_LE(instructions["tf_stack"], instructions["ipdom"]);
}

TEST_P(OnTheEmulator, VerifiesWithWarpsOfEverySizeThatItTakes) {
  const Workload& workload = find_workload(GetParam());
  for (const unsigned lanes : {8U, 16U, 64U}) {
    platform::FunctionalDevice::Config config = config_of(long_turns);
    config.emulator.warp_lanes = lanes;
    platform::FunctionalDevice device(config);
    const Context context{device, Size::small, 1, ptx_path(workload)};
    if (lanes < workload.min_warp_size()) {
      EXPECT_THROW(workload.run(context), base::UserError) << lanes << " lanes";
    } else {
      const Verdict verdict = workload.run(context);
      EXPECT_TRUE(verdict.verified) << lanes << " lanes: " << verdict.detail;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Suite, OnTheEmulator, testing::ValuesIn(names()), [](const auto& name) { return name.param; });

TEST(MicrobenchmarksOnTheEmulator, Verify) {
  for (const micro::Microbenchmark& benchmark : micro::all_microbenchmarks()) {
    platform::FunctionalDevice device;
    const micro::Result result = benchmark.run({device, Size::small, 1, ptx_path(benchmark.ptx)});
    EXPECT_TRUE(result.verdict.verified) << benchmark.name << ": " << result.verdict.detail;
  }
}

}  // namespace
}  // namespace syncline::workloads
