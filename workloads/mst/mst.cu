// target: sm_70
// Minimum spanning forest of a map of roads by Boruvka's rounds: every component finds its shortest road to another one,
// and components are joined along these. Roads of equal length are told apart by their numbers, so that there is one
// forest and no round closes a circle.
#include "workloads/common/cuda_device.h"

#define NONE (~0ull)

struct Road {
  u32 from;
  u32 to;
  u32 length;
};

/// A thread per road. `component` names the root of each node's component; `shortest` has, for roots, length and number
/// of the shortest road out of it.
KERNEL mst_find(const Road* roads, const u32* component, u64* shortest, u32 count) {
  u32 number = global_thread();
  if (number >= count) return;
  Road road = roads[number];
  u32 one = component[road.from];
  u32 other = component[road.to];
  if (one == other) return;
  u64 key = (u64)road.length << 32 | number;
  atomic_min(&shortest[one], key);
  atomic_min(&shortest[other], key);
}

/// A thread per node, of which the roots do something: each has the root at the other end of its road as its parent. Of
/// two that chose the same road the lower stays a root, so that the road is chosen once.
KERNEL mst_join(const Road* roads, const u32* component, const u64* shortest, u32* parent, u32* chosen, u32* more,
                u32 nodes) {
  u32 node = global_thread();
  if (node >= nodes || component[node] != node || shortest[node] == NONE) return;
  u32 number = (u32)shortest[node];
  u32 one = component[roads[number].from];
  u32 other = one == node ? component[roads[number].to] : one;
  if (shortest[other] == shortest[node] && node < other) return;
  parent[node] = other;
  chosen[number] = 1;
  *(volatile u32*)more = 1;  // the same value from all
}

/// A thread per node: on to the root of the joined component.
KERNEL mst_flatten(const u32* parent, u32* component, u64* shortest, u32 nodes) {
  u32 node = global_thread();
  if (node >= nodes) return;
  u32 root = component[node];
  while (parent[root] != root) root = parent[root];
  component[node] = root;
  shortest[node] = NONE;
}
