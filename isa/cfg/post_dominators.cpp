#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>

#include "isa/cfg/control_flow_graph.h"

namespace syncline::isa {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

/// Adds to `reached` the blocks from which some block of `ends` can be reached.
void reach_back(const ControlFlowGraph& graph, std::vector<std::uint32_t> ends, std::vector<bool>& reached) {
  for (const std::uint32_t b : ends) reached[b] = true;
  while (!ends.empty()) {
    const std::uint32_t b = ends.back();
    ends.pop_back();
    for (const std::uint32_t p : graph.blocks()[b].predecessors)
      if (!reached[p]) {
        reached[p] = true;
        ends.push_back(p);
      }
  }
}

/// Where threads end when nothing special happens: every ret of a function (its callers wait for all of them); of a
/// kernel only the last ret, or the last exit when it has no ret.
std::vector<std::uint32_t> regular_ends(const ControlFlowGraph& graph, const Function& function) {
  std::vector<std::uint32_t> ends, kills;
  for (std::uint32_t b = 0; b < graph.size(); ++b) {
    if (graph.blocks()[b].returns) ends.push_back(b);
    if (graph.blocks()[b].kills) kills.push_back(b);
  }
  if (ends.empty()) ends = kills;
  if (function.is_entry && ends.size() > 1) ends = {ends.back()};
  return ends;
}

}  // namespace

std::vector<std::uint32_t> immediate_post_dominators(const ControlFlowGraph& graph, const Function& function) {
  const auto count = static_cast<std::uint32_t>(graph.size());
  const std::uint32_t end = count;  // the virtual end
  const std::vector<std::uint32_t> ends = regular_ends(graph, function);
  std::vector<bool> joins(count, false);
  reach_back(graph, ends, joins);

  // Edges reversed, from the virtual end backwards: dominators of this graph are post-dominators of the function.
  Graph reverse(count + 1);
  for (const std::uint32_t b : ends) add_edge(end, b, reverse);
  for (std::uint32_t b = 0; b < count; ++b) {
    const BasicBlock& block = graph.blocks()[b];
    for (const std::uint32_t s : block.successors)
      if (!joins[b] || joins[s]) add_edge(s, b, reverse);
    if (!joins[b] && (block.returns || block.kills)) add_edge(end, b, reverse);
  }
  // Blocks that never end (endless loops) hang on the virtual end by their last block.
  std::vector<std::uint32_t> loose_ends;
  for (std::uint32_t b = 0; b < count; ++b)
    if (graph.blocks()[b].returns || graph.blocks()[b].kills) loose_ends.push_back(b);
  std::vector<bool> tied(count, false);
  reach_back(graph, loose_ends, tied);
  for (std::uint32_t b = count; b-- > 0;)
    if (!tied[b]) {
      add_edge(end, b, reverse);
      reach_back(graph, {b}, tied);
    }

  std::vector<Graph::vertex_descriptor> parent(count + 1, Graph::null_vertex());
  auto dominators = boost::make_iterator_property_map(parent.begin(), get(boost::vertex_index, reverse));
  boost::lengauer_tarjan_dominator_tree(reverse, vertex(end, reverse), dominators);

  std::vector<std::uint32_t> result(count, no_index);
  for (std::uint32_t b = 0; b < count; ++b)
    if (parent[b] != Graph::null_vertex() && parent[b] != end) result[b] = static_cast<std::uint32_t>(parent[b]);
  return result;
}

}  // namespace syncline::isa
