// c = a + b. A thread adds four neighbours with 128-bit accesses; the last threads add what four does not divide.
#include "workloads/common/cuda_device.h"

KERNEL vector_add(const float* a, const float* b, float* c, u32 n) {
  u32 first = 4 * global_thread();
  if (first + 4 <= n) {
    float4 left = *(const float4*)(a + first);
    float4 right = *(const float4*)(b + first);
    *(float4*)(c + first) = float4{left.x + right.x, left.y + right.y, left.z + right.z, left.w + right.w};
  } else {
    for (u32 i = first; i < n; ++i) c[i] = a[i] + b[i];
  }
}
