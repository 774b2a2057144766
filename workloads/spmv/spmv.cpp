#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

struct CsrMatrix {
  std::vector<std::uint32_t> row_start;
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
};

/// Rows of uneven length: one in sixteen is long, some are empty.
CsrMatrix random_matrix(std::uint64_t seed, std::uint32_t rows) {
  base::Random random(seed, "spmv.matrix");
  CsrMatrix matrix;
  matrix.row_start.push_back(0);
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint32_t length = random.below(16) == 0 ? 32 + random.below(64) : random.below(20);
    for (std::uint32_t i = 0; i < length; ++i) {
      matrix.columns.push_back(random.below(rows));
      matrix.values.push_back(2 * random.unit() - 1);
    }
    std::sort(matrix.columns.end() - length, matrix.columns.end());
    matrix.row_start.push_back(static_cast<std::uint32_t>(matrix.columns.size()));
  }
  return matrix;
}

}  // namespace

Verdict run_spmv(const Context& context) {
  const std::uint32_t rows = by_size(context.size, 800U, 25'000U, 300'000U);
  const CsrMatrix matrix = random_matrix(context.seed, rows);
  const std::vector<double> x = random_reals<double>(context.seed, "spmv.x", rows, -1, 1);

  // The reference sums in long double; where that is no wider than double, it shares the bound.
  std::vector<double> expected(rows);
  std::vector<double> bound(rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    long double sum = 0;
    double magnitude = 0;
    for (std::uint32_t i = matrix.row_start[row]; i < matrix.row_start[row + 1]; ++i) {
      const long double product = static_cast<long double>(matrix.values[i]) * x[matrix.columns[i]];
      sum += product;
      magnitude += std::fabs(static_cast<double>(product));
    }
    expected[row] = static_cast<double>(sum);
    const double terms =
        2.0 * (matrix.row_start[row + 1] - matrix.row_start[row] + 6);  // five shuffles more; both sides round
    bound[row] = terms * f64_roundoff * magnitude;
  }

  Program program(context);
  const DevicePointer row_start = program.upload(matrix.row_start);
  const DevicePointer columns = program.upload(matrix.columns);
  const DevicePointer values = program.upload(matrix.values);
  const DevicePointer device_x = program.upload(x);
  const auto multiply = [&](const char* kernel, std::uint64_t threads) {
    const DevicePointer y = program.allocate<double>(rows);
    program.launch(kernel, covering(threads, 128), rows, row_start, columns, values, device_x, y);
    return compare_close(kernel, program.download<double>(y, rows), expected, [&](std::size_t row) {
      return Tolerance{bound[row], 0};
    });
  };
  const Verdict scalar = multiply("spmv_scalar", rows);
  return all_of({scalar, multiply("spmv_vector", std::uint64_t{rows} * 32)});
}

}  // namespace syncline::workloads
