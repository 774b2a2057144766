#include "workloads/load_balance/reference.h"

#include <algorithm>
#include <utility>

namespace syncline::workloads::load_balance {
namespace {

struct Placed {
  std::uint64_t path;  ///< three bits a level, the root's octant first
  const Particle* particle;
};

std::uint64_t path_of(const Particle& p) {
  std::uint64_t path = 0;
  for (unsigned bit = coordinate_bits; bit-- > 0;)
    path = path << 3 | (p.z >> bit & 1) << 2 | (p.y >> bit & 1) << 1 | (p.x >> bit & 1);
  return path;
}

/// The particles of one cube lie together once they are sorted by path.
void divide(const Placed* begin, const Placed* end, unsigned depth, Partition& partition) {
  if (begin == end) return;
  ++partition.tasks;
  const auto count = static_cast<std::uint32_t>(end - begin);
  if (count <= leaf_particles || depth == coordinate_bits) {
    const unsigned shift = coordinate_bits - depth;
    const Particle& any = *begin->particle;
    Leaf leaf{any.x >> shift, any.y >> shift, any.z >> shift, depth, count, 0};
    for (const Placed* p = begin; p != end; ++p) leaf.checksum += mix(p->particle->number);
    partition.leaves.push_back(leaf);
    return;
  }
  const unsigned below = 3 * (coordinate_bits - 1 - depth);
  while (begin != end) {
    const std::uint64_t octant = begin->path >> below;
    const Placed* behind = std::find_if(begin, end, [&](const Placed& p) { return p.path >> below != octant; });
    divide(begin, behind, depth + 1, partition);
    begin = behind;
  }
}

}  // namespace

std::uint32_t mix(std::uint32_t x) {
  for (const auto& [shift, factor] : {std::pair{16U, 0x85EB'CA6BU}, std::pair{13U, 0xC2B2'AE35U}})
    x = (x ^ (x >> shift)) * factor;
  return x ^ (x >> 16);
}

Partition partition_of(const std::vector<Particle>& particles) {
  std::vector<Placed> placed;
  placed.reserve(particles.size());
  for (const Particle& p : particles) placed.push_back({path_of(p), &p});
  std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) { return a.path < b.path; });
  Partition partition;
  divide(placed.data(), placed.data() + placed.size(), 0, partition);
  return partition;
}

}  // namespace syncline::workloads::load_balance
