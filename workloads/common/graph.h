// Directed graphs in compressed sparse rows, and breadth-first search on the CPU.
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

/// Number of edges on the shortest path from `source` to every node; -1 where there is none.
std::vector<std::int32_t> shortest_distances(const CsrGraph& graph, std::uint32_t source);

}  // namespace syncline::workloads
