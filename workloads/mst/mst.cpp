#include <algorithm>
#include <numeric>

#include "workloads/common/compare.h"
#include "workloads/common/graph.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

/// Kruskal's algorithm: for each road whether the forest has it.
std::vector<std::uint32_t> spanning_forest(std::uint32_t nodes, const std::vector<Road>& roads) {
  std::vector<std::uint32_t> by_length(roads.size());
  std::iota(by_length.begin(), by_length.end(), 0U);
  std::stable_sort(by_length.begin(), by_length.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return roads[a].length < roads[b].length; });
  std::vector<std::uint32_t> leader(nodes);
  std::iota(leader.begin(), leader.end(), 0U);
  const auto find = [&](std::uint32_t node) {
    while (leader[node] != node) node = leader[node] = leader[leader[node]];
    return node;
  };
  std::vector<std::uint32_t> chosen(roads.size());
  for (const std::uint32_t number : by_length) {
    const std::uint32_t from = find(roads[number].from);
    const std::uint32_t to = find(roads[number].to);
    chosen[number] = from == to ? 0 : 1;
    leader[from] = to;
  }
  return chosen;
}

}  // namespace

Verdict run_mst(const Context& context) {
  const std::uint32_t side = by_size(context.size, 40U, 220U, 700U);
  const std::uint32_t nodes = side * side;
  const std::vector<Road> map = road_map(context.seed, "mst.roads", side, side);
  const auto count = static_cast<std::uint32_t>(map.size());
  std::vector<std::uint32_t> alone(nodes);
  std::iota(alone.begin(), alone.end(), 0U);

  Program program(context);
  const DevicePointer roads = program.upload(map);
  const DevicePointer component = program.upload(alone);
  const DevicePointer parent = program.upload(alone);
  const DevicePointer shortest = program.upload(std::vector<std::uint64_t>(nodes, ~std::uint64_t{0}));
  const DevicePointer chosen = program.allocate<std::uint32_t>(count);
  const DevicePointer more = program.allocate<std::uint32_t>(1);
  do {
    program.write(more, 0U);
    program.launch("mst_find", covering(count, 256), roads, component, shortest, count);
    program.launch("mst_join", covering(nodes, 256), roads, component, shortest, parent, chosen, more, nodes);
    program.launch("mst_flatten", covering(nodes, 256), parent, component, shortest, nodes);
  } while (program.read<std::uint32_t>(more) != 0);

  return compare_exact("road of the forest", program.download<std::uint32_t>(chosen, count),
                       spanning_forest(nodes, map));
}

}  // namespace syncline::workloads
