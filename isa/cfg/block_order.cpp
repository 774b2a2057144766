#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <functional>
#include <queue>

#include "isa/cfg/control_flow_graph.h"

namespace syncline::isa {
namespace {

using LocalGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// Blocks that are to be put in order, without the edges into the head of the loop whose body they are.
struct Part {
  std::vector<std::uint32_t> blocks;  ///< ascending
  std::uint32_t head = no_index;      ///< of the loop; no_index: no loop
};

/// The strongly connected components of a part, in an order in which none comes before one that leads to it; of those
/// that could come next, the one that is first in the text.
std::vector<Part> components(const ControlFlowGraph& graph, const Part& part, std::vector<std::uint32_t>& index) {
  const auto& blocks = graph.blocks();
  LocalGraph local(part.blocks.size());
  for (std::uint32_t n = 0; n < part.blocks.size(); ++n) index[part.blocks[n]] = n;
  const auto for_each_edge = [&](const std::function<void(std::uint32_t, std::uint32_t)>& edge) {
    for (std::uint32_t n = 0; n < part.blocks.size(); ++n)
      for (const std::uint32_t to : blocks[part.blocks[n]].successors)
        if (index[to] != no_index && to != part.head) edge(n, index[to]);
  };
  for_each_edge([&](std::uint32_t from, std::uint32_t to) { add_edge(from, to, local); });
  std::vector<std::uint32_t> component(part.blocks.size());
  const auto count = static_cast<std::uint32_t>(boost::strong_components(
      local, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, local))));

  std::vector<Part> parts(count);
  std::vector<std::vector<std::uint32_t>> successors(count);
  std::vector<std::uint32_t> before(count, 0);
  for (std::uint32_t n = 0; n < part.blocks.size(); ++n) parts[component[n]].blocks.push_back(part.blocks[n]);
  for_each_edge([&](std::uint32_t from, std::uint32_t to) {
    const std::uint32_t a = component[from], b = component[to];
    if (a == b) {
      parts[a].head = parts[a].blocks.front();
      return;
    }
    successors[a].push_back(b);
    ++before[b];
  });
  // A loop begins where one comes into it.
  for (Part& loop : parts) {
    if (loop.head == no_index) continue;
    const auto is_entered = [&](std::uint32_t b) {
      return std::any_of(blocks[b].predecessors.begin(), blocks[b].predecessors.end(), [&](std::uint32_t p) {
        return !std::binary_search(loop.blocks.begin(), loop.blocks.end(), p);
      });
    };
    const auto entry = std::find_if(loop.blocks.begin(), loop.blocks.end(), is_entered);
    if (entry != loop.blocks.end()) loop.head = *entry;
  }
  for (const std::uint32_t b : part.blocks) index[b] = no_index;

  const auto later = [&](std::uint32_t a, std::uint32_t b) {
    return parts[a].blocks.front() > parts[b].blocks.front();
  };
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(later)> open(later);
  for (std::uint32_t c = 0; c < count; ++c)
    if (before[c] == 0) open.push(c);
  std::vector<Part> ordered;
  while (!open.empty()) {
    const std::uint32_t c = open.top();
    open.pop();
    for (const std::uint32_t s : successors[c])
      if (--before[s] == 0) open.push(s);
    ordered.push_back(std::move(parts[c]));
    parts[c].blocks = {0};  // `later` looks at those in the queue only
  }
  return ordered;
}

}  // namespace

std::vector<std::uint32_t> block_order(const ControlFlowGraph& graph) {
  std::vector<std::uint32_t> order, index(graph.size(), no_index);
  Part all;
  for (std::uint32_t b = 0; b < graph.size(); ++b) all.blocks.push_back(b);
  std::vector<Part> todo = components(graph, all, index);
  std::reverse(todo.begin(), todo.end());
  while (!todo.empty()) {
    const Part part = std::move(todo.back());
    todo.pop_back();
    if (part.head == no_index || part.blocks.size() == 1) {
      order.insert(order.end(), part.blocks.begin(), part.blocks.end());
      continue;
    }
    std::vector<Part> inner = components(graph, part, index);
    todo.insert(todo.end(), std::make_move_iterator(inner.rbegin()), std::make_move_iterator(inner.rend()));
  }
  return order;
}

}  // namespace syncline::isa
