// Conflicts within a warp, before its logs are sent: which lanes abort so that no two that commit need an order.
#pragma once

#include <vector>

#include "base/lane_mask.h"
#include "protocols/transactions/warptm/log.h"
#include "protocols/transactions/warptm/spec.h"

namespace syncline::protocols::warptm {

/// Of `lanes`, those that abort. The lowest lane never does. Those that stay have an order: that of their numbers, in
/// which a lane may read what a later one writes.
base::LaneMask conflicting_lanes(const WarptmSpec& spec, base::LaneMask lanes, const std::vector<LoggedWord>& reads,
                                 const std::vector<LoggedWord>& writes);

}  // namespace syncline::protocols::warptm
