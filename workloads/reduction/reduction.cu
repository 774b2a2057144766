// target: sm_70
// Reductions. `reduce_integers`: 64-bit sum, minimum and maximum of 32-bit integers; lanes combine by shuffles, warps
// through shared memory, CTAs by atomics. `reduce_floats`: one sum in one launch; the last CTA to take a ticket adds
// the partial sums of all, which a fence has made visible before the ticket was taken.
#include "workloads/common/cuda_device.h"

#define WARPS 8
#define ALL_LANES 0xffffffffu
#define WHOLE_WARP 0x1f

struct Summary {
  s64 sum;
  s32 least;
  s32 greatest;
};

__device__ u32 tickets = 0;

INLINE s32 down(s32 value, u32 distance) {
  return __nvvm_shfl_sync_down_i32(ALL_LANES, value, distance, WHOLE_WARP);
}
INLINE s64 down(s64 value, u32 distance) {
  u32 low = down((s32)value, distance);
  s32 high = down((s32)(value >> 32), distance);
  return (s64)(((u64)(u32)high << 32) | low);
}
INLINE Summary over_warp(Summary s) {
  for (u32 distance = 16; distance > 0; distance /= 2) {
    s.sum += down(s.sum, distance);
    s.least = smaller(s.least, down(s.least, distance));
    s.greatest = larger(s.greatest, down(s.greatest, distance));
  }
  return s;
}

KERNEL reduce_integers(const s32* values, u32 n, Summary* result) {
  __shared__ Summary warps[WARPS];
  Summary s = {0, 0x7fffffff, -0x7fffffff - 1};
  for (u32 i = global_thread(); i < n; i += global_threads()) {
    s32 value = values[i];
    s.sum += value;
    s.least = smaller(s.least, value);
    s.greatest = larger(s.greatest, value);
  }
  s = over_warp(s);
  if (lane_id() == 0) warps[threadIdx.x / 32] = s;
  syncthreads();
  if (threadIdx.x == 0) {
    for (u32 w = 1; w < WARPS; ++w) {
      s.sum += warps[w].sum;
      s.least = smaller(s.least, warps[w].least);
      s.greatest = larger(s.greatest, warps[w].greatest);
    }
    atomic_add(&result->sum, s.sum);
    atomic_min(&result->least, s.least);
    atomic_max(&result->greatest, s.greatest);
  }
}

/// Sum of `value` over the CTA, valid in thread 0.
__device__ __noinline__ float over_cta(float value, float* warps) {
  for (u32 distance = 16; distance > 0; distance /= 2)
    value += __nvvm_shfl_sync_down_f32(ALL_LANES, value, distance, WHOLE_WARP);
  syncthreads();
  if (lane_id() == 0) warps[threadIdx.x / 32] = value;
  syncthreads();
  if (threadIdx.x == 0)
    for (u32 w = 1; w < WARPS; ++w) value += warps[w];
  return value;
}

KERNEL reduce_floats(const float* values, u32 n, volatile float* partial, float* result) {
  __shared__ float warps[WARPS];
  __shared__ u32 ticket;
  float sum = 0;
  for (u32 i = global_thread(); i < n; i += global_threads()) sum += values[i];
  sum = over_cta(sum, warps);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    threadfence();
    ticket = atomic_inc(&tickets, gridDim.x - 1);
  }
  syncthreads();
  if (ticket == gridDim.x - 1) {
    threadfence();
    sum = 0;
    for (u32 i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += partial[i];
    sum = over_cta(sum, warps);
    if (threadIdx.x == 0) *result = sum;
  }
}
