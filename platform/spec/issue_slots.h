// What the schedulers of a GPU can issue.
#pragma once

#include <cstdint>

#include "platform/spec/platform_spec.h"

namespace syncline::platform {

/// Warp instructions in a core cycle, at most, of all SMs, which need not be equal.
inline std::uint64_t issue_slots(const PlatformSpec& spec) {
  std::uint64_t slots = 0;
  for (unsigned sm = 0; sm < spec.sms; ++sm)
    slots += std::uint64_t{spec.sm_of(sm).schedulers} * spec.sm_of(sm).issue_width;
  return slots;
}

}  // namespace syncline::platform
