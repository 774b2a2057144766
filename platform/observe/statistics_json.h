// Statistics as JSON: name, value, unit, description, in the hierarchy of the blocks; whose they are; and by kernel.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>

#include "base/stats.h"
#include "platform/observe/kernel_log.h"

namespace syncline::platform {

/// {"gpu", "number", "name", "grid", "block", "began", "ended", "cycles"} of a launch, times in core cycles.
nlohmann::ordered_json kernel_json(const KernelRecord& kernel);

/// One JSON object: {"schema": 1, "statistics": [...], "provenance": {...}, "kernels": [...]}, an element a line, so
/// that two runs can be compared with `diff`. Statistics are those of the whole run, sorted by full name: counters and
/// gauges have `value`; distributions `count`, `sum`, `min`, `max`, `mean` and `histogram`, the non-empty power-of-two
/// buckets as [upper bound, samples]. A kernel (kernel_json) has `statistics` too, by full name what each has gained
/// while the kernel was under way, where that is not 0 (KernelLog): a number, or of a distribution `count`, `sum` and
/// `histogram`.
void write_statistics(std::ostream& out, const base::StatisticsRegistry& statistics,
                      const nlohmann::ordered_json& provenance, const std::vector<KernelRecord>& kernels);

}  // namespace syncline::platform
