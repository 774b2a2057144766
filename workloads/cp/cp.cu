// Coulomb potential on a plane of a grid: every point sums charge over distance of all atoms, which pass through
// constant memory in portions, one launch each. A thread works on four points of its row, a CTA's width apart.
#include "workloads/common/cuda_device.h"

#define ATOMS 1024
#define POINTS 4

/// x, y, the square of the distance from the plane, the charge.
__constant__ float4 atoms[ATOMS];

KERNEL cp(float* potential, u32 width, float spacing, u32 atom_count) {
  u32 column = blockIdx.x * blockDim.x * POINTS + threadIdx.x;
  u32 row = blockIdx.y * blockDim.y + threadIdx.y;
  float x = spacing * (float)column;
  float y = spacing * (float)row;
  float stride = spacing * (float)blockDim.x;
  float sum[POINTS] = {0, 0, 0, 0};
  for (u32 i = 0; i < atom_count; ++i) {
    float4 atom = atoms[i];
    float dy = y - atom.y;
    float beside = __builtin_fmaf(dy, dy, atom.z);
    float dx = x - atom.x;
    for (u32 p = 0; p < POINTS; ++p) {
      sum[p] += atom.w * fast_rsqrt(__builtin_fmaf(dx, dx, beside));
      dx += stride;
    }
  }
  for (u32 p = 0; p < POINTS; ++p) potential[row * width + column + p * blockDim.x] += sum[p];
}
