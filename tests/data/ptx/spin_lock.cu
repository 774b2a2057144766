// Locks among lanes of one warp, as programs for sm_70 and later may take them. spin_lock.ptx is what clang 14 makes of it:
//   clang-14 -x cuda --cuda-device-only --cuda-path=/nonexistent --cuda-gpu-arch=sm_70 -nocudainc -nocudalib
//     -Xclang -target-feature -Xclang +ptx60 -std=c++17 -I. -Wall -Werror -S -O2 tests/data/ptx/spin_lock.cu
#include "workloads/common/cuda_device.h"

/// Every thread adds one to `counter` while it holds `lock`. The loop is left by the lane that has got the lock: under a
/// stack the others, which it waits for behind the loop, go round for ever.
KERNEL spin_lock(u32* lock, u32* counter) {
  while (!take(lock)) {
  }
  threadfence();
  volatile u32* const protected_counter = counter;
  *protected_counter = *protected_counter + 1;
  threadfence();
  release(lock);
}

/// The upper half of the warp waits for a flag that the lower half sets, in shared memory.
KERNEL hand_over(u32* out) {
  __shared__ volatile u32 flag;
  if (threadIdx.x == 0) flag = 0;
  syncthreads();
  if (threadIdx.x >= 16) {
    while (flag == 0) {
    }
    out[threadIdx.x] = flag;
  } else {
    if (threadIdx.x == 3) flag = 7;
    out[threadIdx.x] = threadIdx.x;
  }
}
