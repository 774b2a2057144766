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

  /// An access that another one has to be ordered with, because of some bytes.
  struct Neighbour {
    Node node;
    base::ByteMask bytes;
  };
  /// What a read of some bytes has to be ordered with.
  struct Neighbours {
    std::vector<Neighbour> sources;  ///< the writes that it read, as far as they are known
    std::vector<Neighbour> next;     ///< of each byte the first write that it did not see
    base::ByteMask newest;           ///< bytes that nobody has written since
    bool complete = true;            ///< false: a write that it did not see may be forgotten already
  };
  /// Writes and readers that a write of some bytes comes behind.
  struct Predecessors {
    std::vector<Neighbour> writes, readers;
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
  };
  /// `node` writes `bytes`; returns the version that it makes.
  LineVersion write(const base::ByteMask& bytes, Node node, const DynamicOrder& order, Predecessors& found);
  /// Calls `visit(write)` for each write to some of `bytes` behind `version` that is remembered, newest first; until it
  /// returns true.
  template <class Visit>
  void for_each_behind(const base::ByteMask& bytes, LineVersion version, Visit&& visit) const {
    for (auto write = writes_.rbegin(); write != writes_.rend() && write->version > version; ++write)
      if (write->bytes.overlaps(bytes) && visit(*write)) return;
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
