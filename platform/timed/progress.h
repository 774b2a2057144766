// How far a run is, on standard error, with an estimate of what is left.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <ostream>

#include "models/clock/scheduler.h"

namespace syncline::platform {

/// Prints at most twice a second of host time: simulated cycles and their rate, CTAs done of those launched, and the
/// time that the launched ones still need at the present rate. Never influences the run.
class Progress : public models::Ticked {
 public:
  struct Work {
    std::uint64_t ctas_done = 0, ctas_launched = 0;
  };
  Progress(std::ostream& out, std::function<Work()> work);
  base::Cycle tick(base::Cycle now) override;
  /// Clears the line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  std::ostream& out_;
  std::function<Work()> work_;
  Clock::time_point start_, last_;
  bool printed_ = false;
};

}  // namespace syncline::platform
