// The host side of both variants: they differ in the kernel and in how many rows a thread's index places.
#include <cmath>

#include "workloads/common/compare.h"
#include "workloads/common/program.h"
#include "workloads/nqueens/reference.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

Verdict count_on_device(const Context& context, const char* kernel, std::uint32_t n, std::uint32_t threads) {
  Program program(context);
  const DevicePointer solutions = program.allocate<std::uint64_t>(1);
  program.launch(kernel, covering(threads, 64), n, solutions);
  return compare_exact<std::uint64_t>("solutions for " + std::to_string(n) + " queens",
                                      {program.read<std::uint64_t>(solutions)}, {count_queens(n)});
}

}  // namespace

std::uint64_t count_queens(std::uint32_t n) {
  std::vector<std::uint32_t> columns;  // of the queens placed so far, row by row
  std::uint64_t found = 0;
  const auto fits = [&](std::uint32_t column) {
    for (std::size_t row = 0; row < columns.size(); ++row) {
      const auto distance = static_cast<std::uint32_t>(columns.size() - row);
      if (columns[row] == column || columns[row] + distance == column || column + distance == columns[row])
        return false;
    }
    return true;
  };
  std::uint32_t next = 0;
  while (true) {
    while (next < n && !fits(next)) ++next;
    if (next < n && columns.size() + 1 < n) {
      columns.push_back(next);
      next = 0;
      continue;
    }
    if (next < n) {
      ++found;
      ++next;
      continue;
    }
    if (columns.empty()) return found;
    next = columns.back() + 1;
    columns.pop_back();
  }
}

Verdict run_nqueens(const Context& context) {
  const std::uint32_t n = by_size(context.size, 8U, 11U, 12U);
  return count_on_device(context, "nqueens", n, n * n * n);
}

Verdict run_nqueens_recursive(const Context& context) {
  const std::uint32_t n = by_size(context.size, 8U, 11U, 12U);
  return count_on_device(context, "nqueens_recursive", n, n * n);
}

}  // namespace syncline::workloads
