// LU decomposition in place without pivoting, in tiles of 16x16: per step one launch for the tile on the diagonal, one
// for its row and column, one for the rest. U has the diagonal, L's is 1.
#include "workloads/common/cuda_device.h"

#define TILE 16

/// One CTA of 16 threads.
KERNEL lud_diagonal(float* matrix, u32 n, u32 offset) {
  __shared__ float tile[TILE][TILE + 1];
  u32 thread = threadIdx.x;
  float* corner = matrix + offset * n + offset;
  for (u32 row = 0; row < TILE; ++row) tile[row][thread] = corner[row * n + thread];
  for (u32 pivot = 0; pivot < TILE - 1; ++pivot) {
    syncthreads();
    if (thread > pivot) {
      float factor = tile[thread][pivot] / tile[pivot][pivot];
      tile[thread][pivot] = factor;
      for (u32 i = pivot + 1; i < TILE; ++i) tile[thread][i] -= factor * tile[pivot][i];
    }
  }
  syncthreads();
  for (u32 row = 0; row < TILE; ++row) corner[row * n + thread] = tile[row][thread];
}

/// CTAs of 32 threads: the first half-warp solves a tile right of the diagonal, the second one below it.
KERNEL lud_perimeter(float* matrix, u32 n, u32 offset) {
  __shared__ float diagonal[TILE][TILE + 1];
  __shared__ float right[TILE][TILE + 1];
  __shared__ float below[TILE][TILE + 1];
  u32 thread = threadIdx.x % TILE;
  bool solves_right = threadIdx.x < TILE;
  u32 distance = (blockIdx.x + 1) * TILE;
  float* corner = matrix + offset * n + offset;
  for (u32 row = 0; row < TILE; ++row) {
    if (solves_right) {
      diagonal[row][thread] = corner[row * n + thread];
      right[row][thread] = corner[row * n + distance + thread];
    } else {
      below[row][thread] = corner[(distance + row) * n + thread];
    }
  }
  syncthreads();
  if (solves_right) {
    for (u32 row = 1; row < TILE; ++row) {
      float value = right[row][thread];
      for (u32 i = 0; i < row; ++i) value -= diagonal[row][i] * right[i][thread];
      right[row][thread] = value;
    }
  } else {
    for (u32 column = 0; column < TILE; ++column) {
      float value = below[thread][column];
      for (u32 i = 0; i < column; ++i) value -= below[thread][i] * diagonal[i][column];
      below[thread][column] = value / diagonal[column][column];
    }
  }
  syncthreads();
  for (u32 row = 0; row < TILE; ++row) {
    if (solves_right)
      corner[row * n + distance + thread] = right[row][thread];
    else
      corner[(distance + row) * n + thread] = below[row][thread];
  }
}

/// CTAs of 16x16 threads: subtracts the product of the row's and the column's tile.
KERNEL lud_internal(float* matrix, u32 n, u32 offset) {
  __shared__ float left[TILE][TILE];
  __shared__ float above[TILE][TILE];
  u32 x = threadIdx.x;
  u32 y = threadIdx.y;
  float* corner = matrix + offset * n + offset;
  float* row = corner + ((blockIdx.y + 1) * TILE + y) * n;
  u32 column = (blockIdx.x + 1) * TILE + x;
  left[y][x] = row[x];
  above[y][x] = corner[y * n + column];
  syncthreads();
  float sum = 0;
  for (u32 i = 0; i < TILE; ++i) sum = __builtin_fmaf(left[y][i], above[i][x], sum);
  row[column] -= sum;
}
