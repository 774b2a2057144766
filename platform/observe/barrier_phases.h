// Between which barriers of its CTA a warp issued what it sent to memory.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

#include "consistency/online/phase_coherence.h"
#include "models/sm/seams/warp_events.h"

namespace syncline::platform {

/// Is told what SMs tell their listeners (models::WarpEvents); of each warp slot and CTA slot it knows who runs there
/// now.
class BarrierPhases {
 public:
  void cta_launched(base::SmId sm, base::CtaSlot slot, unsigned warps);
  void warp_started(const models::WarpIdentity& warp);
  void memory_started(const models::WarpIdentity& warp, std::uint64_t order);
  void cta_met(base::SmId sm, base::CtaSlot slot);
  void exited(const models::WarpIdentity& warp);

  /// Of the memory instruction that a warp issued as number `order`; nothing is known of what was issued too many
  /// phases ago.
  consistency::BarrierPhase of(base::SmId sm, base::WarpSlot warp, std::uint64_t order) const;

 private:
  /// What runs in a CTA slot of an SM.
  struct Cta {
    consistency::BarrierPhase now;
    bool is_fewer = false;  ///< a warp has ended since `now` began
  };
  struct From {
    std::uint64_t order;  ///< of the warp's first memory instruction then
    consistency::BarrierPhase when;
  };
  using Phases = boost::container::small_vector<From, 2>;  ///< the last ones of a warp

  std::vector<std::vector<Cta>> ctas_;      ///< by SM and CTA slot
  std::vector<std::vector<Phases>> warps_;  ///< by SM and warp slot
  std::uint32_t groups_ = 0;
};

}  // namespace syncline::platform
