// How far a timed run is.
#pragma once

#include <functional>

#include "models/clock/scheduler.h"
#include "platform/observe/progress_line.h"

namespace syncline::platform {

/// Shows simulated cycles and their rate. Ticked by the clock of the SMs.
class Progress : public models::Ticked {
 public:
  /// `work`: how many CTAs there are, now.
  Progress(ProgressLine& line, std::function<ProgressLine::Work()> work) : line_(line), work_(std::move(work)) {}
  base::Cycle tick(base::Cycle now) override;

 private:
  ProgressLine& line_;
  std::function<ProgressLine::Work()> work_;
};

}  // namespace syncline::platform
