// What is remembered of the accesses to lines so that one that is told late can be held against those that come behind
// it in causality order: the others of its thread, and those of threads that knew of it when they were issued.
//
// An access that is told in time is held against the writes that it did not see (OnlineChecker); here are those that
// have been told before one that they come behind. Of each thread the last accesses to a line are remembered, and of a
// line the last ones of threads that knew something of others.
#pragma once

#include <boost/container/small_vector.hpp>
#include <boost/functional/hash.hpp>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "base/line_data.h"
#include "consistency/online/dynamic_order.h"
#include "consistency/online/line_record.h"
#include "consistency/online/vector_clock.h"

namespace syncline::consistency {

class CausalCoherence {
 public:
  using Node = DynamicOrder::Node;

  struct Seen {
    std::uint32_t thread;
    std::uint64_t step;
    base::ByteMask bytes;
    LineVersion version;  ///< that a write made or a read saw
    bool is_write;
    Node node;
    Clock clock;  ///< of the thread when it was issued
  };

  /// Calls `visit(seen)` for each access to the line's bytes that is remembered and comes behind `access` in causality
  /// order; until it returns true.
  template <class Visit>
  void for_each_behind(std::uint64_t line, const Seen& access, const DynamicOrder& order, Visit&& visit) const {
    const auto shown = [&](const Seen& seen) {
      return seen.bytes.overlaps(access.bytes) && order.knows(seen.node) && visit(seen);
    };
    if (const auto own = own_.find({access.thread, line}); own != own_.end()) {
      for (const Seen& seen : own->second)
        if (seen.step > access.step && shown(seen)) return;
    }
    if (const auto others = others_.find(line); others != others_.end()) {
      for (const Seen& seen : others->second)
        if (seen.thread != access.thread && covers(seen.clock, access.thread, access.step) && shown(seen)) return;
    }
  }
  void remember(std::uint64_t line, const Seen& access);
  /// Lets go of what the order has forgotten.
  void forget(const DynamicOrder& order);
  /// Nothing of before comes behind anything from now on.
  void clear();

 private:
  static constexpr std::size_t remembered = 8;  ///< of a thread and line, and of a line
  using Few = boost::container::small_vector<Seen, 2>;
  using Key = std::pair<std::uint32_t, std::uint64_t>;  ///< thread and line

  static void add(Few& few, const Seen& access);
  template <class Map>
  static void forget(Map& map, const DynamicOrder& order);

  std::unordered_map<Key, Few, boost::hash<Key>> own_;
  std::unordered_map<std::uint64_t, Few> others_;  ///< by line
};

}  // namespace syncline::consistency
