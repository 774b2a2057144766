// The checks of the host sides can fail: on a device that executes nothing every workload reports a difference.
#include <gtest/gtest.h>

#include <set>

#include "tests/workloads/fake_device.h"
#include "workloads/registry.h"

namespace syncline::workloads {
namespace {

TEST(HostSides, NoticeThatNothingWasComputed) {
  ASSERT_GE(all_workloads().size(), 24U);
  for (const Workload* workload : all_workloads()) {
    FakeDevice device;
    const Verdict verdict = workload->run({device, Size::small, 1, ptx_path(*workload)});
    EXPECT_FALSE(verdict.verified) << workload->name() << ": " << verdict.detail;
    EXPECT_FALSE(verdict.detail.empty()) << workload->name();
    EXPECT_FALSE(device.launches.empty()) << workload->name();
  }
}

TEST(HostSides, LaunchOnlyFullExtents) {
  for (const Workload* workload : all_workloads()) {
    FakeDevice device;
    workload->run({device, Size::small, 1, ptx_path(*workload)});
    for (const auto& launch : device.launches) {
      EXPECT_GT(launch.config.grid.count(), 0U) << workload->name() << ": " << launch.kernel;
      EXPECT_GT(launch.config.block.count(), 0U) << workload->name() << ": " << launch.kernel;
      EXPECT_LE(launch.config.block.count(), 1024U) << workload->name() << ": " << launch.kernel;
    }
  }
}

/// What the host side sent to the device.
std::vector<std::uint8_t> memory_after(const Workload& workload, std::uint64_t seed) {
  FakeDevice device;
  workload.run({device, Size::small, seed, ptx_path(workload)});
  return device.memory();
}

TEST(HostSides, DrawTheirInputsFromTheSeed) {
  const std::set<std::string_view> without_input{"mandelbrot",   "nqueens",   "nqueens_recursive", "racey",
                                                 "racey_atomic", "racey_cta", "racey_thread",      "racey_warp"};
  for (const Workload* workload : all_workloads()) {
    const std::vector<std::uint8_t> memory = memory_after(*workload, 7);
    EXPECT_EQ(memory, memory_after(*workload, 7)) << workload->name();
    EXPECT_EQ(memory == memory_after(*workload, 8), without_input.count(workload->name()) == 1) << workload->name();
  }
}

}  // namespace
}  // namespace syncline::workloads
