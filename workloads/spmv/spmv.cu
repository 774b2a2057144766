// y = A * x in double precision, A in compressed sparse rows. `spmv_scalar` gives a row to a thread: simple, with
// uncoalesced loads and lanes that wait for the longest row. `spmv_vector` gives a row to a warp, whose lanes combine
// by the shuffles of sm_30, 32 bits at a time.
#include "workloads/common/cuda_device.h"

#define LAST_LANE 31

KERNEL spmv_scalar(u32 rows, const u32* row_start, const u32* columns, const double* values, const double* x,
                   double* y) {
  u32 row = global_thread();
  if (row >= rows) return;
  double sum = 0;
  u32 end = row_start[row + 1];
  for (u32 i = row_start[row]; i < end; ++i) sum = __builtin_fma(values[i], x[columns[i]], sum);
  y[row] = sum;
}

INLINE double down(double value, u32 distance) {
  u64 bits = __builtin_bit_cast(u64, value);
  u32 low = __nvvm_shfl_down_i32((s32)bits, distance, LAST_LANE);
  u32 high = __nvvm_shfl_down_i32((s32)(bits >> 32), distance, LAST_LANE);
  return __builtin_bit_cast(double, (u64)high << 32 | low);
}

KERNEL spmv_vector(u32 rows, const u32* row_start, const u32* columns, const double* values, const double* x,
                   double* y) {
  u32 row = global_thread() / 32;
  if (row >= rows) return;
  double sum = 0;
  u32 end = row_start[row + 1];
  for (u32 i = row_start[row] + lane_id(); i < end; i += 32) sum = __builtin_fma(values[i], x[columns[i]], sum);
  for (u32 distance = 16; distance > 0; distance /= 2) sum += down(sum, distance);
  if (lane_id() == 0) y[row] = sum;
}
