// out = transpose(in) for a matrix of any extents, by tiles of 32x32 in shared memory. The tile has a column more than
// it needs, so that neither writing its rows nor reading its columns meets a bank conflict. CTAs are 32x8 threads.
#include "workloads/common/cuda_device.h"

#define TILE 32
#define ROWS 8

KERNEL transpose(const float* in, float* out, u32 width, u32 height) {
  __shared__ float tile[TILE][TILE + 1];
  u32 x = blockIdx.x * TILE + threadIdx.x;
  u32 y = blockIdx.y * TILE + threadIdx.y;
  for (u32 row = 0; row < TILE; row += ROWS)
    if (x < width && y + row < height) tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * width + x];
  syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (u32 row = 0; row < TILE; row += ROWS)
    if (x < height && y + row < width) out[(y + row) * height + x] = tile[threadIdx.x][threadIdx.y + row];
}
