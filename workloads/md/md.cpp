#include <algorithm>
#include <array>
#include <cmath>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr std::uint32_t places = 8;  // of a cell, as the kernel has them
constexpr double cell_width = 3;
constexpr double cut_off = 2.5;

using Vector = std::array<float, 4>;  // x, y, z and nothing

struct Fluid {
  std::uint32_t side;                 ///< cells along each axis
  std::vector<std::uint32_t> counts;  ///< of the atoms in each cell
  std::vector<Vector> atoms;
  std::vector<Vector> velocities;
  double box() const { return side * cell_width; }
};

/// A lattice of eight sites a cell, one of eight of which is empty, with atoms that are a little off. They stay so near
/// to their sites that none comes to a cell beside a neighbour of its own, so the lists hold for all steps.
Fluid random_fluid(std::uint64_t seed, std::uint32_t side) {
  base::Random random(seed, "md.atoms");
  const auto draw = [&](double most) { return most * (2 * random.unit() - 1); };
  Fluid fluid{side, {}, {}, {}};
  for (std::uint32_t cell = 0; cell < side * side * side; ++cell) {
    const std::array<std::uint32_t, 3> at{cell % side, cell / side % side, cell / (side * side)};
    std::uint32_t count = 0;
    for (std::uint32_t site = 0; site < places; ++site) {
      if (random.below(8) == 0) continue;
      Vector atom{};
      Vector velocity{};
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        const double middle = (at[axis] + 0.25 + 0.5 * (site >> axis & 1U)) * cell_width;
        atom.at(axis) = static_cast<float>(middle + draw(0.15));
        velocity.at(axis) = static_cast<float>(draw(1));
      }
      fluid.atoms.push_back(atom);
      fluid.velocities.push_back(velocity);
      ++count;
    }
    fluid.counts.push_back(count);
    fluid.atoms.resize(std::size_t{cell + 1} * places);
    fluid.velocities.resize(fluid.atoms.size());
  }
  return fluid;
}

/// Components of forces, four an atom, and how far rounding may take the kernel's from them.
struct Forces {
  std::vector<double> values;
  std::vector<double> bounds;
};

/// Adds to the atoms `a` and `b` what the pair does to each other, `away` from each other.
void add_pair(Forces& forces, std::size_t a, std::size_t b, const std::array<double, 3>& away, double box) {
  const double square = away[0] * away[0] + away[1] * away[1] + away[2] * away[2];
  if (square > 1.001 * cut_off * cut_off) return;  // no doubt, for most of all pairs
  const double distance = std::sqrt(square);
  // Of a component of the distance: the image's place is rounded, and so is the difference.
  const double apart = f32_roundoff * (2 * box + distance);
  const double relative = 2 * std::sqrt(3.0) * apart / distance + 5 * f32_roundoff;  // of 1 / square
  const bool in_doubt = std::fabs(square - cut_off * cut_off) <= 2 * relative * square;
  if (square >= cut_off * cut_off && !in_doubt) return;
  const double sixth = 1 / (square * square * square);
  const double strength = 24 / square * (2 * sixth * sixth - sixth);
  const double magnitude = 24 / square * (2 * sixth * sixth + sixth);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double value = square < cut_off * cut_off ? strength * away.at(axis) : 0;
    // The seventh power of 1 / square with 9 more roundings, and one of each of at most 216 sums.
    const double bound = magnitude * (std::fabs(away.at(axis)) * (7 * relative + 225 * f32_roundoff) + apart) +
                         (in_doubt ? magnitude * std::fabs(away.at(axis)) : 0);
    forces.values[4 * a + axis] += value;
    forces.values[4 * b + axis] -= value;
    forces.bounds[4 * a + axis] += bound;
    forces.bounds[4 * b + axis] += bound;
  }
}

/// Without cells: from every atom on to those whose x is larger by up to the cut-off, around the box.
Forces forces_of(const Fluid& fluid) {
  std::vector<std::size_t> by_x;
  for (std::size_t place = 0; place < fluid.atoms.size(); ++place)
    if (place % places < fluid.counts[place / places]) by_x.push_back(place);
  std::sort(by_x.begin(), by_x.end(),
            [&](std::size_t a, std::size_t b) { return fluid.atoms[a][0] < fluid.atoms[b][0]; });
  const double box = fluid.box();
  Forces forces{std::vector<double>(4 * fluid.atoms.size()), std::vector<double>(4 * fluid.atoms.size())};
  for (std::size_t i = 0; i < by_x.size(); ++i)
    for (std::size_t j = i + 1;; ++j) {
      const std::size_t a = by_x[i];
      const std::size_t b = by_x[j % by_x.size()];
      const double ahead = double{fluid.atoms[b][0]} - double{fluid.atoms[a][0]} + (j < by_x.size() ? 0 : box);
      if (ahead > cut_off + 0.01) break;
      const auto away = [&](std::size_t axis) {
        const double direct = double{fluid.atoms[a].at(axis)} - double{fluid.atoms[b].at(axis)};
        return direct > box / 2 ? direct - box : direct < -box / 2 ? direct + box : direct;
      };
      add_pair(forces, a, b, {-ahead, away(1), away(2)}, box);
    }
  return forces;
}

/// A step in time by the forces that the device found; each operation is rounded once.
void advance(Fluid& fluid, const std::vector<float>& forces, float step) {
  for (std::size_t place = 0; place < fluid.atoms.size(); ++place)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      float& velocity = fluid.velocities[place].at(axis);
      velocity = std::fma(step, forces[4 * place + axis], velocity);
      fluid.atoms[place].at(axis) = std::fma(step, velocity, fluid.atoms[place].at(axis));
    }
}

}  // namespace

Verdict run_md(const Context& context) {
  constexpr int steps = 3;
  constexpr float step = 0.002F;
  Fluid fluid = random_fluid(context.seed, by_size(context.size, 3U, 10U, 24U));
  const auto cells = static_cast<std::uint32_t>(fluid.counts.size());

  Program program(context);
  const DevicePointer atoms = program.upload(fluid.atoms);
  const DevicePointer velocities = program.upload(fluid.velocities);
  const DevicePointer counts = program.upload(fluid.counts);
  const DevicePointer forces = program.allocate<Vector>(fluid.atoms.size());
  const Launch launch = covering(fluid.atoms.size(), 64);
  Verdict verdict;
  for (int now = 0; now < steps; ++now) {
    program.launch("md_forces", launch, atoms, counts, forces, fluid.side, static_cast<float>(fluid.box()),
                   static_cast<float>(cut_off));
    const auto found = program.download<float>(forces, 4 * fluid.atoms.size());
    const Forces expected = forces_of(fluid);
    verdict = compare_close("force in step " + std::to_string(now), found, expected.values, [&](std::size_t i) {
      return Tolerance{expected.bounds[i], 0};
    });
    if (!verdict.verified) return verdict;
    program.launch("md_advance", launch, atoms, velocities, forces, counts, cells, step);
    advance(fluid, found, step);
  }
  std::vector<float> coordinates;
  for (const Vector& atom : fluid.atoms) coordinates.insert(coordinates.end(), atom.begin(), atom.end());
  return all_of(
      {verdict, compare_exact("coordinate", program.download<float>(atoms, coordinates.size()), coordinates)});
}

}  // namespace syncline::workloads
