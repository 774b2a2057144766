// y = a * x + y, each thread striding over the grid.
#include "workloads/common/cuda_device.h"

KERNEL saxpy(u32 n, float a, const float* x, float* y) {
  for (u32 i = global_thread(); i < n; i += global_threads()) y[i] = __builtin_fmaf(a, x[i], y[i]);
}
