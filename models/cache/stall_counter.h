// How long the head of a queue waited, by cause.
#pragma once

#include <array>

#include "base/stats.h"
#include "models/cache/coherent_lines.h"

namespace syncline::models {

class StallCounter {
 public:
  void begin(StallReason cause, base::Cycle now) {
    if (cause == StallReason::recycled)
      cause = StallReason::protocol;  // with a penalty of 0 it waits here all the same
    if (cause == cause_) return;
    end(now);
    cause_ = cause;
    since_ = now;
  }
  void end(base::Cycle now) {
    if (cause_ == StallReason::none) return;
    cycles_[static_cast<std::size_t>(cause_)].add(now - since_);
    cause_ = StallReason::none;
  }
  StallReason cause() const { return cause_; }
  base::Cycle since() const { return since_; }
  const base::Counter& cycles(StallReason cause) const { return cycles_[static_cast<std::size_t>(cause)]; }

 private:
  std::array<base::Counter, static_cast<std::size_t>(StallReason::count_)> cycles_;
  StallReason cause_ = StallReason::none;
  base::Cycle since_ = 0;
};

}  // namespace syncline::models
