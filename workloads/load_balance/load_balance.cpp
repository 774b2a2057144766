#include <algorithm>
#include <array>
#include <tuple>

#include "base/random.h"
#include "workloads/common/compare.h"
#include "workloads/common/program.h"
#include "workloads/load_balance/reference.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

using namespace load_balance;

constexpr std::uint32_t deque_capacity = 128;  // as the kernel has it

struct Task {
  std::uint32_t begin = 0, count = 0, depth = 0;
};
struct Deque {
  std::uint32_t head = 0, tail = 0, steals = 0, unused = 0;
  Task tasks[deque_capacity];
};
struct Progress {
  std::uint32_t remaining = 0, leaves = 0, tasks = 0;
};

/// Clusters of different density: where there are few, cubes of the same width hold anything from nothing to a third of
/// all particles.
std::vector<Particle> clustered_particles(std::uint64_t seed, std::uint32_t count, std::uint32_t clusters) {
  base::Random random(seed, "load_balance.particles");
  std::vector<Particle> particles;
  std::array<std::uint32_t, 3> centre{};
  std::uint32_t spread = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i % (count / clusters) == 0) {
      for (std::uint32_t& c : centre) c = random.below(1U << coordinate_bits);
      spread = 1U << (9 + random.below(6));
    }
    std::array<std::uint32_t, 3> at{};
    for (std::size_t axis = 0; axis < 3; ++axis)  // the sum of two draws: dense in the middle
      at[axis] = (centre[axis] + random.below(spread) + random.below(spread)) & ((1U << coordinate_bits) - 1);
    particles.push_back({at[0], at[1], at[2], i});
  }
  return particles;
}

/// Cubes for the CTAs to begin with, and how many were divided for that.
struct Start {
  std::vector<Particle> particles;  ///< those of a cube in a row
  std::vector<Task> tasks;          ///< in the order of their particles
  std::uint32_t divided = 0;
};

/// Divides the whole cube, and what that leaves, until no cube of more than `leaf_particles` is above `depth`.
Start divided_to(std::uint32_t depth, std::vector<Particle> particles) {
  Start start;
  start.tasks.push_back({0, static_cast<std::uint32_t>(particles.size()), 0});
  for (std::uint32_t level = 0; level < depth; ++level) {
    std::vector<Task> below;
    for (const Task& task : start.tasks) {
      if (task.count <= leaf_particles) {
        below.push_back(task);
        continue;
      }
      ++start.divided;
      const unsigned bit = coordinate_bits - 1 - level;
      std::array<std::vector<Particle>, 8> octants;
      for (std::uint32_t i = task.begin; i < task.begin + task.count; ++i) {
        const Particle& p = particles[i];
        octants[(p.x >> bit & 1) | (p.y >> bit & 1) << 1 | (p.z >> bit & 1) << 2].push_back(p);
      }
      std::uint32_t begin = task.begin;
      for (const std::vector<Particle>& octant : octants) {
        if (octant.empty()) continue;
        std::copy(octant.begin(), octant.end(), particles.begin() + begin);
        below.push_back({begin, static_cast<std::uint32_t>(octant.size()), level + 1});
        begin += below.back().count;
      }
    }
    start.tasks = std::move(below);
  }
  start.particles = std::move(particles);
  return start;
}

/// A deque a CTA; neighbouring cubes lie in the same one.
std::vector<Deque> dealt(const std::vector<Task>& tasks, std::uint32_t ctas) {
  std::vector<Deque> deques(ctas);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    Deque& deque = deques[i * ctas / tasks.size()];
    deque.tasks[deque.tail++] = tasks[i];
  }
  return deques;
}

std::vector<std::uint32_t> sorted_words(std::vector<Leaf> leaves) {
  std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) {
    return std::tie(a.depth, a.x, a.y, a.z, a.count, a.checksum) <
           std::tie(b.depth, b.x, b.y, b.z, b.count, b.checksum);
  });
  std::vector<std::uint32_t> words;
  for (const Leaf& leaf : leaves)
    words.insert(words.end(), {leaf.depth, leaf.x, leaf.y, leaf.z, leaf.count, leaf.checksum});
  return words;
}

}  // namespace

Verdict run_load_balance(const Context& context) {
  const std::uint32_t n = by_size(context.size, 1'500U, 60'000U, 600'000U, 100'000U);
  const std::uint32_t clusters = by_size(context.size, 12U, 12U, 12U, 125U);
  const std::uint32_t ctas = by_size(context.size, 6U, 30U, 60U, 80U);
  const std::uint32_t depth = by_size(context.size, 0U, 0U, 0U, 3U);
  // How long a CTA without work looks for some: some times as long as the first task takes, which nobody can share; or
  // until all work is done.
  const std::uint32_t patience = by_size(context.size, 40U, 10'000U, 100'000U, 0xFFFF'FFFFU);
  const std::vector<Particle> particles = clustered_particles(context.seed, n, clusters);
  const Partition expected = partition_of(particles);
  const Start start = divided_to(depth, particles);

  Program program(context);
  const DevicePointer even = program.upload(start.particles);
  const DevicePointer odd = depth == 0 ? program.allocate<Particle>(n) : program.upload(start.particles);
  const DevicePointer deques = program.upload(dealt(start.tasks, ctas));
  const DevicePointer leaves = program.allocate<Leaf>(n);
  const DevicePointer progress = program.upload(std::vector<Progress>{{n, 0, 0}});
  program.launch("partition", {{ctas, 1, 1}, {128, 1, 1}, 0}, even, odd, deques, leaves, progress, patience,
                 static_cast<std::uint32_t>(context.seed));

  const auto end = program.read<Progress>(progress);
  std::uint32_t steals = 0;
  for (const Deque& deque : program.download<Deque>(deques, ctas)) steals += deque.steals;
  Verdict verdict =
      all_of({compare_exact<std::uint32_t>("particles left, tasks", {end.remaining, end.tasks + start.divided},
                                           {0, expected.tasks}),
              compare_exact("leaves", sorted_words(program.download<Leaf>(leaves, std::min(end.leaves, n))),
                            sorted_words(expected.leaves))});
  if (verdict.verified)
    verdict.detail += "; " + std::to_string(steals) + " of " + std::to_string(end.tasks) + " tasks were stolen";
  return verdict;
}

}  // namespace syncline::workloads
