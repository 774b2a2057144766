#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

struct Box {
  std::size_t nx, ny, nz;
  std::size_t count() const { return nx * ny * nz; }
};

std::vector<double> jacobi(const std::vector<double>& before, const Box& box) {
  std::vector<double> after = before;
  const std::size_t layer = box.nx * box.ny;
  for (std::size_t z = 1; z + 1 < box.nz; ++z)
    for (std::size_t y = 1; y + 1 < box.ny; ++y)
      for (std::size_t x = 1; x + 1 < box.nx; ++x) {
        const std::size_t i = z * layer + y * box.nx + x;
        after[i] = (before[i - 1] + before[i + 1] + before[i - box.nx] + before[i + box.nx] + before[i - layer] +
                    before[i + layer]) /
                   6;
      }
  return after;
}

}  // namespace

Verdict run_lps(const Context& context) {
  const Box box = by_size(context.size, Box{50, 30, 12}, Box{100, 100, 60}, Box{160, 160, 160}, Box{256, 96, 100});
  const std::uint32_t steps = by_size(context.size, 2U, 2U, 4U, 1U);
  const std::vector<float> start = random_reals(context.seed, "lps.start", box.count(), 0, 1);

  Program program(context);
  DevicePointer before = program.upload(start);
  DevicePointer after = program.allocate<float>(box.count());
  const Launch launch{{cta_count(box.nx, 32), cta_count(box.ny, 8), 1}, {32, 8, 1}, 0};
  std::vector<double> expected(start.begin(), start.end());
  for (std::uint32_t step = 0; step < steps; ++step) {
    program.launch("lps", launch, before, after, static_cast<std::uint32_t>(box.nx), static_cast<std::uint32_t>(box.ny),
                   static_cast<std::uint32_t>(box.nz));
    std::swap(before, after);
    expected = jacobi(expected, box);
  }

  // Values stay in [0, 1]; per step five additions of up to six, a product and the rounded 1/6: below seven roundings.
  return compare_close("u", program.download<float>(before, box.count()), expected, {7 * steps * f32_roundoff, 0});
}

}  // namespace syncline::workloads
