// What an online checker remembers of one line: how often it was written, by whom last and recently, and who has read
// what the next write will make old.
#pragma once

#include <cstdint>
#include <vector>

#include "base/line_data.h"
#include "consistency/online/dynamic_order.h"

namespace syncline::consistency {

/// State of a line: how many writes to it have been performed, of whichever bytes.
using LineVersion = std::uint64_t;

class LineRecord {
 public:
  using Node = DynamicOrder::Node;

  /// What a read of some bytes has to be ordered with.
  struct Neighbours {
    std::vector<Node> sources;  ///< the writes that it read, as far as they are known
    std::vector<Node> next;     ///< of each byte the first write that it did not see
    base::ByteMask newest;      ///< bytes that nobody has written since
    bool complete = true;       ///< false: a write that it did not see may be forgotten already
  };
  /// Writes and readers that a write of some bytes comes behind.
  struct Predecessors {
    std::vector<Node> writes, readers;
  };

  LineVersion version() const { return version_; }
  /// Of a read of `bytes` as they were at `version`.
  void find(const base::ByteMask& bytes, LineVersion version, const DynamicOrder& order, Neighbours& found) const;
  /// `node` has read the newest `bytes`.
  void add_reader(std::uint32_t thread, std::uint64_t step, const base::ByteMask& bytes, Node node,
                  const DynamicOrder& order);
  struct Write {
    base::ByteMask bytes;
    LineVersion version;
    Node node;
    bool strong;  ///< OnlineAccess::strong
  };
  /// `node` writes `bytes`; returns the version that it makes.
  LineVersion write(const base::ByteMask& bytes, Node node, bool strong, const DynamicOrder& order,
                    Predecessors& found);
  /// Calls `visit(write)` for each write that a read of `bytes` at `version` has seen and one at `older` has not, as
  /// far as they are remembered; until it returns true.
  template <class Visit>
  void for_each_between(const base::ByteMask& bytes, LineVersion older, LineVersion version, Visit&& visit) const {
    base::ByteMask left = bytes;
    for (auto write = writes_.rbegin(); write != writes_.rend() && write->version > older && !left.empty(); ++write) {
      if (write->version > version || !write->bytes.overlaps(left)) continue;
      if (visit(*write)) return;
      left -= write->bytes;
    }
  }

  /// Lets go of what the order has forgotten. True: nothing is left to remember.
  bool forget(const DynamicOrder& order);
  /// Writes and readers that are remembered.
  std::size_t size() const { return latest_.size() + writes_.size() + readers_.size(); }

 private:
  struct Reader {
    base::ByteMask bytes;
    std::uint32_t thread;
    std::uint64_t step;
    Node node;
  };
  void forget_writes(const DynamicOrder& order);

  LineVersion version_ = 0;
  LineVersion lost_ = 0;                              ///< no write up to this version need be in `writes_`
  std::vector<Write> latest_;                         ///< of each byte the last write to it; their bytes are disjoint
  std::vector<Write> writes_;                         ///< recent ones in their order
  std::vector<Reader> readers_;                       ///< of bytes that are the newest
  std::size_t tidy_writes_ = 16, tidy_readers_ = 16;  ///< sizes at which it is worth looking for what is forgotten
};

}  // namespace syncline::consistency
