#include <array>
#include <cmath>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr std::uint32_t angles = 32;
constexpr std::uint32_t octants = 8;

struct Box {  // as the kernel takes it
  std::uint32_t x, y, z, planes, system;
  std::uint32_t cells() const { return x * y * z; }
};

struct Medium {
  std::vector<float> directions;  ///< three of each angle
  std::vector<float> weights;
  std::vector<float> source;
  std::vector<float> absorption;
  std::vector<float> into_x;  ///< as the kernel's x_faces
  std::vector<float> into_y;
};

/// Of a power of two of values: each to the one half of them further on.
float pairwise_sum(std::vector<float>::const_iterator values, std::ptrdiff_t count) {
  if (count == 1) return *values;
  std::vector<float> halved;
  for (std::ptrdiff_t i = 0; i < count / 2; ++i) halved.push_back(values[i] + values[i + count / 2]);
  return pairwise_sum(halved.cbegin(), count / 2);
}

/// The flux of one octant and angle in all cells, added to `fluxes` (cell, angle) by the angle's weight: cell by cell
/// along the rays, each with faces of its own. Each operation is rounded once, in the order that the kernel has.
void fly(std::vector<float>& fluxes, const Box& box, const Medium& medium, std::uint32_t octant, std::uint32_t angle) {
  const std::array<std::uint32_t, 3> extents{box.x, box.y, box.z};
  const std::array<std::uint32_t, 3> strides{1, box.x, box.x * box.y};
  const float* const direction = &medium.directions[std::size_t{3} * angle];
  const float streaming = direction[0] + direction[1] + direction[2];
  std::array<std::vector<float>, 3> leaves;  // each cell, by axis
  leaves.fill(std::vector<float>(box.cells()));
  std::array<std::uint32_t, 3> at{};  // counted along the rays
  for (at[2] = 0; at[2] < box.z; ++at[2])
    for (at[1] = 0; at[1] < box.y; ++at[1])
      for (at[0] = 0; at[0] < box.x; ++at[0]) {
        std::uint32_t cell = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
          cell += strides[axis] * ((octant >> axis & 1U) != 0 ? extents[axis] - 1 - at[axis] : at[axis]);
        std::array<float, 3> comes{};
        float in = medium.source[cell];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const std::uint32_t upwind = (octant >> axis & 1U) != 0 ? cell + strides[axis] : cell - strides[axis];
          if (at[axis] > 0)
            comes[axis] = leaves[axis][upwind];
          else if (axis == 0)
            comes[axis] = medium.into_x[((octant * box.y + at[1]) * box.z + at[2]) * angles + angle];
          else if (axis == 1)
            comes[axis] = medium.into_y[((octant * box.x + at[0]) * box.z + at[2]) * angles + angle];
          in = std::fma(direction[axis], comes[axis], in);
        }
        const float here = in / (medium.absorption[cell] + streaming);
        for (std::size_t axis = 0; axis < 3; ++axis) leaves[axis][cell] = std::fma(2.0F, here, -comes[axis]);
        float& flux = fluxes[std::size_t{cell} * angles + angle];
        flux = std::fma(medium.weights[angle], here, flux);
      }
}

}  // namespace

Verdict run_sweep(const Context& context) {
  const Box box{by_size(context.size, 8U, 32U, 64U), by_size(context.size, 8U, 24U, 48U),
                by_size(context.size, 4U, 16U, 32U), by_size(context.size, 2U, 4U, 4U), system_scope(context)};
  const auto draw = [&](const char* what, std::size_t count, double low, double high) {
    return random_reals(context.seed, what, count, low, high);
  };
  const Medium medium{draw("sweep.directions", std::size_t{3} * angles, 0.1, 2),
                      draw("sweep.weights", angles, 0, 1.0 / angles),
                      draw("sweep.source", box.cells(), 0, 1),
                      draw("sweep.absorption", box.cells(), 0.5, 2),
                      draw("sweep.into_x", std::size_t{octants} * box.y * box.z * angles, 0, 1),
                      draw("sweep.into_y", std::size_t{octants} * box.x * box.z * angles, 0, 1)};

  Program program(context);
  const DevicePointer directions = program.upload(medium.directions);
  const DevicePointer weights = program.upload(medium.weights);
  const DevicePointer source = program.upload(medium.source);
  const DevicePointer absorption = program.upload(medium.absorption);
  const DevicePointer x_faces = program.upload(medium.into_x);
  const DevicePointer y_faces = program.upload(medium.into_y);
  const DevicePointer psi = program.allocate<float>(std::size_t{octants} * box.cells() * angles);
  const DevicePointer flux = program.allocate<float>(box.cells());
  const std::uint32_t ctas = octants * (box.x / 4) * (box.y / 4);
  const DevicePointer passed = program.allocate<std::uint32_t>(ctas);
  program.launch("sweep", {{ctas, 1, 1}, {angles, 1, 1}, 0}, box, directions, source, absorption, x_faces, y_faces, psi,
                 passed);
  program.launch("sweep_flux", covering(std::size_t{box.cells()} * angles, 128), psi, weights, flux, box.cells());

  std::vector<float> fluxes(std::size_t{box.cells()} * angles);
  for (std::uint32_t octant = 0; octant < octants; ++octant)
    for (std::uint32_t angle = 0; angle < angles; ++angle) fly(fluxes, box, medium, octant, angle);
  std::vector<float> expected;
  for (auto of_cell = fluxes.begin(); of_cell != fluxes.end(); of_cell += angles)
    expected.push_back(pairwise_sum(of_cell, angles));
  return compare_exact("flux", program.download<float>(flux, box.cells()), expected);
}

}  // namespace syncline::workloads
