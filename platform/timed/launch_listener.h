// Who wants to know when kernels begin and end on a timed device.
#pragma once

#include "models/sm/cta_sink.h"

namespace syncline::platform {

/// Both calls come at the time of which they speak.
class LaunchListener {
 public:
  virtual ~LaunchListener() = default;
  /// Its predecessors have ended, and its CTAs go to the work distributor.
  virtual void launch_began(const models::GridLaunch& grid) = 0;
  /// Its last CTA has ended, and the host may hear of it.
  virtual void launch_ended(const models::GridLaunch& grid) = 0;
};

}  // namespace syncline::platform
