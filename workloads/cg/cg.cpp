#include <cmath>
#include <numeric>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

/// The operator of the kernel, written as what each cell gives to its neighbours.
std::vector<double> applied(const std::vector<double>& u, std::size_t side, double shift) {
  std::vector<double> result(u.size());
  for (std::size_t cell = 0; cell < u.size(); ++cell) {
    result[cell] += (6 + shift) * u[cell];
    for (std::size_t stride = 1; stride < u.size(); stride *= side) {
      if (cell / stride % side > 0) result[cell - stride] -= u[cell];
      if (cell / stride % side + 1 < side) result[cell + stride] -= u[cell];
    }
  }
  return result;
}

}  // namespace

Verdict run_cg(const Context& context) {
  constexpr double shift = 1;
  constexpr std::uint32_t most_rounds = 100;
  const std::uint32_t side = by_size(context.size, 8U, 24U, 64U);
  const std::uint32_t cells = side * side * side;
  const std::vector<double> solution = random_reals<double>(context.seed, "cg.solution", cells, -1, 1);
  const std::vector<double> right = applied(solution, side, shift);
  const double square = std::inner_product(right.begin(), right.end(), right.begin(), 0.0);

  Program program(context);
  const DevicePointer u = program.allocate<double>(cells);
  const DevicePointer r = program.upload(right);
  const DevicePointer p = program.upload(right);
  const DevicePointer q = program.allocate<double>(cells);
  const DevicePointer sums = program.upload(std::vector<double>{0, square, 0});
  const Launch launch = covering(cells, 128);
  double left = square;
  for (std::uint32_t round = 0; round < most_rounds && left > 1e-20 * square; ++round) {
    program.launch("cg_apply", launch, p, q, sums, side, shift, round);
    program.launch("cg_advance", launch, u, r, p, q, sums, cells, round);
    program.launch("cg_turn", launch, p, r, sums, cells, round);
    left = program.read<double>(sums + (1 + (round + 1) % 2) * sizeof(double));
  }
  // The least eigenvalue is above `shift`, so no element is off by more than the residual divided by it. That is at
  // most 1e-10 of the right side's norm by its recurrence; the rounding of its true value stays far below nine times
  // that.
  return compare_close("u", program.download<double>(u, cells), solution, {1e-9 * std::sqrt(square) / shift, 0});
}

}  // namespace syncline::workloads
