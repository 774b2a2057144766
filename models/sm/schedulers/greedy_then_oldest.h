// Greedy then oldest (Rogers et al. 2012): the warp that issued last goes on until it stalls, then the oldest ready
// one.
#pragma once

#include <array>

#include "models/sm/schedulers/warp_scheduler.h"

namespace syncline::models {

class GreedyThenOldest : public WarpScheduler {
 public:
  explicit GreedyThenOldest(base::Cycle starvation_limit) : guard_(starvation_limit) {}
  unsigned pick(WarpMask candidates, WarpMask stalled, base::Cycle now) override;
  void issued(unsigned slot) override;
  void started(unsigned slot) override;
  void ended(unsigned slot) override;

 private:
  StarvationGuard guard_;
  std::array<std::uint64_t, max_warp_slots> age_{};  ///< smaller is older
  std::uint64_t started_ = 0;
  WarpMask greedy_ = 0;  ///< the warp that issued last, while it lives
};

}  // namespace syncline::models
