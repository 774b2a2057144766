// target: sm_70
// What ranks of an all-reduce do: `add` sums what a copy has brought. Where ranks write into each other's memory, `push`
// stores words there and raises a flag behind them, and `pull` waits for the flag before it sums them. Whoever waits was
// launched behind whom it waits for.
#include "workloads/common/cuda_device.h"

/// Everything before it in this CTA is seen by whoever acquires the flag, wherever it runs.
INLINE void raise(u32* flag) {
  asm volatile("st.release.sys.u32 [%0], 1;" ::"l"(flag) : "memory");
}
INLINE u32 acquire(const u32* flag) {
  u32 value;
  asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}

INLINE void sum(u32* data, const u32* others, u32 n) {
  for (u32 i = global_thread(); i < n; i += global_threads()) data[i] += others[i];
}

KERNEL add(u32* data, const u32* others, u32 n) {
  sum(data, others, n);
}

/// Of one CTA.
KERNEL push(const u32* data, u32* there, u32 n, u32* flag) {
  for (u32 i = threadIdx.x; i < n; i += blockDim.x) there[i] = data[i];
  syncthreads();
  if (threadIdx.x == 0) raise(flag);
}

/// Of one CTA. `n` is 0 where the words are in their place already.
KERNEL pull(u32* data, const u32* others, u32 n, const u32* flag) {
  if (threadIdx.x == 0)
    while (acquire(flag) == 0) {
    }
  syncthreads();
  sum(data, others, n);
}
