// When the two ends of a link hear of each other.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "models/clock/clock_domain.h"
#include "models/nvlink/link_spec.h"

namespace syncline::models {

struct LinkTime {
  /// `clock`: by which the ends look.
  LinkTime(const LinkSpec& spec, const ClockDomain& clock);

  std::uint64_t latency_ps;
  /// What one end does gives the other one no turn for so long, at least; 0: perhaps in the next cycle.
  std::uint64_t apart_ps;
  /// The same in whole cycles, counted from the next edge.
  base::Cycle apart_cycles;

  /// Ticked::tells_lanes_in_ps of both ends, which are in one tile where they are not apart.
  std::uint64_t tells_lanes_in_ps() const { return apart_ps == 0 ? never_ps : apart_ps; }
};

}  // namespace syncline::models
