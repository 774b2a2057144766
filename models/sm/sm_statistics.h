// What an SM counts (the stalls are in stall.h).
#pragma once

#include "base/stats.h"

namespace syncline::models {

struct SmStatistics {
  base::Counter warp_instructions, thread_instructions, memory_instructions, active_cycles;
  base::Counter ctas, warps, barriers, fences, branches, divergent_branches;
  base::Counter global_loads, global_stores, atomics, local_accesses, line_accesses;
  base::Counter shared_accesses, shared_conflict_cycles;
  base::Counter constant_accesses, constant_misses;
  base::Counter system_calls;
  base::Distribution lines_per_access;  ///< global and local
  base::Distribution memory_latency;    ///< from issue until performed
};

}  // namespace syncline::models
