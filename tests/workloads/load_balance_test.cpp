// The CPU side of load_balance on partitions that are known, and stealing on the emulator.
#include <gtest/gtest.h>

#include "platform/functional/functional_device.h"
#include "workloads/load_balance/reference.h"
#include "workloads/registry.h"

namespace syncline::workloads::load_balance {
namespace {

std::vector<Particle> particles_at(std::uint32_t x, std::uint32_t count) {
  std::vector<Particle> particles;
  for (std::uint32_t i = 0; i < count; ++i) particles.push_back({x, 0, 0, i});
  return particles;
}

TEST(LoadBalance, LeavesFewParticlesTogether) {
  const Partition partition = partition_of(particles_at(7, leaf_particles));
  EXPECT_EQ(partition.tasks, 1U);
  ASSERT_EQ(partition.leaves.size(), 1U);
  std::uint32_t checksum = 0;
  for (std::uint32_t i = 0; i < leaf_particles; ++i) checksum += mix(i);
  EXPECT_EQ(partition.leaves[0].count, leaf_particles);
  EXPECT_EQ(partition.leaves[0].depth, 0U);
  EXPECT_EQ(partition.leaves[0].checksum, checksum);
}

TEST(LoadBalance, DividesManyParticlesOfOnePlaceDownToItsCell) {
  const Partition partition = partition_of(particles_at(7, leaf_particles + 1));
  EXPECT_EQ(partition.tasks, 1U + coordinate_bits);
  ASSERT_EQ(partition.leaves.size(), 1U);
  EXPECT_EQ(partition.leaves[0].depth, coordinate_bits);
  EXPECT_EQ(partition.leaves[0].x, 7U);
}

TEST(LoadBalance, DividesByTheUppermostBitFirst) {
  std::vector<Particle> particles = particles_at(0, leaf_particles);
  particles.push_back({1U << (coordinate_bits - 1), 0, 1U << (coordinate_bits - 1), 99});
  const Partition partition = partition_of(particles);
  ASSERT_EQ(partition.leaves.size(), 2U);
  EXPECT_EQ(partition.leaves[1].x, 1U);
  EXPECT_EQ(partition.leaves[1].y, 0U);
  EXPECT_EQ(partition.leaves[1].z, 1U);
  EXPECT_EQ(partition.leaves[1].checksum, mix(99));
}

TEST(LoadBalance, StealsTasksWhenCtasTakeShortTurns) {
  platform::FunctionalDevice::Config config;
  config.emulator.warp_slice = 3;
  config.emulator.cta_slice = 50;
  platform::FunctionalDevice device(config);
  const Workload& workload = find_workload("load_balance");
  const Verdict verdict = workload.run({device, Size::small, 1, ptx_path(workload)});
  EXPECT_TRUE(verdict.verified) << verdict.detail;
  EXPECT_EQ(verdict.detail.find("; 0 of "), std::string::npos) << verdict.detail;
}

/// Whoever is resident does all the work: no CTA depends on another one to run beside it.
TEST(LoadBalance, EndsWhenOnlyOneCtaFits) {
  const Workload& workload = find_workload("load_balance");
  for (const Size size : {Size::small, Size::paper}) {
    platform::FunctionalDevice::Config config;
    config.emulator.resident_ctas = 1;
    platform::FunctionalDevice device(config);
    const Verdict verdict = workload.run({device, size, 1, ptx_path(workload)});
    EXPECT_TRUE(verdict.verified) << name(size) << ": " << verdict.detail;
  }
}

/// At this size every CTA begins with work, and those that run out of it take from the others until there is none left.
TEST(LoadBalance, BeginsWithWorkForAllAndBalancesIt) {
  platform::FunctionalDevice::Config config;
  config.emulator.warp_slice = 50;
  config.emulator.cta_slice = 500;
  platform::FunctionalDevice device(config);
  const Workload& workload = find_workload("load_balance");
  const Verdict verdict = workload.run({device, Size::paper, 1, ptx_path(workload)});
  EXPECT_TRUE(verdict.verified) << verdict.detail;
  EXPECT_EQ(verdict.detail.find("; 0 of "), std::string::npos) << verdict.detail;
}

}  // namespace
}  // namespace syncline::workloads::load_balance
