// Breadth-first search with data races on purpose: the program by which GPUDet motivates determinism (Jooybar 2013,
// section 1.1, after Harish and Narayanan 2007). Within one launch a thread may read its own flag and cost while the
// thread of a neighbour writes them, so nodes are reached over paths that need not be shortest, differently in every
// interleaving. Flags of 32 bits, as in the thesis's evaluation.
#include "workloads/common/cuda_device.h"

KERNEL bfs_racy(const u32* row_start, const u32* neighbours, u32* active, u32* visited, s32* cost, u32* over,
                u32 nodes) {
  u32 node = global_thread();
  if (node >= nodes || !active[node]) return;
  active[node] = 0;
  visited[node] = 1;
  u32 end = row_start[node + 1];
  for (u32 edge = row_start[node]; edge < end; ++edge) {
    u32 other = neighbours[edge];
    if (!visited[other]) {
      cost[other] = cost[node] + 1;
      active[other] = 1;
      *over = 1;
    }
  }
}
