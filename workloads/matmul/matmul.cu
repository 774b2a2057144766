// c = a * b for a of m x k and b of k x n, row by row in memory, extents multiples of the tile. A CTA of 16x16 threads
// makes one tile of c and walks along k, tile after tile through shared memory.
#include "workloads/common/cuda_device.h"

#define TILE 16

KERNEL matmul(const float* a, const float* b, float* c, u32 n, u32 k) {
  __shared__ float a_tile[TILE][TILE];
  __shared__ float b_tile[TILE][TILE];
  u32 x = threadIdx.x;
  u32 y = threadIdx.y;
  u32 row = blockIdx.y * TILE + y;
  u32 column = blockIdx.x * TILE + x;
  float sum = 0;
  for (u32 step = 0; step < k; step += TILE) {
    a_tile[y][x] = a[row * k + step + x];
    b_tile[y][x] = b[(step + y) * n + column];
    syncthreads();
    for (u32 i = 0; i < TILE; ++i) sum = __builtin_fmaf(a_tile[y][i], b_tile[i][x], sum);
    syncthreads();
  }
  c[row * n + column] = sum;
}
