#include "consistency/online/dynamic_order.h"

#include <algorithm>
#include <iterator>

namespace syncline::consistency {
namespace {
constexpr std::uint64_t gap = std::uint64_t{1} << 24U;  ///< between the places of nodes that nobody has moved
}  // namespace

const char* name(OrderReason reason) {
  static constexpr const char* names[] = {"program order", "reads-from", "coherence order",
                                          "from-reads",    "fence",      "synchronization"};
  static_assert(std::size(names) == static_cast<std::size_t>(OrderReason::synchronization) + 1);
  return names[static_cast<std::size_t>(reason)];
}

DynamicOrder::Node DynamicOrder::add() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  Slot& s = slots_[slot];
  ++s.life;
  s.previous = tail_;
  s.next = none;
  s.place = tail_ == none ? gap : slots_[tail_].place + gap;
  (tail_ == none ? head_ : slots_[tail_].next) = slot;
  tail_ = slot;
  ++size_;
  return node_at(slot);
}

DynamicOrder::Insertion DynamicOrder::insert(Node from, Node to, OrderReason reason, const base::ByteMask& bytes) {
  if (!knows(to)) return Insertion::forgotten;
  if (!knows(from)) return Insertion::done;
  Slot& target = slots_[to.slot];
  if (from == to || target.place <= slots_[from.slot].place) {
    if (reaches(to.slot, from.slot)) {
      cycle_.clear();
      for (std::uint32_t at = to.slot; at != from.slot; at = slots_[at].towards)
        cycle_.push_back({node_at(at), slots_[at].by->reason, slots_[at].by->bytes});
      cycle_.push_back({from, reason, bytes});
      return Insertion::cycle;
    }
    move_before(to.slot);
  }
  add_edge(target, {from, reason, bytes});
  return Insertion::done;
}

/// One edge between two nodes is enough where it is of the whole nodes.
void DynamicOrder::add_edge(Slot& target, const Edge& edge) {
  if (!target.in.empty() && target.in.back().from == edge.from) {
    Edge& last = target.in.back();
    if (!is_of_bytes(last.reason)) return;
    if (last.reason == edge.reason) {
      last.bytes |= edge.bytes;
      return;
    }
  }
  target.in.push_back(edge);
}

/// Follows the cycle from an edge of whole nodes on, or from anywhere, and narrows the bytes with which it arrives.
DynamicOrder::Cut DynamicOrder::cut() const {
  std::size_t first = 0;
  while (first < cycle_.size() && is_of_bytes(cycle_[first].reason)) ++first;
  const bool around = first == cycle_.size();  // at one place all the way
  base::ByteMask reached;
  bool whole = true;
  for (std::size_t i = 0; i < cycle_.size(); ++i) {
    const Hop& hop = cycle_[(around ? i : first + i) % cycle_.size()];
    if (!is_of_bytes(hop.reason)) {
      whole = true;
      continue;
    }
    const base::ByteMask goes_on = whole ? hop.bytes : hop.bytes & reached;
    if (goes_on.empty()) return {hop.from, reached};
    reached = goes_on;
    whole = false;
  }
  return {};
}

DynamicOrder::Node DynamicOrder::split(Node node, const base::ByteMask& bytes) {
  const Node other = add();
  found_.assign(1, other.slot);
  move_before(node.slot);
  boost::container::small_vector<Edge, 3> in;
  in.swap(slots_[node.slot].in);
  const auto part = [&bytes](Edge edge, bool is_first) {
    if (is_of_bytes(edge.reason)) edge.bytes = is_first ? edge.bytes & bytes : edge.bytes - bytes;
    return edge;
  };
  const auto exists = [](const Edge& edge) { return !is_of_bytes(edge.reason) || !edge.bytes.empty(); };
  for (const Edge& edge : in) {
    if (exists(part(edge, true))) slots_[node.slot].in.push_back(part(edge, true));
    if (exists(part(edge, false))) slots_[other.slot].in.push_back(part(edge, false));
  }
  for (std::uint32_t at = slots_[node.slot].next; at != none; at = slots_[at].next) {
    Slot& target = slots_[at];
    for (std::size_t i = target.in.size(); i-- > 0;) {
      if (target.in[i].from != node) continue;
      const Edge mine = part(target.in[i], true);
      Edge others = part(target.in[i], false);
      others.from = other;
      if (exists(mine))
        target.in[i] = mine;
      else
        target.in.erase(target.in.begin() + static_cast<std::ptrdiff_t>(i));
      if (exists(others)) target.in.push_back(others);
    }
  }
  return other;
}

/// Whether a path leads from `goal` to `from`. If not, `found_` holds `from` and its ancestors behind `goal`.
bool DynamicOrder::reaches(std::uint32_t goal, std::uint32_t from) {
  ++search_;
  found_.clear();
  if (goal == from) return true;
  const std::uint64_t bound = slots_[goal].place;
  stack_.assign(1, from);
  slots_[from].seen = search_;
  while (!stack_.empty()) {
    const std::uint32_t at = stack_.back();
    stack_.pop_back();
    found_.push_back(at);
    auto& in = slots_[at].in;
    in.erase(std::remove_if(in.begin(), in.end(), [this](const Edge& edge) { return !knows(edge.from); }), in.end());
    for (const Edge& edge : in) {
      Slot& before = slots_[edge.from.slot];
      if (before.place < bound || before.seen == search_) continue;
      before.seen = search_;
      before.towards = at;
      before.by = &edge;
      if (edge.from.slot == goal) return true;
      stack_.push_back(edge.from.slot);
    }
  }
  return false;
}

/// Puts `found_` in front of `slot`, in the order that it has.
void DynamicOrder::move_before(std::uint32_t slot) {
  std::sort(found_.begin(), found_.end(),
            [this](std::uint32_t a, std::uint32_t b) { return slots_[a].place < slots_[b].place; });
  moved_ += found_.size();
  const std::uint32_t before = slots_[slot].previous;
  std::uint64_t place = before == none ? 0 : slots_[before].place;
  const std::uint64_t step = (slots_[slot].place - place) / (found_.size() + 1);
  for (const std::uint32_t moving : found_) {
    unlink(moving);
    link_before(moving, slot);
    slots_[moving].place = place += step;
  }
  if (step == 0) spread();
}

void DynamicOrder::unlink(std::uint32_t slot) {
  const Slot& s = slots_[slot];
  (s.previous == none ? head_ : slots_[s.previous].next) = s.next;
  (s.next == none ? tail_ : slots_[s.next].previous) = s.previous;
}

void DynamicOrder::link_before(std::uint32_t slot, std::uint32_t next) {
  const std::uint32_t previous = slots_[next].previous;
  slots_[slot].previous = previous;
  slots_[slot].next = next;
  (previous == none ? head_ : slots_[previous].next) = slot;
  slots_[next].previous = slot;
}

/// Gives every node a place of its own again.
void DynamicOrder::spread() {
  std::uint64_t place = 0;
  for (std::uint32_t at = head_; at != none; at = slots_[at].next) slots_[at].place = place += gap;
}

void DynamicOrder::forget_first() {
  const std::uint32_t slot = head_;
  unlink(slot);
  ++slots_[slot].life;
  slots_[slot].in.clear();
  free_.push_back(slot);
  --size_;
}

}  // namespace syncline::consistency
