// The events of an SM for who watches: one per issued instruction, with time and place.
#pragma once

#include "base/ids.h"
#include "isa/trace/trace_event.h"
#include "models/block/watched_port.h"
#include "models/sm/seams/warp_events.h"

namespace syncline::models {

/// Valid during the call only.
struct InstructionEvent {
  base::Cycle cycle = 0;
  WarpIdentity warp;
  isa::TraceEvent what;
};

}  // namespace syncline::models
