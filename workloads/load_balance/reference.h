// The octree partition of load_balance on the CPU.
#pragma once

#include <cstdint>
#include <vector>

namespace syncline::workloads::load_balance {

constexpr unsigned coordinate_bits = 16;
constexpr std::uint32_t leaf_particles = 24;  ///< as many are not divided further

struct Particle {
  std::uint32_t x = 0, y = 0, z = 0, number = 0;
};

/// A cube that is not divided: its place in units of its width, and the sum over `mix` of its particles' numbers.
struct Leaf {
  std::uint32_t x = 0, y = 0, z = 0, depth = 0, count = 0, checksum = 0;
};

/// All leaves that hold particles; `tasks` is the number of cubes that do, divided or not.
struct Partition {
  std::vector<Leaf> leaves;
  std::uint32_t tasks = 0;
};
Partition partition_of(const std::vector<Particle>& particles);

/// A number whose bits depend on all bits of `x`, as the kernel has it.
std::uint32_t mix(std::uint32_t x);

}  // namespace syncline::workloads::load_balance
