#include "workloads/common/compare.h"
#include "workloads/common/graph.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

Verdict run(const Context& context, std::string_view expand, std::string_view advance) {
  const std::uint32_t nodes = by_size(context.size, 2'000U, 60'000U, 600'000U, 65'536U);
  const CsrGraph graph = random_graph(context.seed, "bfs.graph", nodes, 11);
  constexpr std::uint32_t source = 0;
  std::vector<std::uint32_t> flags(nodes);
  flags[source] = 1;
  std::vector<std::int32_t> start(nodes, -1);
  start[source] = 0;

  Program program(context);
  const DevicePointer row_start = program.upload(graph.row_start);
  const DevicePointer neighbours = program.upload(graph.neighbours);
  const DevicePointer frontier = program.upload(flags);
  const DevicePointer visited = program.upload(flags);
  const DevicePointer discovered = program.allocate<std::uint32_t>(nodes);
  const DevicePointer cost = program.upload(start);
  const DevicePointer more = program.allocate<std::uint32_t>(1);
  const Launch launch = covering(nodes, 256);
  do {
    program.write(more, 0U);
    program.launch(expand, launch, row_start, neighbours, frontier, visited, discovered, cost, nodes);
    program.launch(advance, launch, frontier, visited, discovered, more, nodes);
  } while (program.read<std::uint32_t>(more) != 0);

  return compare_exact("cost", program.download<std::int32_t>(cost, nodes), shortest_distances(graph, source));
}

}  // namespace

Verdict run_bfs(const Context& context) {
  return run(context, "bfs_expand", "bfs_advance");
}
Verdict run_bfs_plain(const Context& context) {
  return run(context, "bfs_expand_plain", "bfs_advance_plain");
}

}  // namespace syncline::workloads
