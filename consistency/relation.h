// Relations over the events of one execution, as small dense bit matrices.
#pragma once

#include <array>
#include <cstdint>

namespace syncline::consistency {

/// A set of events by number.
using EventSet = std::uint64_t;

constexpr EventSet event_bit(unsigned event) {
  return EventSet{1} << event;
}

/// Calls `body(event)` for each member, in ascending order.
template <class Body>
void for_each_event(EventSet set, Body&& body) {
  for (; set != 0; set &= set - 1) body(static_cast<unsigned>(__builtin_ctzll(set)));
}

/// A binary relation over at most `capacity` events. The operators are those of the literature: `|` union, `&`
/// intersection, `-` difference, `then` composition.
class Relation {
 public:
  static constexpr unsigned capacity = 64;

  explicit Relation(unsigned events = 0) : size_(events) {}

  unsigned size() const { return size_; }
  bool at(unsigned from, unsigned to) const { return (rows_[from] & event_bit(to)) != 0; }
  void add(unsigned from, unsigned to) { rows_[from] |= event_bit(to); }
  void remove(unsigned from, unsigned to) { rows_[from] &= ~event_bit(to); }
  EventSet successors(unsigned from) const { return rows_[from]; }

  Relation operator|(const Relation& other) const;
  Relation operator&(const Relation& other) const;
  Relation operator-(const Relation& other) const;
  Relation& operator|=(const Relation& other) { return *this = *this | other; }
  friend bool operator==(const Relation& a, const Relation& b) { return a.size_ == b.size_ && a.rows_ == b.rows_; }
  friend bool operator!=(const Relation& a, const Relation& b) { return !(a == b); }

  /// Pairs (a, c) with a `this` b and b `other` c for some b.
  Relation then(const Relation& other) const;
  Relation inverse() const;
  Relation closure() const;  ///< transitive
  /// The pairs whose first is in `from` and whose second is in `to`.
  Relation restricted(EventSet from, EventSet to) const;

  bool empty() const;
  bool irreflexive() const;
  bool acyclic() const;
  /// Every pair of this is in `other`.
  bool within(const Relation& other) const { return (*this - other).empty(); }

 private:
  struct Peeled {
    std::array<std::uint8_t, capacity> events;
    unsigned count = 0;
  };
  /// The events from which no way leads into a cycle, each behind its successors.
  Peeled peeled() const;

  unsigned size_;
  std::array<EventSet, capacity> rows_{};
};

}  // namespace syncline::consistency
