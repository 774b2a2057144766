#include "workloads/cuda_cuts/reference.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

namespace syncline::workloads::cuda_cuts {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
struct Edge {
  std::int64_t capacity = 0;
  std::int64_t residual = 0;
  Traits::edge_descriptor reverse;
};
struct Vertex {
  boost::default_color_type color = boost::white_color;
  std::int64_t distance = 0;
  Traits::edge_descriptor predecessor;
};
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Vertex, Edge>;

void connect(Graph& graph, std::size_t from, std::size_t to, std::int64_t forth, std::int64_t back) {
  const auto edge = boost::add_edge(from, to, graph).first, opposite = boost::add_edge(to, from, graph).first;
  graph[edge] = {forth, 0, opposite};
  graph[opposite] = {back, 0, edge};
}

}  // namespace

bool Grid::has(std::uint32_t pixel, unsigned direction) const {
  const std::uint32_t x = pixel % width, y = pixel / width;
  return direction == 0 ? x > 0 : direction == 1 ? x + 1 < width : direction == 2 ? y > 0 : y + 1 < height;
}

std::uint32_t Grid::neighbour(std::uint32_t pixel, unsigned direction) const {
  const std::uint32_t step = direction < 2 ? 1 : width;
  return direction % 2 == 0 ? pixel - step : pixel + step;
}

Cut minimum_cut(const Grid& grid) {
  const std::size_t source = grid.pixels(), sink = source + 1;
  Graph graph(sink + 1);
  for (std::uint32_t pixel = 0; pixel < grid.pixels(); ++pixel) {
    connect(graph, source, pixel, grid.from_source[pixel], 0);
    connect(graph, pixel, sink, grid.to_sink[pixel], 0);
    for (const unsigned direction : {1U, 3U}) {
      if (!grid.has(pixel, direction)) continue;
      const std::uint32_t other = grid.neighbour(pixel, direction);
      connect(graph, pixel, other, grid.room[grid.edge(pixel, direction)], grid.room[grid.edge(other, direction - 1)]);
    }
  }
  Cut cut;
  cut.flow = boost::boykov_kolmogorov_max_flow(
      graph, boost::get(&Edge::capacity, graph), boost::get(&Edge::residual, graph), boost::get(&Edge::reverse, graph),
      boost::get(&Vertex::predecessor, graph), boost::get(&Vertex::color, graph), boost::get(&Vertex::distance, graph),
      boost::get(boost::vertex_index, graph), source, sink);

  // Whoever still reaches the sink, found from there against the edges.
  cut.object.assign(grid.pixels(), 1);
  std::vector<std::size_t> reached{sink};
  while (!reached.empty()) {
    const std::size_t to = reached.back();
    reached.pop_back();
    for (const auto edge : boost::make_iterator_range(boost::out_edges(to, graph))) {
      const std::size_t from = boost::target(edge, graph);
      if (from >= source || cut.object[from] == 0 || graph[graph[edge].reverse].residual == 0) continue;
      cut.object[from] = 0;
      reached.push_back(from);
    }
  }
  return cut;
}

}  // namespace syncline::workloads::cuda_cuts
