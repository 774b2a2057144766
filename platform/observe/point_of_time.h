// A point of a run's time as options name it.
#pragma once

#include <string>
#include <string_view>

#include "models/clock/scheduler.h"

namespace syncline::platform {

/// The first cycle of `clock`, that of the SMs, at or after a point that the user gives as a cycle (`12000`) or as a
/// time (`35 us`). UserError for what is neither, which names `option`.
base::Cycle cycle_of(std::string_view option, const std::string& text, const models::ClockDomain& clock);

}  // namespace syncline::platform
