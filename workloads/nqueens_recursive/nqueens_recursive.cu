// The count of workloads/nqueens by a device function that calls itself: the call stack takes the place of the array.
#include "workloads/common/cuda_device.h"

__device__ __noinline__ u32 place(u32 board, u32 columns, u32 left, u32 right) {
  if (columns == board) return 1;
  u32 found = 0;
  u32 open = ~(columns | left | right) & board;
  while (open != 0) {
    u32 queen = open & -open;
    open ^= queen;
    found += place(board, columns | queen, (left | queen) << 1, (right | queen) >> 1);
  }
  return found;
}

KERNEL nqueens_recursive(u32 n, u64* solutions) {
  u32 thread = global_thread();
  if (thread >= n * n) return;
  u32 first = 1u << (thread % n);
  u32 second = 1u << (thread / n);
  if ((first | first << 1 | first >> 1) & second) return;
  u32 left = (first << 1 | second) << 1;
  u32 right = (first >> 1 | second) >> 1;
  u32 found = place((1u << n) - 1, first | second, left, right);
  if (found != 0) atomic_add(solutions, (u64)found);
}
