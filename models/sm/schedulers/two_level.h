// Two-level scheduling (Narasiman et al. 2011, Gebhart et al. 2011): a small active set issues round robin; a warp that
// stalls on something long leaves it, and the warp that has waited longest outside and can run takes its place.
#pragma once

#include <array>

#include "models/sm/schedulers/warp_scheduler.h"

namespace syncline::models {

class TwoLevel : public WarpScheduler {
 public:
  TwoLevel(unsigned active_warps, base::Cycle starvation_limit, unsigned first = 0)
      : guard_(starvation_limit), room_(active_warps), next_(first) {}
  unsigned pick(WarpMask candidates, WarpMask stalled, base::Cycle now) override;
  void issued(unsigned slot) override;
  void started(unsigned slot) override;
  void ended(unsigned slot) override;

  WarpMask active() const { return active_; }

 private:
  void promote(WarpMask runnable);
  void leave(unsigned slot);

  StarvationGuard guard_;
  unsigned room_;
  WarpMask active_ = 0, pending_ = 0;
  std::array<std::uint64_t, max_warp_slots> left_{};  ///< order in which warps left the active set (or started)
  std::uint64_t order_ = 0;
  unsigned next_;
};

}  // namespace syncline::models
