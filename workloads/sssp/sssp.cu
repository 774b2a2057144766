// Shortest paths from one node of a map of roads, rounds of relaxation with a thread per node (Bellman and Ford, for
// the nodes that became nearer in the round before). Many threads lower one distance at a time.
#include "workloads/common/cuda_device.h"

/// `nearer`: nodes to relax, left all 0; `nearer_next`: those of the next round. Distances are read past the L1, because
/// other CTAs lower them while the grid runs; whoever sees an old one relaxes again in the next round.
KERNEL sssp_relax(const u32* row_start, const u32* neighbours, const u32* lengths, u32* nearer, u32* nearer_next,
                  u32* distance, u32* more, u32 nodes) {
  u32 node = global_thread();
  u32 lowered = 0;
  if (node < nodes && nearer[node]) {
    nearer[node] = 0;
    u32 here = *(volatile u32*)&distance[node];
    u32 end = row_start[node + 1];
    for (u32 edge = row_start[node]; edge < end; ++edge) {
      u32 other = neighbours[edge];
      u32 there = here + lengths[edge];
      if (atomic_min(&distance[other], there) > there) {
        *(volatile u32*)&nearer_next[other] = 1;
        lowered = 1;
      }
    }
  }
  if (syncthreads_or(lowered) && threadIdx.x == 0) atomic_or(more, 1u);
}
