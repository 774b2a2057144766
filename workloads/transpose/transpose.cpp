#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {

Verdict run_transpose(const Context& context) {
  // Neither square nor, but for the benchmark's size, a multiple of the tile.
  const std::uint32_t width = by_size(context.size, 330U, 2048U, 5000U);
  const std::uint32_t height = by_size(context.size, 250U, 1536U, 5010U);
  const std::vector<std::uint32_t> in =
      random_integers<std::uint32_t>(context.seed, "transpose.in", std::size_t{width} * height, 1U << 24);
  const std::vector<float> matrix(in.begin(), in.end());

  Program program(context);
  const DevicePointer device_in = program.upload(matrix);
  const DevicePointer device_out = program.allocate<float>(matrix.size());
  const Launch launch{{cta_count(width, 32), cta_count(height, 32), 1}, {32, 8, 1}, 0};
  program.launch("transpose", launch, device_in, device_out, width, height);

  std::vector<float> expected;
  expected.reserve(matrix.size());
  for (std::uint32_t x = 0; x < width; ++x)
    for (std::uint32_t y = 0; y < height; ++y) expected.push_back(matrix[std::size_t{y} * width + x]);
  return compare_exact("out", program.download<float>(device_out, matrix.size()), expected);
}

}  // namespace syncline::workloads
