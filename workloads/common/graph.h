// Directed graphs in compressed sparse rows, breadth-first search on the CPU, and maps of roads.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace syncline::workloads {

/// The neighbours of node v are neighbours[row_start[v]] .. neighbours[row_start[v + 1] - 1].
struct CsrGraph {
  std::vector<std::uint32_t> row_start;
  std::vector<std::uint32_t> neighbours;
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(row_start.size() - 1); }
};

/// Every node gets between 1 and `most_edges` edges to nodes drawn uniformly.
CsrGraph random_graph(std::uint64_t seed, std::string_view stream, std::uint32_t nodes, std::uint32_t most_edges);

/// A road between two places, drivable both ways.
struct Road {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t length;  ///< 1 to 1000
};
/// Crossings in `rows` rows of `columns`, each with a road to its right and to its lower neighbour for seven of eight
/// such pairs, and a long road to anywhere from one of 64. There may be parts that no road leads to.
std::vector<Road> road_map(std::uint64_t seed, std::string_view stream, std::uint32_t rows, std::uint32_t columns);

/// The same roads as a graph with an edge each way, and the length of each of its edges.
struct RoadGraph {
  CsrGraph graph;
  std::vector<std::uint32_t> lengths;
};
RoadGraph both_ways(std::uint32_t nodes, const std::vector<Road>& roads);

/// Number of edges on the shortest path from `source` to every node; -1 where there is none.
std::vector<std::int32_t> shortest_distances(const CsrGraph& graph, std::uint32_t source);

}  // namespace syncline::workloads
