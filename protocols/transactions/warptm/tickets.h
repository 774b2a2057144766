// The counter that gives out commit IDs, one for all of the GPU and without delay. It gives out none for which a commit
// unit has no room: a ring that is full of later IDs would keep the one away that it waits for.
#pragma once

#include <algorithm>
#include <vector>

#include "protocols/transactions/warptm/log.h"
#include "protocols/transactions/warptm/spec.h"

namespace syncline::protocols::warptm {

class Tickets {
 public:
  Tickets(const WarptmSpec& spec, unsigned partitions)
      : entries_(spec.ring_entries), retired_(partitions, first_ticket) {}

  /// A partition has retired all IDs before this one.
  void retired(unsigned partition, Ticket before) { retired_[partition] = before; }
  bool may_take(unsigned count) const {
    return next_ + count <= *std::min_element(retired_.begin(), retired_.end()) + entries_;
  }
  /// The first of as many that follow each other. Only if it may.
  Ticket take(unsigned count) {
    const Ticket first = next_;
    next_ += count;
    return first;
  }
  /// The next that will be given out.
  Ticket next() const { return next_; }

 private:
  std::uint64_t entries_;
  Ticket next_ = first_ticket;
  std::vector<Ticket> retired_;  ///< by partition
};

}  // namespace syncline::protocols::warptm
