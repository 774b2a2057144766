// Breadth-first search, one level a round, a thread per node, flags of 32 bits. Free of data races: a node's cost is
// written by the one thread whose exchange found it undiscovered, and flags that one kernel reads the other writes.
#include "workloads/common/cuda_device.h"

/// Discovers the neighbours of the frontier.
KERNEL bfs_expand(const u32* row_start, const u32* neighbours, const u32* frontier, const u32* visited, u32* discovered,
                  s32* cost, u32 nodes) {
  u32 node = global_thread();
  if (node >= nodes || !frontier[node]) return;
  s32 next_cost = cost[node] + 1;
  u32 end = row_start[node + 1];
  for (u32 edge = row_start[node]; edge < end; ++edge) {
    u32 other = neighbours[edge];
    if (!visited[other] && atomic_exchange(&discovered[other], 1u) == 0) cost[other] = next_cost;
  }
}

/// Makes the discovered nodes the next frontier and raises `more` when there are any.
KERNEL bfs_advance(u32* frontier, u32* visited, u32* discovered, u32* more, u32 nodes) {
  u32 node = global_thread();
  u32 found = 0;
  if (node < nodes) {
    found = discovered[node];
    frontier[node] = found;
    if (found) {
      discovered[node] = 0;
      visited[node] = 1;
    }
  }
  if (syncthreads_or(found) && threadIdx.x == 0) atomic_or(more, 1u);
}

// The same without atomics, as in Rodinia (and BFSf in Jooybar 2013, table 5.1). All threads that discover a node in one
// round write the same values there, so it does not matter whose come last.

KERNEL bfs_expand_plain(const u32* row_start, const u32* neighbours, u32* frontier, const u32* visited, u32* discovered,
                        s32* cost, u32 nodes) {
  u32 node = global_thread();
  if (node >= nodes || !frontier[node]) return;
  frontier[node] = 0;
  s32 next_cost = cost[node] + 1;
  u32 end = row_start[node + 1];
  for (u32 edge = row_start[node]; edge < end; ++edge) {
    u32 other = neighbours[edge];
    if (visited[other]) continue;
    cost[other] = next_cost;
    discovered[other] = 1;
  }
}

KERNEL bfs_advance_plain(u32* frontier, u32* visited, u32* discovered, u32* more, u32 nodes) {
  u32 node = global_thread();
  if (node >= nodes || !discovered[node]) return;
  frontier[node] = 1;
  visited[node] = 1;
  discovered[node] = 0;
  *more = 1;
}
