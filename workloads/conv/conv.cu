// A convolution layer: 3 x 3 taps over all input channels, with a border of zeros, and max(0, sum). A CTA computes 16 x 16
// pixels of four output channels from tiles of the input in shared memory. Sums are made in the order of input channels and
// taps, each product fused, so that a CPU can repeat them.
#include "workloads/common/cuda_device.h"

#define TILE 16
#define REACH 1
#define TAPS 9
#define OUTPUTS 4

/// `input` is channels x height x width, `taps` outputs x channels x 9, `output` outputs x height x width.
KERNEL conv(const float* input, const float* taps, const float* bias, float* output, u32 width, u32 height,
            u32 channels) {
  __shared__ float tile[TILE + 2 * REACH][TILE + 2 * REACH];
  __shared__ float tap[OUTPUTS][TAPS];
  u32 x = threadIdx.x, y = threadIdx.y;
  u32 thread = y * TILE + x;
  u32 left = blockIdx.x * TILE, top = blockIdx.y * TILE, first = blockIdx.z * OUTPUTS;
  float sums[OUTPUTS];
  for (u32 o = 0; o < OUTPUTS; ++o) sums[o] = bias[first + o];
  for (u32 channel = 0; channel < channels; ++channel) {
    const u32 edge = TILE + 2 * REACH;
    for (u32 i = thread; i < edge * edge; i += TILE * TILE) {
      u32 column = left + i % edge - REACH, row = top + i / edge - REACH;  // left of 0 it wraps to a large number
      tile[i / edge][i % edge] = column < width && row < height ? input[(channel * height + row) * width + column] : 0;
    }
    if (thread < OUTPUTS * TAPS)
      tap[thread / TAPS][thread % TAPS] = taps[((first + thread / TAPS) * channels + channel) * TAPS + thread % TAPS];
    syncthreads();
    for (u32 t = 0; t < TAPS; ++t)
      for (u32 o = 0; o < OUTPUTS; ++o) sums[o] = __builtin_fmaf(tap[o][t], tile[y + t / 3][x + t % 3], sums[o]);
    syncthreads();
  }
  if (left + x >= width || top + y >= height) return;
  for (u32 o = 0; o < OUTPUTS; ++o) output[((first + o) * height + top + y) * width + left + x] = maximum(sums[o], 0.0f);
}
