// Tells a TransactionListener of a lane whose accesses go to memory as they are, as under a lock: each is told when it
// and all those before it are answered, so that the lane's own accesses keep their order.
#pragma once

#include <deque>

#include "models/transactions/lane_words.h"
#include "models/transactions/transaction_listener.h"

namespace syncline::models {

class LaneTeller {
 public:
  /// Null: nobody listens, and nothing happens here.
  explicit LaneTeller(TransactionListener* listener) : listener_(listener) {}

  void begun(const WarpIdentity& warp, unsigned lane);
  /// The warp begins a memory instruction in which the lane takes part.
  void started(const WarpMemory& memory);
  /// One of its warp is answered.
  void answered(const WarpMemory& memory);
  /// All that was started is answered (base::ModelError otherwise), and stays.
  void committed();

 private:
  struct Access {
    std::uint64_t order;
    isa::AccessKind kind;
    bool answered;
    LaneWords words;
  };
  void tell(const Access& access);

  TransactionListener* listener_;
  TransactionListener::Attempt attempt_ = 0;
  unsigned lane_ = 0;
  std::deque<Access> accesses_;
};

}  // namespace syncline::models
