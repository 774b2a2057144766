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
