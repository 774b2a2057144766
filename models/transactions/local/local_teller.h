// Tells a TransactionListener of lanes whose transactions access the shared memory of their CTA where it is: reads when
// they happen, writes when they stay.
#pragma once

#include <cstdint>
#include <vector>

#include "base/taps.h"
#include "models/transactions/lane_words.h"
#include "models/transactions/transaction_listener.h"

namespace syncline::models {

class LocalTeller {
 public:
  using Bytes = std::vector<std::uint8_t>;  ///< shared memory of the CTA

  /// Of the warps of an SM. Null: nobody listens, and nothing happens here.
  LocalTeller(TransactionListener* listener, unsigned slots, unsigned lanes)
      : listener_(base::has_taps ? listener : nullptr),
        lanes_(lanes),
        told_(listener_ != nullptr ? slots * lanes : 0) {}

  void begun(const WarpIdentity& warp, base::LaneMask lanes);
  /// A lane is about to do so, and will: memory holds what it did before.
  void accesses(const WarpIdentity& warp, unsigned lane, isa::AccessKind kind, const LaneWords& words,
                const Bytes& bytes) {
    if (listener_ != nullptr) tell(warp, lane, kind, words, bytes);
  }
  void aborted(const WarpIdentity& warp, base::LaneMask lanes);
  void committed(const WarpIdentity& warp, base::LaneMask lanes, const Bytes& bytes);

 private:
  struct Told {
    TransactionListener::Attempt attempt = 0;
    std::vector<std::uint32_t> written;  ///< words
  };
  Told& told(const WarpIdentity& warp, unsigned lane) { return told_[warp.slot * lanes_ + lane]; }
  void tell(const WarpIdentity& warp, unsigned lane, isa::AccessKind kind, const LaneWords& words, const Bytes& bytes);

  TransactionListener* const listener_;
  const unsigned lanes_;
  std::vector<Told> told_;
};

}  // namespace syncline::models
