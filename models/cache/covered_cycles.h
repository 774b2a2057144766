// In how many cycles at least one of several things lasted, each reported as it begins or when it is over.
#pragma once

#include <algorithm>

#include "base/ids.h"
#include "base/stats.h"

namespace syncline::models {

class CoveredCycles {
 public:
  /// Something lasts, or lasted, from `from` up to `to`. Calls come in the order of `to`, or cycles are counted once
  /// that were covered before.
  void add(base::Cycle from, base::Cycle to) {
    from = std::max(from, covered_);
    if (to <= from) return;
    cycles_.add(to - from);
    covered_ = to;
  }
  const base::Counter& cycles() const { return cycles_; }

 private:
  base::Counter cycles_;
  base::Cycle covered_ = 0;  ///< first cycle behind all that was reported
};

}  // namespace syncline::models
