#include "models/nvlink/link_time.h"

#include <cmath>

#include "base/less_or_zero.h"

namespace syncline::models {

// A message is passed on in the cycle within which it arrives. How long a cycle takes is rounded.
LinkTime::LinkTime(const LinkSpec& spec, const ClockDomain& clock)
    : latency_ps(static_cast<std::uint64_t>(std::llround(spec.latency * 1e12))),
      apart_ps(base::less_or_zero(latency_ps, clock.length_of(1).value() + 1)),
      apart_cycles(base::less_or_zero(latency_ps / (clock.length_of(1).value() + 1), 2)) {}

}  // namespace syncline::models
