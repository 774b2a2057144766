// One round of k-means. Coordinates are whole numbers held in floats, small enough that distances and sums are exact:
// whatever order the atomics take, the result is the same. Features are stored one after the other (coalesced).
#include "workloads/common/cuda_device.h"

#define FEATURES 8
#define CLUSTERS 12

__constant__ float centroids[CLUSTERS * FEATURES];

/// The first of the centroids that are nearest.
INLINE u32 nearest_to(const float* coordinates) {
  u32 nearest = 0;
  float least = 3.0e38f;
  for (u32 cluster = 0; cluster < CLUSTERS; ++cluster) {
    float distance = 0;
    for (u32 f = 0; f < FEATURES; ++f) {
      float difference = coordinates[f] - centroids[cluster * FEATURES + f];
      distance = __builtin_fmaf(difference, difference, distance);
    }
    if (distance < least) {
      least = distance;
      nearest = cluster;
    }
  }
  return nearest;
}

/// Assigns each point to its nearest centroid (the first one of equals), counts the points that moved, and adds
/// coordinates and counts up per cluster, first in shared memory.
KERNEL kmeans_assign(const float* points, u32* membership, float* sums, u32* counts, u32* moved, u32 n) {
  __shared__ float local_sums[CLUSTERS * FEATURES];
  __shared__ u32 local_counts[CLUSTERS];
  for (u32 i = threadIdx.x; i < CLUSTERS * FEATURES; i += blockDim.x) local_sums[i] = 0;
  for (u32 i = threadIdx.x; i < CLUSTERS; i += blockDim.x) local_counts[i] = 0;
  syncthreads();

  u32 point = global_thread();
  if (point < n) {
    float coordinates[FEATURES];
    for (u32 f = 0; f < FEATURES; ++f) coordinates[f] = points[f * n + point];
    u32 nearest = nearest_to(coordinates);
    if (membership[point] != nearest) {
      membership[point] = nearest;
      atomic_add(moved, 1u);
    }
    atomic_add(&local_counts[nearest], 1u);
    for (u32 f = 0; f < FEATURES; ++f) atomic_add(&local_sums[nearest * FEATURES + f], coordinates[f]);
  }

  syncthreads();
  for (u32 i = threadIdx.x; i < CLUSTERS * FEATURES; i += blockDim.x) atomic_add(&sums[i], local_sums[i]);
  for (u32 i = threadIdx.x; i < CLUSTERS; i += blockDim.x) atomic_add(&counts[i], local_counts[i]);
}

/// Assigns alone, as Rodinia's kernel does: the host adds up, and CTAs share nothing.
KERNEL kmeans_label(const float* points, u32* membership, u32 n) {
  u32 point = global_thread();
  if (point >= n) return;
  float coordinates[FEATURES];
  for (u32 f = 0; f < FEATURES; ++f) coordinates[f] = points[f * n + point];
  membership[point] = nearest_to(coordinates);
}
