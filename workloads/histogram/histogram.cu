// Histogram of bytes in 256 bins, four bytes a load. `histogram_shared` counts in shared memory and merges once per
// CTA; `histogram_global` sends every count to global memory, which shows what contended atomics cost.
#include "workloads/common/cuda_device.h"

#define BINS 256

KERNEL histogram_shared(const u32* words, u32 count, u32* bins) {
  __shared__ u32 local[BINS];
  for (u32 bin = threadIdx.x; bin < BINS; bin += blockDim.x) local[bin] = 0;
  syncthreads();
  for (u32 i = global_thread(); i < count; i += global_threads()) {
    u32 word = words[i];
    for (u32 shift = 0; shift < 32; shift += 8) atomic_add(&local[(word >> shift) & 0xff], 1u);
  }
  syncthreads();
  for (u32 bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    if (local[bin] != 0) atomic_add(&bins[bin], local[bin]);
}

KERNEL histogram_global(const u32* words, u32 count, u32* bins) {
  for (u32 i = global_thread(); i < count; i += global_threads()) {
    u32 word = words[i];
    for (u32 shift = 0; shift < 32; shift += 8) atomic_add(&bins[(word >> shift) & 0xff], 1u);
  }
}
