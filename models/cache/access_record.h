// What a cache tells whoever listens to its analysis port.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "protocols/coherence/engine/stimulus.h"

namespace syncline::models {

enum class AccessOutcome : std::uint8_t { hit, miss, merged, forwarded };

struct AccessRecord {
  base::LineAddress line;
  base::Cycle cycle;
  base::SmId requester;
  base::WarpSlot warp;
  protocols::Operation operation;
  AccessOutcome outcome;
};

}  // namespace syncline::models
