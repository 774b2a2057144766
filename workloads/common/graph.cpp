#include "workloads/common/graph.h"

#include <deque>

#include "base/random.h"

namespace syncline::workloads {

CsrGraph random_graph(std::uint64_t seed, std::string_view stream, std::uint32_t nodes, std::uint32_t most_edges) {
  base::Random random(seed, stream);
  CsrGraph graph;
  graph.row_start.push_back(0);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const std::uint32_t edges = 1 + random.below(most_edges);
    for (std::uint32_t edge = 0; edge < edges; ++edge) graph.neighbours.push_back(random.below(nodes));
    graph.row_start.push_back(static_cast<std::uint32_t>(graph.neighbours.size()));
  }
  return graph;
}

std::vector<Road> road_map(std::uint64_t seed, std::string_view stream, std::uint32_t rows, std::uint32_t columns) {
  base::Random random(seed, stream);
  std::vector<Road> roads;
  const auto build = [&](std::uint32_t from, std::uint32_t to) { roads.push_back({from, to, 1 + random.below(1000)}); };
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t column = 0; column < columns; ++column) {
      const std::uint32_t here = row * columns + column;
      if (column + 1 < columns && random.below(8) != 0) build(here, here + 1);
      if (row + 1 < rows && random.below(8) != 0) build(here, here + columns);
      if (const std::uint32_t there = random.below(rows * columns); random.below(64) == 0 && there != here)
        build(here, there);
    }
  return roads;
}

RoadGraph both_ways(std::uint32_t nodes, const std::vector<Road>& roads) {
  RoadGraph result;
  std::vector<std::uint32_t>& start = result.graph.row_start;
  start.resize(nodes + 1);
  for (const Road& road : roads) ++start[road.from + 1], ++start[road.to + 1];
  for (std::uint32_t node = 0; node < nodes; ++node) start[node + 1] += start[node];
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
  result.graph.neighbours.resize(start.back());
  result.lengths.resize(start.back());
  const auto enter = [&](std::uint32_t from, std::uint32_t to, std::uint32_t length) {
    const std::uint32_t edge = next[from]++;
    result.graph.neighbours[edge] = to;
    result.lengths[edge] = length;
  };
  for (const Road& road : roads) {
    enter(road.from, road.to, road.length);
    enter(road.to, road.from, road.length);
  }
  return result;
}

std::vector<std::int32_t> shortest_distances(const CsrGraph& graph, std::uint32_t source) {
  std::vector<std::int32_t> distance(graph.nodes(), -1);
  std::deque<std::uint32_t> queue{source};
  distance[source] = 0;
  while (!queue.empty()) {
    const std::uint32_t node = queue.front();
    queue.pop_front();
    for (std::uint32_t edge = graph.row_start[node]; edge < graph.row_start[node + 1]; ++edge) {
      const std::uint32_t other = graph.neighbours[edge];
      if (distance[other] >= 0) continue;
      distance[other] = distance[node] + 1;
      queue.push_back(other);
    }
  }
  return distance;
}

}  // namespace syncline::workloads
