// A strict partial order that grows edge by edge and is transitively closed all the time.
#pragma once

#include <boost/dynamic_bitset.hpp>
#include <vector>

namespace syncline::consistency {

class PartialOrder {
 public:
  explicit PartialOrder(unsigned nodes) : after_(nodes, Set(nodes)), before_(nodes, Set(nodes)), edges_(nodes) {}

  bool at(unsigned a, unsigned b) const { return after_[a].test(b); }
  const boost::dynamic_bitset<>& after(unsigned a) const { return after_[a]; }
  const boost::dynamic_bitset<>& before(unsigned a) const { return before_[a]; }

  /// Orders a before b. False when that closes a cycle; nothing is changed then.
  bool add(unsigned a, unsigned b) {
    if (a == b || at(b, a)) return false;
    if (at(a, b)) return true;
    edges_[a].push_back(b);
    ++size_;
    Set behind = after_[b], ahead = before_[a];
    behind.set(b);
    ahead.set(a);
    for (auto i = ahead.find_first(); i != Set::npos; i = ahead.find_next(i)) after_[i] |= behind;
    for (auto i = behind.find_first(); i != Set::npos; i = behind.find_next(i)) before_[i] |= ahead;
    return true;
  }
  /// A shortest chain of added edges from a to b, both included; empty when there is none.
  std::vector<unsigned> path(unsigned a, unsigned b) const;
  /// Grows with each edge that orders something anew.
  unsigned size() const { return size_; }

 private:
  using Set = boost::dynamic_bitset<>;
  std::vector<Set> after_, before_;
  std::vector<std::vector<unsigned>> edges_;
  unsigned size_ = 0;
};

}  // namespace syncline::consistency
