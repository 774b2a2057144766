#include <fmt/format.h>

#include "workloads/cloth/replay.h"
#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

using cloth::Particle;
using cloth::Spring;
using cloth::Tickets;

/// How elements come to threads: the kernels' argument `dealt`.
enum class Distribution : std::uint32_t { blocks, dealt };
/// What of a solve is in its critical section: without locks all of it, or only the particles.
enum class Section : std::uint8_t { plain, small };

constexpr std::int32_t spacing = 1 << 16;  ///< between the particles of the cloth at rest

/// A square cloth that hangs from the two ends of its first row.
struct Cloth {
  std::vector<Particle> particles;
  std::vector<std::uint32_t> pinned;
  std::vector<Spring> springs;
};

Cloth square_cloth(std::uint32_t side, std::uint64_t seed) {
  Cloth cloth;
  base::Random random(seed, "cloth.creases");
  const auto crease = [&random] { return static_cast<std::int32_t>(random.below(spacing / 4)) - spacing / 8; };
  for (std::uint32_t row = 0; row < side; ++row)
    for (std::uint32_t column = 0; column < side; ++column) {
      const std::int32_t x = static_cast<std::int32_t>(column) * spacing + crease();
      const std::int32_t y = crease();
      cloth.particles.push_back({x, y, static_cast<std::int32_t>(row) * spacing + crease(), 0});
      cloth.pinned.push_back(row == 0 && (column == 0 || column == side - 1));
    }
  const auto connect = [&](std::uint32_t a, std::uint32_t b, float rest) {
    const float share = cloth.pinned[a] != 0 ? 0.0F : cloth.pinned[b] != 0 ? 1.0F : 0.5F;
    cloth.springs.push_back({a, b, rest, share});
  };
  constexpr auto along = static_cast<float>(spacing);
  constexpr float across = 92'681.9F;  // along times the square root of 2
  // In groups that share no particle, so that neighbouring threads seldom want the same lock.
  for (const std::uint32_t parity : {0U, 1U})
    for (std::uint32_t i = 0; i < side * side; ++i)
      if (i % side % 2 == parity && i % side != side - 1) connect(i, i + 1, along);
  for (const std::uint32_t parity : {0U, 1U})
    for (std::uint32_t i = 0; i < side * (side - 1); ++i)
      if (i / side % 2 == parity) connect(i, i + side, along);
  for (const std::uint32_t parity : {0U, 1U})
    for (std::uint32_t i = 0; i < side * (side - 1); ++i)
      if (i / side % 2 == parity && i % side != side - 1) connect(i, i + side + 1, across);
  for (const std::uint32_t parity : {0U, 1U})
    for (std::uint32_t i = 0; i < side * (side - 1); ++i)
      if (i / side % 2 == parity && i % side != 0) connect(i, i + side - 1, across);
  return cloth;
}

/// Change of velocity in one time step: the kernel's argument of the same name.
struct Vector {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;
};

std::int32_t integrated(std::int32_t now, std::int32_t before, std::int32_t acceleration) {
  const std::int64_t velocity = std::int64_t{now} - before;
  const std::int64_t damping = (velocity - (velocity % 64 + 64) % 64) / 64;  // rounded down
  return static_cast<std::int32_t>(now + velocity - damping + acceleration);
}

/// One time step of the particles; `particles` and `earlier` become what they are afterwards.
void integrate(const Cloth& cloth, std::vector<Particle>& particles, std::vector<Particle>& earlier,
               const Vector& acceleration) {
  for (std::size_t i = 0; i < particles.size(); ++i) {
    Particle next = particles[i];
    const Particle& before = earlier[i];
    if (cloth.pinned[i] == 0)
      next = {integrated(next.x, before.x, acceleration.x), integrated(next.y, before.y, acceleration.y),
              integrated(next.z, before.z, acceleration.z), 0};
    next.solves = 0;
    earlier[i] = particles[i];
    particles[i] = next;
  }
}

struct Vertex {
  float x = 0;
  float y = 0;
  float z = 0;
  float w = 0;
};

std::vector<float> coordinates(const std::vector<Vertex>& vertices) {
  std::vector<float> all;
  for (const Vertex& v : vertices) all.insert(all.end(), {v.x, v.y, v.z, v.w});
  return all;
}

std::vector<Vertex> vertices_of(const std::vector<Particle>& particles) {
  const auto length = [](std::int32_t fixed) { return static_cast<float>(fixed) / 65'536.0F; };
  std::vector<Vertex> vertices;
  vertices.reserve(particles.size());
  for (const Particle& p : particles) vertices.push_back({length(p.x), length(p.y), length(p.z), 1});
  return vertices;
}

/// The numbers of all particles in a row.
std::vector<std::int64_t> numbers(const std::vector<Particle>& particles) {
  std::vector<std::int64_t> all;
  for (const Particle& p : particles) all.insert(all.end(), {p.x, p.y, p.z, p.solves});
  return all;
}

Verdict run(const Context& context, Distribution distribution, Section section = Section::plain) {
  const std::uint32_t side = by_size(context.size, 16U, 48U, 123U, 123U);
  const std::uint32_t time_steps = by_size(context.size, 2U, 2U, 3U, 1U);
  constexpr std::uint32_t rounds = 2;
  const Cloth cloth = square_cloth(side, context.seed);
  const auto particle_count = static_cast<std::uint32_t>(cloth.particles.size());
  const auto spring_count = static_cast<std::uint32_t>(cloth.springs.size());
  base::Random wind(context.seed, "cloth.wind");

  Program program(context);
  const DevicePointer particles = program.upload(cloth.particles);
  const DevicePointer earlier = program.upload(cloth.particles);
  const DevicePointer pinned = program.upload(cloth.pinned);
  const DevicePointer springs = program.upload(cloth.springs);
  const bool locked = context.choice("sync") == "locks";
  const std::size_t lock_count = locked ? particle_count : 0;
  const DevicePointer locks = locked ? program.allocate<std::uint32_t>(lock_count) : DevicePointer{};
  const DevicePointer tickets = program.allocate<Tickets>(std::size_t{spring_count} * rounds);
  const DevicePointer vertices = program.allocate<Vertex>(particle_count);
  // Several elements a thread: with one the distributions would not differ.
  const std::uint32_t share = by_size(context.size, 4U, 4U, 4U, 2U);
  const Launch per_particle = covering(cta_count(particle_count, share), 128);
  const Launch per_spring = covering(cta_count(spring_count, share), 128);

  std::vector<Particle> expected = cloth.particles;
  std::vector<Particle> expected_earlier = cloth.particles;
  double stretched = 0;
  Verdict solved;
  for (std::uint32_t step = 0; step < time_steps; ++step) {
    const auto gust = [&wind] { return static_cast<std::int32_t>(wind.below(spacing / 16)); };
    const Vector acceleration{gust(), -spacing / 8, gust()};
    program.launch("integrate", per_particle, particles, earlier, pinned, acceleration, particle_count, distribution);
    integrate(cloth, expected, expected_earlier, acceleration);
    Verdict moved = compare_exact(fmt::format("particles before the springs of step {}", step),
                                  numbers(program.download<Particle>(particles, particle_count)), numbers(expected));
    if (!moved.verified) return moved;

    stretched = cloth::stretch(expected, cloth.springs);
    const std::string solve = section == Section::small ? "solve_small" : "solve";
    if (locked)
      program.launch(solve, per_spring, particles, springs, locks, tickets, spring_count, rounds, distribution);
    else
      program.launch(solve + "_transactional", per_spring, particles, springs, tickets, spring_count, rounds,
                     distribution);
    solved =
        cloth::replay(expected, cloth.springs, program.download<Tickets>(tickets, std::size_t{spring_count} * rounds));
    if (!solved.verified) return solved;
    solved = compare_exact(fmt::format("particles after the springs of step {}", step),
                           numbers(program.download<Particle>(particles, particle_count)), numbers(expected));
    if (!solved.verified) return solved;
    program.launch("write_back", per_particle, particles, vertices, particle_count, distribution);
  }
  const double left = cloth::stretch(expected, cloth.springs);
  return all_of({solved,
                 {true, fmt::format("the last solves take the stretch from {:.3g} to {:.3g}", stretched, left)},
                 compare_exact("vertices", coordinates(program.download<Vertex>(vertices, particle_count)),
                               coordinates(vertices_of(expected))),
                 compare_exact("locks", program.download<std::uint32_t>(locks, lock_count),
                               std::vector<std::uint32_t>(lock_count))});
}

}  // namespace

Verdict run_cloth(const Context& context) {
  return run(context, Distribution::blocks);
}
Verdict run_cloth_opt(const Context& context) {
  return run(context, Distribution::dealt);
}
Verdict run_cloth_to(const Context& context) {
  return run(context, Distribution::blocks, Section::small);
}

}  // namespace syncline::workloads
