// Flow of heat in a plate whose edge is kept at its temperatures, by explicit finite differences. All time steps are
// one grid: each CTA keeps a band of rows, and a barrier between all CTAs parts the steps. The CTAs have to be on the
// machine at once, so the host launches one an SM.
#include "workloads/common/cuda_device.h"

/// Barrier between the CTAs of the grid, without atomics: every CTA tells CTA 0 that it has come, whose threads watch a
/// CTA each, and is told by them to go on (Xiao and Feng, "Inter-block GPU communication via fast barrier
/// synchronization", IPDPS 2010: lock-free synchronization). `step` counts the barriers from 1.
INLINE void grid_barrier(volatile u32* arrived, volatile u32* released, u32 step) {
  u32 thread = threadIdx.y * blockDim.x + threadIdx.x;
  u32 threads = blockDim.x * blockDim.y;
  threadfence();  // of every thread: a fence orders the accesses of its own thread
  syncthreads();
  if (blockIdx.x == 0) {
    for (u32 cta = 1 + thread; cta < gridDim.x; cta += threads)
      while (arrived[cta] < step) {
      }
    threadfence();  // all CTAs' stores come before ...
    syncthreads();
    threadfence();  // ... what any of them does when it is released
    for (u32 cta = 1 + thread; cta < gridDim.x; cta += threads) released[cta] = step;
  } else if (thread == 0) {
    threadfence();  // the stores of the CTA's other threads, which the barrier has put before this
    arrived[blockIdx.x] = step;
    while (released[blockIdx.x] < step) {
    }
  }
  syncthreads();
  threadfence();
}

/// `before` and `after` are equal at the edge. Rows of the own band are read as usual; the two rows beside it, which
/// other CTAs write while the grid runs, past the L1.
KERNEL stencil(float* before, float* after, u32 width, u32 height, float flow, u32 steps, volatile u32* arrived,
               volatile u32* released) {
  u32 rows = height - 2;
  u32 first = 1 + rows * blockIdx.x / gridDim.x;
  u32 end = 1 + rows * (blockIdx.x + 1) / gridDim.x;
  for (u32 step = 1; step <= steps; ++step) {
    for (u32 row = first + threadIdx.y; row < end; row += blockDim.y)
      for (u32 column = 1 + threadIdx.x; column < width - 1; column += blockDim.x) {
        float* cell = &before[row * width + column];
        float north = row == first ? *(volatile float*)(cell - width) : *(cell - width);
        float south = row + 1 == end ? *(volatile float*)(cell + width) : *(cell + width);
        float around = add_rn(add_rn(north, south), add_rn(cell[-1], cell[1]));
        after[row * width + column] = add_rn(*cell, multiply_rn(flow, add_rn(around, -4 * *cell)));
      }
    float* written = after;
    after = before;
    before = written;
    if (step < steps) grid_barrier(arrived, released, step);
  }
}
