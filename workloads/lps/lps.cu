// One Jacobi step of Laplace's equation in three dimensions; the values on the surface are given. CTAs of 32x8 threads
// march along z: the layer in work is in shared memory, the layers below and above it in registers.
#include "workloads/common/cuda_device.h"

#define WIDTH 32
#define HEIGHT 8

KERNEL lps(const float* before, float* after, u32 nx, u32 ny, u32 nz) {
  __shared__ float layer[HEIGHT + 2][WIDTH + 2];
  u32 tx = threadIdx.x + 1;
  u32 ty = threadIdx.y + 1;
  u32 x = blockIdx.x * WIDTH + threadIdx.x;
  u32 y = blockIdx.y * HEIGHT + threadIdx.y;
  bool exists = x < nx && y < ny;
  bool inside = x > 0 && x + 1 < nx && y > 0 && y + 1 < ny;
  u32 pitch = nx * ny;
  u32 here = y * nx + x;

  float below = 0;
  float own = exists ? before[here] : 0;
  for (u32 z = 0; z < nz; ++z) {
    float above = exists && z + 1 < nz ? before[here + pitch] : 0;
    syncthreads();
    layer[ty][tx] = own;
    if (inside) {
      if (tx == 1) layer[ty][0] = before[here - 1];
      if (tx == WIDTH) layer[ty][WIDTH + 1] = before[here + 1];
      if (ty == 1) layer[0][tx] = before[here - nx];
      if (ty == HEIGHT) layer[HEIGHT + 1][tx] = before[here + nx];
    }
    syncthreads();
    if (exists) {
      float value = own;
      if (inside && z > 0 && z + 1 < nz)
        value = (layer[ty][tx - 1] + layer[ty][tx + 1] + layer[ty - 1][tx] + layer[ty + 1][tx] + below + above) *
                (1.0f / 6.0f);
      after[here] = value;
    }
    below = own;
    own = above;
    here += pitch;
  }
}
