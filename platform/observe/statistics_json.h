// Statistics as JSON: name, value, unit, description, in the hierarchy of the blocks.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>

#include "base/stats.h"

namespace syncline::platform {

/// One JSON object: {"schema": 1, "statistics": [...]}, an element a line, sorted by full name, so that two runs can be
/// compared with `diff`. Counters and gauges have `value`; distributions `count`, `sum`, `min`, `max`, `mean` and
/// `histogram`, the non-empty power-of-two buckets as [upper bound, samples].
void write_statistics(std::ostream& out, const base::StatisticsRegistry& statistics);

}  // namespace syncline::platform
