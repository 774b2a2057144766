#include <queue>
#include <utility>

#include "workloads/common/compare.h"
#include "workloads/common/graph.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr std::uint32_t unreached = 0x7fffffff;

/// Dijkstra's algorithm.
std::vector<std::uint32_t> shortest_lengths(const RoadGraph& map, std::uint32_t source) {
  std::vector<std::uint32_t> length(map.graph.nodes(), unreached);
  using Reached = std::pair<std::uint32_t, std::uint32_t>;  // length, node
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  open.emplace(length[source] = 0, source);
  while (!open.empty()) {
    const auto [so_far, node] = open.top();
    open.pop();
    if (so_far > length[node]) continue;
    for (std::uint32_t edge = map.graph.row_start[node]; edge < map.graph.row_start[node + 1]; ++edge) {
      const std::uint32_t other = map.graph.neighbours[edge];
      if (so_far + map.lengths[edge] >= length[other]) continue;
      open.emplace(length[other] = so_far + map.lengths[edge], other);
    }
  }
  return length;
}

}  // namespace

Verdict run_sssp(const Context& context) {
  const std::uint32_t side = by_size(context.size, 28U, 160U, 500U);
  const std::uint32_t nodes = side * side;
  const std::uint32_t source = nodes / 2 + side / 2;
  const RoadGraph map = both_ways(nodes, road_map(context.seed, "sssp.roads", side, side));
  std::vector<std::uint32_t> at_first(nodes, unreached);
  at_first[source] = 0;
  std::vector<std::uint32_t> only_source(nodes);
  only_source[source] = 1;

  Program program(context);
  const DevicePointer row_start = program.upload(map.graph.row_start);
  const DevicePointer neighbours = program.upload(map.graph.neighbours);
  const DevicePointer lengths = program.upload(map.lengths);
  DevicePointer nearer = program.upload(only_source);
  DevicePointer nearer_next = program.allocate<std::uint32_t>(nodes);
  const DevicePointer distance = program.upload(at_first);
  const DevicePointer more = program.allocate<std::uint32_t>(1);
  do {
    program.write(more, 0U);
    program.launch("sssp_relax", covering(nodes, 256), row_start, neighbours, lengths, nearer, nearer_next, distance,
                   more, nodes);
    std::swap(nearer, nearer_next);
  } while (program.read<std::uint32_t>(more) != 0);

  return compare_exact("distance", program.download<std::uint32_t>(distance, nodes), shortest_lengths(map, source));
}

}  // namespace syncline::workloads
