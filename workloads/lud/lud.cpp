#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {

Verdict run_lud(const Context& context) {
  constexpr std::uint32_t tile = 16;
  const std::uint32_t n = by_size(context.size, 96U, 320U, 736U, 256U);
  std::vector<float> matrix = random_reals(context.seed, "lud.matrix", std::size_t{n} * n, -1, 1);
  for (std::uint32_t i = 0; i < n; ++i) matrix[std::size_t{i} * n + i] += static_cast<float>(n);  // no pivoting needed

  Program program(context);
  const DevicePointer device_matrix = program.upload(matrix);
  for (std::uint32_t offset = 0; offset < n; offset += tile) {
    program.launch("lud_diagonal", {{1, 1, 1}, {tile, 1, 1}, 0}, device_matrix, n, offset);
    const std::uint32_t rest = (n - offset) / tile - 1;
    if (rest == 0) break;
    program.launch("lud_perimeter", {{rest, 1, 1}, {2 * tile, 1, 1}, 0}, device_matrix, n, offset);
    program.launch("lud_internal", {{rest, rest, 1}, {tile, tile, 1}, 0}, device_matrix, n, offset);
  }

  // The product of the factors must be the matrix: |A - LU| <= 2n roundings of |L||U| (Higham, Accuracy and Stability
  // of Numerical Algorithms, theorem 9.3, with one more for the products).
  const std::vector<float> factors = program.download<float>(device_matrix, matrix.size());
  std::vector<double> product(matrix.size());
  std::vector<double> magnitude(matrix.size());
  for (std::uint32_t row = 0; row < n; ++row)
    for (std::uint32_t i = 0; i <= row; ++i) {
      const double lower = i == row ? 1.0 : factors[std::size_t{row} * n + i];
      for (std::uint32_t column = i; column < n; ++column) {
        const double term = lower * factors[std::size_t{i} * n + column];
        product[std::size_t{row} * n + column] += term;
        magnitude[std::size_t{row} * n + column] += std::fabs(term);
      }
    }
  return compare_close("A against L * U: A", matrix, product, [&](std::size_t i) {
    return Tolerance{2.0 * n * f32_roundoff * magnitude[i], 0};
  });
}

}  // namespace syncline::workloads
