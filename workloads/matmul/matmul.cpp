#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {

Verdict run_matmul(const Context& context) {
  constexpr std::uint32_t tile = 16;
  const std::uint32_t m = by_size(context.size, 64U, 256U, 512U);
  const std::uint32_t n = by_size(context.size, 80U, 256U, 640U);
  const std::uint32_t k = by_size(context.size, 96U, 256U, 512U);
  const std::vector<float> a = random_reals(context.seed, "matmul.a", std::size_t{m} * k, -1, 1);
  const std::vector<float> b = random_reals(context.seed, "matmul.b", std::size_t{k} * n, -1, 1);

  Program program(context);
  const DevicePointer device_a = program.upload(a);
  const DevicePointer device_b = program.upload(b);
  const DevicePointer device_c = program.allocate<float>(std::size_t{m} * n);
  program.launch("matmul", {{n / tile, m / tile, 1}, {tile, tile, 1}, 0}, device_a, device_b, device_c, n, k);

  // A sum of k products, each step rounded once, is off by at most k roundings of the sum of the magnitudes.
  std::vector<double> expected(std::size_t{m} * n);
  std::vector<double> magnitude(expected.size());
  for (std::uint32_t row = 0; row < m; ++row)
    for (std::uint32_t i = 0; i < k; ++i) {
      const double left = a[std::size_t{row} * k + i];
      for (std::uint32_t column = 0; column < n; ++column) {
        const double product = left * b[std::size_t{i} * n + column];
        expected[std::size_t{row} * n + column] += product;
        magnitude[std::size_t{row} * n + column] += std::fabs(product);
      }
    }
  return compare_close("c", program.download<float>(device_c, expected.size()), expected, [&](std::size_t i) {
    return Tolerance{k * f32_roundoff * magnitude[i], 0};
  });
}

}  // namespace syncline::workloads
