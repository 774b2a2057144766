#include <fmt/format.h>

#include "workloads/common/compare.h"
#include "workloads/common/graph.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

/// What holds in every interleaving, and on memory that reorders: only a node's own thread lowers its flag, just before
/// it visits the node, and a node that was visited when a launch began is never written in it. So exactly the
/// reachable nodes are visited, the source keeps cost 0, and each cost was counted up along visits, of which a node
/// makes at most two. Nothing makes a cost the shortest distance; how many are is told, not checked.
Verdict check(const std::vector<std::int32_t>& cost, const std::vector<std::uint32_t>& visited,
              const std::vector<std::int32_t>& distance) {
  const auto longest = static_cast<std::int32_t>(2 * cost.size());
  std::size_t reached = 0;
  std::size_t shortest = 0;
  for (std::size_t node = 0; node < cost.size(); ++node) {
    const bool reachable = distance[node] >= 0;
    if ((visited[node] != 0) != reachable)
      return {false, fmt::format("visited[{}] is {} but the node is {}", node, visited[node],
                                 reachable ? "reachable" : "not reachable")};
    const bool possible = !reachable ? cost[node] == -1 : distance[node] == 0 ? cost[node] == 0 : cost[node] >= 0;
    if (!possible || cost[node] > longest)
      return {false, fmt::format("cost[{}] is {}, which no interleaving gives (shortest distance {})", node, cost[node],
                                 distance[node])};
    reached += reachable;
    shortest += reachable && cost[node] == distance[node];
  }
  return {true, fmt::format("visited exactly the {} reachable nodes; {} costs are not the shortest (the races)",
                            reached, reached - shortest)};
}

}  // namespace

Verdict run_bfs_racy(const Context& context) {
  const std::uint32_t nodes = by_size(context.size, 4'096U, 65'536U, 600'000U, 65'536U);
  // On gtx480 some CTAs wait for a slot in each size: with all of them resident, no flag is read late enough to differ.
  const std::uint32_t threads = by_size(context.size, 32U, 256U, 256U, 256U);
  const CsrGraph graph = random_graph(context.seed, "bfs_racy.graph", nodes, 11);
  constexpr std::uint32_t source = 0;
  std::vector<std::uint32_t> flags(nodes);
  flags[source] = 1;
  std::vector<std::int32_t> start(nodes, -1);
  start[source] = 0;

  Program program(context);
  const DevicePointer row_start = program.upload(graph.row_start);
  const DevicePointer neighbours = program.upload(graph.neighbours);
  const DevicePointer active = program.upload(flags);
  const DevicePointer visited = program.upload(flags);
  const DevicePointer cost = program.upload(start);
  const DevicePointer over = program.allocate<std::uint32_t>(1);
  do {
    program.write(over, 0U);
    program.launch("bfs_racy", covering(nodes, threads), row_start, neighbours, active, visited, cost, over, nodes);
  } while (program.read<std::uint32_t>(over) != 0);

  return check(program.download<std::int32_t>(cost, nodes), program.download<std::uint32_t>(visited, nodes),
               shortest_distances(graph, source));
}

}  // namespace syncline::workloads
