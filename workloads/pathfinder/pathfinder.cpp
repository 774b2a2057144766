#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

/// The cheapest ways to the cells of the last row.
std::vector<std::uint32_t> cheapest_ways(const std::vector<std::uint32_t>& costs, std::size_t columns) {
  std::vector<std::uint32_t> ways(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(columns));
  for (std::size_t row = columns; row < costs.size(); row += columns) {
    const std::vector<std::uint32_t> above = ways;
    for (std::size_t column = 0; column < columns; ++column) {
      const auto first = above.begin() + static_cast<std::ptrdiff_t>(column == 0 ? 0 : column - 1);
      const auto end = above.begin() + static_cast<std::ptrdiff_t>(std::min(column + 2, columns));
      ways[column] = costs[row + column] + *std::min_element(first, end);
    }
  }
  return ways;
}

}  // namespace

Verdict run_pathfinder(const Context& context) {
  constexpr std::uint32_t cta = 128;  // as the kernel has it
  constexpr std::uint32_t rows_a_launch = 20;
  const std::uint32_t columns = by_size(context.size, 1'200U, 20'000U, 100'000U);
  const std::uint32_t rows = by_size(context.size, 70U, 250U, 500U);
  const std::vector<std::uint32_t> costs =
      random_integers<std::uint32_t>(context.seed, "pathfinder.costs", std::size_t{columns} * rows, 10);

  Program program(context);
  const DevicePointer device_costs = program.upload(costs);
  DevicePointer before =
      program.upload(std::vector<std::uint32_t>(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(columns)));
  DevicePointer after = program.allocate<std::uint32_t>(columns);
  for (std::uint32_t row = 1; row < rows; row += rows_a_launch) {
    const std::uint32_t now = std::min(rows_a_launch, rows - row);
    program.launch("pathfinder", {{cta_count(columns, cta - 2 * now), 1, 1}, {cta, 1, 1}, 0}, device_costs, before,
                   after, columns, row, now);
    std::swap(before, after);
  }
  return compare_exact("cheapest way", program.download<std::uint32_t>(before, columns), cheapest_ways(costs, columns));
}

}  // namespace syncline::workloads
