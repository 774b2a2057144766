// Exclusive prefix sum of u32 (Blelloch's up-sweep and down-sweep). `scan_tiles` scans tiles of twice the CTA's threads
// in dynamic shared memory and leaves each tile's total; the host scans the totals the same way, and `add_offsets`
// adds them to their tiles.
#include "workloads/common/cuda_device.h"

/// A gap after every 32 words keeps strided accesses of the sweeps in different banks.
INLINE u32 slot(u32 i) {
  return i + i / 32;
}

KERNEL scan_tiles(const u32* in, u32* out, u32* totals, u32 n) {
  DYNAMIC_SHARED(u32, tile);
  u32 thread = threadIdx.x;
  u32 extent = 2 * blockDim.x;
  u32 first = blockIdx.x * extent + thread;
  u32 second = first + blockDim.x;
  tile[slot(thread)] = first < n ? in[first] : 0;
  tile[slot(thread + blockDim.x)] = second < n ? in[second] : 0;

  u32 stride = 1;
  for (u32 active = blockDim.x; active > 0; active /= 2) {
    syncthreads();
    if (thread < active) tile[slot(stride * (2 * thread + 2) - 1)] += tile[slot(stride * (2 * thread + 1) - 1)];
    stride *= 2;
  }
  syncthreads();
  if (thread == 0) {
    totals[blockIdx.x] = tile[slot(extent - 1)];
    tile[slot(extent - 1)] = 0;
  }
  for (u32 active = 1; active < extent; active *= 2) {
    stride /= 2;
    syncthreads();
    if (thread < active) {
      u32 left = slot(stride * (2 * thread + 1) - 1);
      u32 right = slot(stride * (2 * thread + 2) - 1);
      u32 value = tile[left];
      tile[left] = tile[right];
      tile[right] += value;
    }
  }
  syncthreads();
  if (first < n) out[first] = tile[slot(thread)];
  if (second < n) out[second] = tile[slot(thread + blockDim.x)];
}

KERNEL add_offsets(u32* out, const u32* offsets, u32 n) {
  u32 extent = 2 * blockDim.x;
  u32 first = blockIdx.x * extent + threadIdx.x;
  u32 offset = offsets[blockIdx.x];
  if (first < n) out[first] += offset;
  if (first + blockDim.x < n) out[first + blockDim.x] += offset;
}
