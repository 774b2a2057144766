// Speckle-reducing anisotropic diffusion (Yu and Acton 2002) of an image. Per iteration: the statistics that tell how
// strong speckle is, then the diffusion coefficient of every pixel, then the update. Edges mirror.
#include "workloads/common/cuda_device.h"

#define THREADS 256

/// Each CTA leaves the sum and the sum of squares of its part.
KERNEL srad_statistics(const float* image, u32 pixels, float2* partial) {
  __shared__ float2 sums[THREADS];
  float2 own = {0, 0};
  for (u32 i = global_thread(); i < pixels; i += global_threads()) {
    float value = image[i];
    own.x += value;
    own.y = __builtin_fmaf(value, value, own.y);
  }
  sums[threadIdx.x] = own;
  for (u32 half = THREADS / 2; half > 0; half /= 2) {
    syncthreads();
    if (threadIdx.x < half) {
      sums[threadIdx.x].x += sums[threadIdx.x + half].x;
      sums[threadIdx.x].y += sums[threadIdx.x + half].y;
    }
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

/// Differences to the north, south, west and east, in this order, `pixels` of each.
KERNEL srad_coefficients(const float* image, float* differences, float* coefficients, u32 width, u32 height,
                         float speckle) {
  u32 x = blockIdx.x * blockDim.x + threadIdx.x;
  u32 y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  u32 here = y * width + x;
  u32 pixels = width * height;
  float value = image[here];
  float north = image[y > 0 ? here - width : here] - value;
  float south = image[y + 1 < height ? here + width : here] - value;
  float west = image[x > 0 ? here - 1 : here] - value;
  float east = image[x + 1 < width ? here + 1 : here] - value;
  float gradient = (north * north + south * south + west * west + east * east) / (value * value);
  float laplacian = (north + south + west + east) / value;
  float divisor = 1 + 0.25f * laplacian;
  float variation = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (divisor * divisor);
  float coefficient = 1 / (1 + (variation - speckle) / (speckle * (1 + speckle)));
  differences[here] = north;
  differences[here + pixels] = south;
  differences[here + 2 * pixels] = west;
  differences[here + 3 * pixels] = east;
  coefficients[here] = minimum(maximum(coefficient, 0), 1);
}

KERNEL srad_update(float* image, const float* differences, const float* coefficients, u32 width, u32 height,
                   float rate) {
  u32 x = blockIdx.x * blockDim.x + threadIdx.x;
  u32 y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  u32 here = y * width + x;
  u32 pixels = width * height;
  float own = coefficients[here];
  float south = coefficients[y + 1 < height ? here + width : here];
  float east = coefficients[x + 1 < width ? here + 1 : here];
  float divergence = own * differences[here] + south * differences[here + pixels] +
                     own * differences[here + 2 * pixels] + east * differences[here + 3 * pixels];
  image[here] += 0.25f * rate * divergence;
}
