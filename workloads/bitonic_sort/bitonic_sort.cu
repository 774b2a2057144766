// Bitonic sorting network over 64-bit keys, a power of two of them. Steps whose partners lie within a tile run
// together in shared memory; the others each take a launch of `bitonic_step`.
#include "workloads/common/cuda_device.h"

#define TILE 512

INLINE void order(u64& low, u64& high, bool ascending) {
  if ((low > high) == ascending) {
    u64 kept = low;
    low = high;
    high = kept;
  }
}

/// All steps of partner distance below TILE of the merges of `from`, 2 * from ... `to` keys. CTAs of TILE / 2 threads.
KERNEL bitonic_tile(u64* keys, u32 from, u32 to) {
  __shared__ u64 tile[TILE];
  u32 base = blockIdx.x * TILE;
  tile[threadIdx.x] = keys[base + threadIdx.x];
  tile[threadIdx.x + TILE / 2] = keys[base + threadIdx.x + TILE / 2];
  for (u32 merge = from; merge <= to; merge *= 2)
    for (u32 distance = smaller(merge, (u32)TILE) / 2; distance > 0; distance /= 2) {
      syncthreads();
      u32 low = 2 * threadIdx.x - (threadIdx.x & (distance - 1));
      order(tile[low], tile[low + distance], ((base + low) & merge) == 0);
    }
  syncthreads();
  keys[base + threadIdx.x] = tile[threadIdx.x];
  keys[base + threadIdx.x + TILE / 2] = tile[threadIdx.x + TILE / 2];
}

/// One step of the merge of `merge` keys: every thread orders one pair.
KERNEL bitonic_step(u64* keys, u32 merge, u32 distance) {
  u32 thread = global_thread();
  u32 low = 2 * thread - (thread & (distance - 1));
  order(keys[low], keys[low + distance], (low & merge) == 0);
}
