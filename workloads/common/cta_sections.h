// Critical sections on data of one CTA, which lie in its shared memory or, to compare, in a part of global memory: as
// transactions, one thread after the other, or under locks.
#pragma once

#include "workloads/common/cuda_device.h"

enum class Sections { transactions, serial, locks };

/// Shared memory of the launch.
DYNAMIC_SHARED(u32, cta_memory);

/// Runs `critical` once for each thread of the CTA. All of them come here. Under locks `locks` words from `lock` on are
/// held, which are 0 when free; their numbers ascend, and where one is held by somebody else all are given back, so
/// that whoever has the highest first goes through.
template <Sections sections, class LockOf, class Critical>
INLINE void critical_section(u32* locks, u32 count, LockOf lock_of, Critical critical) {
  if (sections == Sections::transactions) {
    transaction(critical);
    return;
  }
  if (sections == Sections::serial) {
    for (u32 turn = 0; turn < blockDim.x; ++turn) {
      if (turn == threadIdx.x) critical();
      syncthreads();
    }
    return;
  }
  u32 done = 0;
  do {
    u32 held = 0;
    while (held < count && take(&locks[lock_of(held)])) ++held;
    asm volatile("" ::: "memory");
    if (held == count) {
      critical();
      done = 1;
    }
    asm volatile("" ::: "memory");
    while (held != 0) release(&locks[lock_of(--held)]);
    asm volatile("" : "+r"(done));
  } while (!done);
}

/// With one lock.
template <Sections sections, class Critical>
INLINE void critical_section(u32* lock, Critical critical) {
  critical_section<sections>(
      lock, 1, [](u32) { return 0u; }, critical);
}

/// A word that nobody writes while the kernel runs, also inside a transaction of shared memory.
INLINE u32 constant_word(const u32* at) {
  u32 value;
  asm("ld.global.nc.u32 %0, [%1];" : "=r"(value) : "l"(at));
  return value;
}

/// The kernel of a CTA: `body(data)` on `words` words of data, zeros at first, which are the CTA's result in the end.
template <class Body>
INLINE void on_cta_data(u32* data, u32 words, u32* out, Body body) {
  for (u32 i = threadIdx.x; i < words; i += blockDim.x) data[i] = 0;
  syncthreads();
  body(data);
  syncthreads();
  for (u32 i = threadIdx.x; i < words; i += blockDim.x) out[blockIdx.x * words + i] = data[i];
}

/// Each way to run `template <Sections> void NAME(u32* data, const u32* input, u32 size)`, which has the CTA's part of
/// the input: NAME_tx, NAME_serial and NAME_locks in shared memory, NAME_global_tx in global memory, a part of `far`
/// for each CTA.
#define CTA_KERNEL(NAME, SECTIONS, KERNEL_NAME, DATA)                                                           \
  KERNEL KERNEL_NAME(u32* far, u32 words, const u32* input, u32 inputs, u32 size, u32* out) {                   \
    on_cta_data(DATA, words, out, [&](u32* data) { NAME<SECTIONS>(data, input + blockIdx.x * inputs, size); }); \
  }
#define CTA_KERNELS(NAME)                                         \
  CTA_KERNEL(NAME, Sections::transactions, NAME##_tx, cta_memory) \
  CTA_KERNEL(NAME, Sections::serial, NAME##_serial, cta_memory)   \
  CTA_KERNEL(NAME, Sections::locks, NAME##_locks, cta_memory)     \
  CTA_KERNEL(NAME, Sections::transactions, NAME##_global_tx, far + blockIdx.x * words)
