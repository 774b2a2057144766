// Whether what one thread does at one location agrees with the order of the writes there (CoRR, CoWR, CoRW, CoWW),
// where accesses of a thread are performed in any order.
#pragma once

#include <boost/container/small_vector.hpp>
#include <boost/functional/hash.hpp>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/line_data.h"
#include "consistency/online/dynamic_order.h"
#include "consistency/online/line_record.h"

namespace syncline::consistency {

class ThreadCoherence {
 public:
  using Node = DynamicOrder::Node;

  /// An access of a thread: a write that made `version`, or a read of `version`.
  struct Seen {
    std::uint64_t step;
    base::ByteMask bytes;
    LineVersion version;
    bool is_write;
    bool strong;
    Node node;
  };

  /// Holds the access against the thread's others to the line, and remembers it. The edges of a cycle that it closes;
  /// empty: none.
  std::vector<DynamicOrder::Hop> add(std::uint32_t thread, std::uint64_t line, const Seen& access,
                                     const LineRecord& record, const DynamicOrder& order);
  /// Lets go of what the order has forgotten.
  void forget(const DynamicOrder& order);

 private:
  static constexpr std::size_t remembered = 8;          ///< accesses of a thread to a line
  using Key = std::pair<std::uint32_t, std::uint64_t>;  ///< thread and line
  std::unordered_map<Key, boost::container::small_vector<Seen, 2>, boost::hash<Key>> seen_;
};

}  // namespace syncline::consistency
