// Iterations until z = z * z + c leaves the circle of radius 2, per pixel. Lanes of a warp leave at different times.
// Products and sums are rounded one by one, so that a CPU without fused arithmetic gets the same counts.
#include "workloads/common/cuda_device.h"

KERNEL mandelbrot(u32* counts, u32 width, u32 height, float left, float top, float step, u32 limit) {
  u32 x = blockIdx.x * blockDim.x + threadIdx.x;
  u32 y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float c_real = add_rn(left, multiply_rn((float)x, step));
  float c_imaginary = add_rn(top, multiply_rn((float)y, step));
  float real = 0;
  float imaginary = 0;
  u32 count = 0;
  while (count < limit) {
    float real_squared = multiply_rn(real, real);
    float imaginary_squared = multiply_rn(imaginary, imaginary);
    if (add_rn(real_squared, imaginary_squared) > 4.0f) break;
    float product = multiply_rn(real, imaginary);
    imaginary = add_rn(add_rn(product, product), c_imaginary);
    real = add_rn(add_rn(real_squared, -imaginary_squared), c_real);
    ++count;
  }
  counts[y * width + x] = count;
}
