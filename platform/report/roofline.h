// A roofline of instructions over bytes: how fast kernels could be at the most, and how fast they are.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "base/stats.h"
#include "platform/observe/kernel_log.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {

/// {"peak", "peak_meaning", "roofs", "points"}. Instructions are warp instructions, time core cycles. `peak`: what the
/// schedulers of all SMs can issue in a cycle. A roof is what one level of memory can move: {"level",
/// "bytes_per_cycle", "meaning"}, so instructions that need a byte of it each are no faster than that. A point is a
/// launch (`kernel`: its place among `kernels`), or the run (null): {"level", "kernel", "per_byte", "ipc"}; none where
/// it moved no byte. The peak of arithmetic is left out: a warp instruction is what an SM of this model issues,
/// whatever it computes (N. Ding and S. Williams, An Instruction Roofline Model for GPUs, PMBS 2019).
nlohmann::ordered_json roofline_json(const PlatformSpec& spec, const base::StatisticsRegistry& statistics,
                                     const std::vector<KernelRecord>& kernels);

}  // namespace syncline::platform
