// How long the head of a queue waited, by cause.
#pragma once

#include <array>

#include "base/stats.h"
#include "models/cache/coherent_lines.h"

namespace syncline::models {

class StallCounter {
 public:
  void begin(Refusal cause, base::Cycle now) {
    if (cause == Refusal::recycled) cause = Refusal::protocol;  // with a penalty of 0 it waits here all the same
    if (cause == cause_) return;
    end(now);
    cause_ = cause;
    since_ = now;
  }
  void end(base::Cycle now) {
    if (cause_ == Refusal::none) return;
    cycles_[static_cast<std::size_t>(cause_)].add(now - since_);
    cause_ = Refusal::none;
  }
  Refusal cause() const { return cause_; }
  base::Cycle since() const { return since_; }
  const base::Counter& cycles(Refusal cause) const { return cycles_[static_cast<std::size_t>(cause)]; }

 private:
  std::array<base::Counter, static_cast<std::size_t>(Refusal::count_)> cycles_;
  Refusal cause_ = Refusal::none;
  base::Cycle since_ = 0;
};

}  // namespace syncline::models
