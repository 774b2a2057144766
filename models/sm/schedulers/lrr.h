// Loose round robin: the next ready warp behind the one that issued last; warps that are not ready lose their turn.
#pragma once

#include "models/sm/schedulers/warp_scheduler.h"

namespace syncline::models {

class LooseRoundRobin : public WarpScheduler {
 public:
  explicit LooseRoundRobin(unsigned first = 0) : next_(first) {}
  unsigned pick(WarpMask candidates, WarpMask, base::Cycle) override { return next_warp(candidates, next_); }
  void issued(unsigned slot) override { next_ = slot + 1; }
  void started(unsigned) override {}
  void ended(unsigned) override {}

 private:
  unsigned next_;
};

}  // namespace syncline::models
