// What a policy may do to lanes of a warp from outside: give up what they have begun, and let them begin again.
#pragma once

#include "base/lane_mask.h"

namespace syncline::models {

/// The SM implements it. `slot`: warp slot of the SM; the warp has not ended.
class LaneControl {
 public:
  virtual ~LaneControl() = default;
  /// Nothing comes back any more of the memory instructions of these lanes: what has not left the lane stages never
  /// leaves them, and what has is done, but changes no register. Lane stages hear of it (LaneStage::aborted).
  virtual void abort(unsigned slot, base::LaneMask lanes) = 0;
};

}  // namespace syncline::models
