#include <algorithm>
#include <array>

#include "workloads/cfd/mesh.h"
#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr double gamma = 1.4;
constexpr std::uint32_t variables = 5;
constexpr std::uint32_t stages = 3;
/// Density, momentum in x, y, z, energy.
using State = std::array<double, variables>;

double pressure_of(const State& u) {
  return (gamma - 1) * (u[4] - (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (2 * u[0]));
}
double fastest_wave(const State& u) {
  return std::sqrt(u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0] + std::sqrt(gamma * pressure_of(u) / u[0]);
}
/// What Euler's equations let flow along `normal`.
State flux_along(const State& u, const std::array<double, 3>& normal) {
  const double volume = (u[1] * normal[0] + u[2] * normal[1] + u[3] * normal[2]) / u[0];
  const double pressure = pressure_of(u);
  return {volume * u[0], volume * u[1] + pressure * normal[0], volume * u[2] + pressure * normal[1],
          volume * u[3] + pressure * normal[2], volume * (u[4] + pressure)};
}

/// The undisturbed flow: Mach 0.8, pressure and density so that sound has speed 1.
State undisturbed() {
  const double mach = 0.8;
  const std::array<double, 3> direction{0.6, 0.48, 0.64};
  return {1.4, 1.4 * mach * direction[0], 1.4 * mach * direction[1], 1.4 * mach * direction[2],
          1 / (gamma - 1) + 0.5 * 1.4 * mach * mach};
}

/// Net flow into the cell.
State residual(const cfd::Mesh& mesh, const std::vector<State>& u, std::uint32_t cell, const State& far) {
  State sum{};
  for (std::uint32_t face = 0; face < cfd::faces; ++face) {
    std::array<double, 3> normal{};
    for (std::uint32_t axis = 0; axis < 3; ++axis) normal[axis] = mesh.normals[(face * 3 + axis) * mesh.cells + cell];
    const std::int32_t beside = mesh.neighbours[face * mesh.cells + cell];
    if (beside == cfd::wall) {
      for (std::uint32_t axis = 0; axis < 3; ++axis) sum[1 + axis] -= pressure_of(u[cell]) * normal[axis];
      continue;
    }
    const State& other = beside == cfd::open_air ? far : u[static_cast<std::size_t>(beside)];
    const State here = flux_along(u[cell], normal);
    const State there = flux_along(other, normal);
    const double wave = std::max(fastest_wave(u[cell]), fastest_wave(other)) *
                        std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (std::uint32_t v = 0; v < variables; ++v) sum[v] -= (here[v] + there[v] - wave * (other[v] - u[cell][v])) / 2;
  }
  return sum;
}

std::vector<State> advance(const cfd::Mesh& mesh, const std::vector<State>& start, const State& far) {
  std::vector<State> now = start;
  for (std::uint32_t stage = 0; stage < stages; ++stage) {
    std::vector<State> next = start;
    for (std::uint32_t cell = 0; cell < mesh.cells; ++cell) {
      const State flow = residual(mesh, now, cell, far);
      const double factor = 0.25 / (std::sqrt(mesh.areas[cell]) * fastest_wave(start[cell])) / (stages - stage);
      for (std::uint32_t v = 0; v < variables; ++v) next[cell][v] += factor * flow[v];
    }
    now = std::move(next);
  }
  return now;
}

}  // namespace

Verdict run_cfd(const Context& context) {
  const cfd::Mesh mesh = cfd::random_mesh(context.seed, by_size(context.size, 28U, 120U, 360U, 312U),
                                          by_size(context.size, 20U, 100U, 300U, 311U));
  const std::uint32_t iterations = by_size(context.size, 1U, 2U, 3U, 1U);
  const State far = undisturbed();
  const std::vector<float> far_values(far.begin(), far.end());
  std::vector<float> start(std::size_t{variables} * mesh.cells);
  base::Random random(context.seed, "cfd.start");
  for (std::size_t i = 0; i < start.size(); ++i)
    start[i] = static_cast<float>(far[i / mesh.cells] * (1 + 0.05 * (random.unit() - 0.5)));

  Program program(context);
  program.set_symbol("far_field", far_values);
  const DevicePointer areas = program.upload(mesh.areas);
  const DevicePointer neighbours = program.upload(mesh.neighbours);
  const DevicePointer normals = program.upload(mesh.normals);
  const DevicePointer now = program.upload(start);
  const DevicePointer before = program.allocate<float>(start.size());
  const DevicePointer fluxes = program.allocate<float>(start.size());
  const DevicePointer factors = program.allocate<float>(mesh.cells);
  const Launch launch = covering(mesh.cells, 128);

  std::vector<State> expected(mesh.cells);
  State far_rounded{};
  for (std::uint32_t v = 0; v < variables; ++v) {
    far_rounded[v] = far_values[v];
    for (std::uint32_t cell = 0; cell < mesh.cells; ++cell) expected[cell][v] = start[v * mesh.cells + cell];
  }
  for (std::uint32_t i = 0; i < iterations; ++i) {
    context.device.memcpy_dtod(before, now, start.size() * sizeof(float));
    program.launch("cfd_step_factor", launch, now, areas, factors, mesh.cells);
    for (std::uint32_t stage = 0; stage < stages; ++stage) {
      program.launch("cfd_flux", launch, neighbours, normals, now, fluxes, mesh.cells);
      program.launch("cfd_time_step", launch, before, now, factors, fluxes, mesh.cells, stages - stage);
    }
    expected = advance(mesh, expected, far_rounded);
  }

  std::vector<double> expected_values;
  for (std::uint32_t v = 0; v < variables; ++v)
    for (const State& state : expected) expected_values.push_back(state[v]);
  // Values are below 4 and a stage smooths; it adds a quarter of the roundings of four faces, some tens each.
  const double absolute = iterations * stages * 16 * 4 * f32_roundoff;
  return compare_close("variables", program.download<float>(now, start.size()), expected_values, {absolute, 0});
}

}  // namespace syncline::workloads
