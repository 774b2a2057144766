// A graph that must have no cycle, kept in a topological order while edges come one by one.
//
// Nodes stand in a list. An edge that runs forward in it costs nothing; one that runs backward, from x to y, has the
// ancestors of x behind y searched and moved in front of y, or is refused because y is among them. That is the half of
// Pearce and Kelly's algorithm (A Dynamic Topological Sort Algorithm for Directed Acyclic Graphs, JEA 2007) that looks
// at ancestors: here the x of such an edge is mostly the newest node, which has few ancestors and no descendants.
//
// A node may be an access to many places, bytes of a line; an edge that is there because of some of them goes on from
// its node only by edges of the same places, or by edges that are there for the whole node. Nodes begin whole, which
// makes more paths than there are: where one of these closes a cycle, the node on it whose edges have no place in
// common is split.
//
// The first node of the list has no predecessors left. It may be forgotten: whoever found no cycle through it so far
// finds one only if an edge to it comes later, and such edges are told (Insertion::forgotten).
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

#include "base/line_data.h"

namespace syncline::consistency {

/// Why one access comes before another.
enum class OrderReason : std::uint8_t {
  program_order,
  reads_from,
  coherence_order,
  from_reads,
  fence,
  synchronization  ///< barriers; under wo never an edge: they, releases and acquires (Synchronization)
};
const char* name(OrderReason reason);
/// Whether an edge concerns bytes that both nodes have in common, not the whole nodes.
constexpr bool is_of_bytes(OrderReason reason) {
  return reason == OrderReason::reads_from || reason == OrderReason::coherence_order ||
         reason == OrderReason::from_reads;
}

class DynamicOrder {
 public:
  /// A node, also after it has been forgotten.
  struct Node {
    std::uint32_t slot = ~0U;
    std::uint32_t life = 0;
    friend bool operator==(Node a, Node b) { return a.slot == b.slot && a.life == b.life; }
    friend bool operator!=(Node a, Node b) { return !(a == b); }
  };
  /// One edge of a path.
  struct Hop {
    Node from;
    OrderReason reason;
    base::ByteMask bytes{};  ///< is_of_bytes(reason): those that the edge is about
  };
  enum class Insertion : std::uint8_t {
    done,
    forgotten,  ///< the node that the edge leads to is no longer known
    cycle       ///< not inserted; `cycle()` tells
  };

  /// A node behind all others. `slot`s are reused: tables of what a node is may be indexed by them.
  Node add();
  /// `from` comes before `to`. A forgotten `from` comes before everything anyway. `bytes`: as in Hop.
  Insertion insert(Node from, Node to, OrderReason reason, const base::ByteMask& bytes = {});
  /// The edges of the cycle that the refused edge would have closed, in order, that edge last.
  const std::vector<Hop>& cycle() const { return cycle_; }
  /// A node on the refused cycle that the cycle cannot pass, and the bytes with which it is reached.
  struct Cut {
    Node node;  ///< unknown: there is none, the cycle is real
    base::ByteMask reached;
  };
  Cut cut() const;
  /// `node` keeps the edges of `bytes`; the new node gets those of its others. Both have those of the whole node.
  Node split(Node node, const base::ByteMask& bytes);

  bool knows(Node node) const { return node.slot < slots_.size() && slots_[node.slot].life == node.life; }
  Node first() const { return node_at(slots_.empty() ? none : head_); }
  /// Forgets the first node.
  void forget_first();

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return slots_.size(); }  ///< slots in use at the most so far
  std::uint64_t moved() const { return moved_; }          ///< nodes that edges against the order have moved

 private:
  static constexpr std::uint32_t none = ~0U;
  struct Edge {
    Node from;
    OrderReason reason;
    base::ByteMask bytes;
  };
  struct Slot {
    std::uint64_t place = 0;  ///< ascends along the list
    std::uint32_t life = 0, previous = none, next = none;
    std::uint32_t seen = 0;     ///< number of the search that met it last
    std::uint32_t towards = 0;  ///< in that search: the slot that it leads to
    const Edge* by = nullptr;   ///< and how
    boost::container::small_vector<Edge, 3> in;
  };

  Node node_at(std::uint32_t slot) const { return slot == none ? Node{} : Node{slot, slots_[slot].life}; }
  static void add_edge(Slot& target, const Edge& edge);
  bool reaches(std::uint32_t goal, std::uint32_t from);
  void move_before(std::uint32_t slot);
  void unlink(std::uint32_t slot);
  void link_before(std::uint32_t slot, std::uint32_t next);
  void spread();

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_, found_, stack_;
  std::uint32_t head_ = none, tail_ = none;
  std::uint32_t search_ = 0;
  std::size_t size_ = 0;
  std::uint64_t moved_ = 0;
  std::vector<Hop> cycle_;
};

}  // namespace syncline::consistency
