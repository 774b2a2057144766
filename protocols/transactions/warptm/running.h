// Ideal eager detection (thesis 4.3, WarpTM-EL): which words the transactions that run have accessed, known to all of
// the GPU in no time. Who comes to a word after another one, and one of both writes, is told so, and aborts. What a
// transaction has accessed is free again when it has aborted, or when what it commits stands in memory.
#pragma once

#include <boost/container/flat_map.hpp>
#include <vector>

#include "protocols/transactions/warptm/log.h"

namespace syncline::protocols::warptm {

class RunningAccesses {
 public:
  struct Lane {
    Warp warp = 0;
    unsigned lane = 0;
    friend bool operator==(const Lane& a, const Lane& b) { return a.warp == b.warp && a.lane == b.lane; }
  };
  /// False, and nothing is noted: a transaction of another lane is at the word.
  bool access(Access access, std::uint64_t word, Lane by);
  void release(Lane by);
  bool empty() const { return words_.empty(); }
  void encode(Encoder& to) const;

 private:
  struct Users {
    std::vector<Lane> readers;  ///< in no order that matters
    std::vector<Lane> writer;   ///< one at most
  };
  boost::container::flat_map<std::uint64_t, Users> words_;
};

}  // namespace syncline::protocols::warptm
