// target: sm_70
// KM of GPU-LocalTM: k-means. Each thread adds its points to the sums of the nearest of `size` centres, all of a point in
// one transaction; then the centres move to the means, rounded down.
//
// Data: coordinates of the centres, four each; sums of coordinates and the number of points of each; a lock for each.
// Input: points, two for each thread, and the first centres.
#include "workloads/common/cta_sections.h"

constexpr u32 rounds = 2, points = 2, dimensions = 4;

template <Sections sections>
INLINE void local_km(u32* data, const u32* input, u32 size) {
  u32* centres = data;
  u32* sums = centres + size * dimensions;
  u32* locks = sums + size * (dimensions + 1);
  const u32* first = input + points * blockDim.x * dimensions;
  for (u32 i = threadIdx.x; i < size * dimensions; i += blockDim.x) centres[i] = constant_word(&first[i]);
  syncthreads();
  for (u32 round = 0; round < rounds; ++round) {
    for (u32 i = threadIdx.x; i < size * (dimensions + 1); i += blockDim.x) sums[i] = 0;
    syncthreads();
    for (u32 p = 0; p < points; ++p) {
      u32 x[dimensions];
      for (u32 d = 0; d < dimensions; ++d)
        x[d] = constant_word(&input[(p * blockDim.x + threadIdx.x) * dimensions + d]);
      u32 nearest = 0, least = ~0u;
      for (u32 c = 0; c < size; ++c) {
        u32 distance = 0;
        for (u32 d = 0; d < dimensions; ++d) {
          u32 difference = x[d] - centres[c * dimensions + d];
          distance += difference * difference;
        }
        if (distance >= least) continue;
        least = distance;
        nearest = c;
      }
      u32* sum = sums + nearest * (dimensions + 1);
      critical_section<sections>(&locks[nearest], [&] {
        for (u32 d = 0; d < dimensions; ++d) sum[d] += x[d];
        sum[dimensions] += 1;
      });
    }
    syncthreads();
    for (u32 i = threadIdx.x; i < size * dimensions; i += blockDim.x) {
      const u32* sum = sums + i / dimensions * (dimensions + 1);
      if (sum[dimensions] != 0) centres[i] = sum[i % dimensions] / sum[dimensions];
    }
    syncthreads();
  }
}

CTA_KERNELS(local_km)
