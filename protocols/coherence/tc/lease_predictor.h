// The lease predictor of a home: how long the next lease is to be, learned from three events. It has no state of its
// own: what it learns stands in NodeMeta, as differences from the length with which it began.
#pragma once

#include "protocols/coherence/engine/meta.h"
#include "protocols/coherence/engine/stimulus.h"
#include "protocols/coherence/tc/tc_spec.h"

namespace syncline::protocols::tc {

class LeasePredictor {
 public:
  explicit LeasePredictor(const TcSpec& spec) : spec_(spec) {}

  /// The part of NodeMeta::leases that an access belongs to.
  unsigned index(const Stimulus& stimulus) const {
    return spec_.predictor == TcPredictor::pc_adaptive ? stimulus.pc % NodeMeta::max_leases : 0;
  }
  /// Length of the next lease, ticks.
  std::uint64_t lease(const NodeMeta& node, unsigned index) const;

  /// A store met a live lease: readers held it up (strong), or it holds up a fence (weak).
  void store_met_lease(NodeMeta& node, unsigned index) const;
  /// A line with a live lease left the L2, which must remember it until the lease is over.
  void evicted_with_lease(NodeMeta& node, unsigned index) const;
  /// A load found its line in the L1, but the lease was over.
  void load_found_expired(NodeMeta& node, unsigned index) const;

 private:
  void learn(NodeMeta& node, unsigned index, std::int64_t change, std::int64_t least) const;
  TcSpec spec_;
};

}  // namespace syncline::protocols::tc
