#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

/// One time step; each operation is rounded once, in the order that the kernel has.
std::vector<float> heat_step(const std::vector<float>& plate, std::size_t width, std::size_t height, float flow) {
  std::vector<float> after = plate;
  for (std::size_t y = 1; y + 1 < height; ++y)
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const auto at = [&](std::size_t column, std::size_t row) { return plate[row * width + column]; };
      const float around = (at(x, y - 1) + at(x, y + 1)) + (at(x - 1, y) + at(x + 1, y));
      after[y * width + x] = at(x, y) + flow * (around - 4 * at(x, y));
    }
  return after;
}

}  // namespace

Verdict run_stencil(const Context& context) {
  constexpr float flow = 0.2F;
  const std::uint32_t width = by_size(context.size, 100U, 500U, 1'500U, 258U);
  const std::uint32_t height = by_size(context.size, 62U, 362U, 1'082U, 322U);
  const std::uint32_t steps = by_size(context.size, 8U, 20U, 25U, 100U);
  const std::size_t cells = std::size_t{width} * height;
  std::vector<float> plate = random_reals(context.seed, "stencil.plate", cells, 0, 100);

  Program program(context);
  DevicePointer before = program.upload(plate);
  DevicePointer after = program.upload(plate);
  // As many CTAs as SMs fit at once wherever the work distributor puts them, and no other grid runs.
  const std::uint32_t ctas = std::min(context.device.sm_count(), height - 2);
  const std::uint32_t rows = by_size(context.size, 8U, 8U, 8U, 20U);  // of a CTA's threads; registers let 21 warps in
  const DevicePointer arrived = program.allocate<std::uint32_t>(ctas);
  const DevicePointer released = program.allocate<std::uint32_t>(ctas);
  program.launch("stencil", {{ctas, 1, 1}, {32, rows, 1}, 0}, before, after, width, height, flow, steps, arrived,
                 released);

  for (std::uint32_t step = 0; step < steps; ++step) {
    plate = heat_step(plate, width, height, flow);
    std::swap(before, after);
  }
  return compare_exact("temperature", program.download<float>(before, cells), plate);
}

}  // namespace syncline::workloads
