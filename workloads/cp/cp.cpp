#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

struct Atom {
  float x, y, height, charge;
};

std::vector<Atom> random_atoms(std::uint64_t seed, std::uint32_t count, double width, double height) {
  base::Random random(seed, "cp.atoms");
  std::vector<Atom> atoms(count);
  for (Atom& atom : atoms) {
    atom.x = static_cast<float>(width * random.unit());
    atom.y = static_cast<float>(height * random.unit());
    atom.height = static_cast<float>(0.25 + random.unit());
    atom.charge = static_cast<float>(2 * random.unit() - 1);
  }
  return atoms;
}

}  // namespace

Verdict run_cp(const Context& context) {
  constexpr std::uint32_t portion = 1024;  // what the kernel's constant memory holds
  const std::uint32_t width = by_size(context.size, 64U, 128U, 256U, 256U);
  const std::uint32_t height = by_size(context.size, 32U, 64U, 128U, 384U);
  const std::uint32_t count = by_size(context.size, 120U, 1'500U, 4'000U, 1'000U);
  const std::uint32_t rows = by_size(context.size, 8U, 8U, 8U, 12U);  // of a CTA
  const float spacing = 0.1F;
  const std::vector<Atom> atoms = random_atoms(context.seed, count, width * 0.1, height * 0.1);

  Program program(context);
  const DevicePointer potential = program.allocate<float>(std::size_t{width} * height);
  const Launch launch{{width / 64, height / rows, 1}, {16, rows, 1}, 0};
  for (std::uint32_t first = 0; first < count; first += portion) {
    std::vector<Atom> part(atoms.begin() + first, atoms.begin() + std::min(first + portion, count));
    for (Atom& atom : part) atom.height *= atom.height;
    program.set_symbol("atoms", part);
    program.launch("cp", launch, potential, width, spacing, static_cast<std::uint32_t>(part.size()));
  }

  // Per term: rsqrt.approx is off by 2^-22.9 relatively (PTX ISA), its argument by the roundings of the coordinates:
  // half the relative error of the squared distance, which is at least height^2. Then one rounding per addition.
  std::vector<double> expected;
  std::vector<double> bound;
  const double extent = spacing * std::max(width, height);
  for (std::uint32_t row = 0; row < height; ++row)
    for (std::uint32_t column = 0; column < width; ++column) {
      double sum = 0;
      double magnitude = 0;
      double error = 0;
      for (const Atom& atom : atoms) {
        const double dx = static_cast<double>(spacing) * column - atom.x;
        const double dy = static_cast<double>(spacing) * row - atom.y;
        const double distance = std::sqrt(dx * dx + dy * dy + static_cast<double>(atom.height) * atom.height);
        const double term = atom.charge / distance;
        sum += term;
        magnitude += std::fabs(term);
        error += std::fabs(term) * (0x1.0p-22 + 4 * f32_roundoff + 6 * extent * f32_roundoff / distance);
      }
      expected.push_back(sum);
      bound.push_back(error + (count + 2.0) * f32_roundoff * magnitude);
    }
  return compare_close("potential", program.download<float>(potential, expected.size()), expected, [&](std::size_t i) {
    return Tolerance{bound[i], 0};
  });
}

}  // namespace syncline::workloads
