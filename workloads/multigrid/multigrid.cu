// Poisson's equation on a cube with a border of zeros, by V-cycles: 6 u - (sum of the six neighbours of u) = f, on grids of
// 2^k - 1 cells a side, each with its border around it. A thread per cell. Sums are made in the order of x, then y, then z,
// each product fused, so that a CPU can repeat them.
#include "workloads/common/cuda_device.h"

struct Cell {
  u32 x, y, z;  // from 1, for the border is 0
  bool inside;
};
INLINE Cell own_cell(u32 side) {
  u32 thread = global_thread();
  return {1 + thread % side, 1 + thread / side % side, 1 + thread / (side * side), thread < side * side * side};
}
INLINE u32 place(u32 x, u32 y, u32 z, u32 side) {
  return (z * (side + 2) + y) * (side + 2) + x;
}

/// f - (6 u - around).
INLINE float residual(const float* u, const float* f, u32 at, u32 side) {
  u32 row = side + 2, plane = row * row;
  float around = add_rn(add_rn(add_rn(u[at - 1], u[at + 1]), add_rn(u[at - row], u[at + row])),
                        add_rn(u[at - plane], u[at + plane]));
  return __builtin_fmaf(-6.0f, u[at], add_rn(around, f[at]));
}

/// A damped Jacobi step.
KERNEL multigrid_smooth(const float* u, const float* f, float* smoothed, u32 side) {
  Cell cell = own_cell(side);
  if (!cell.inside) return;
  u32 at = place(cell.x, cell.y, cell.z, side);
  smoothed[at] = __builtin_fmaf(1.0f / 7, residual(u, f, at, side), u[at]);
}

KERNEL multigrid_residual(const float* u, const float* f, float* left, u32 side) {
  Cell cell = own_cell(side);
  if (!cell.inside) return;
  u32 at = place(cell.x, cell.y, cell.z, side);
  left[at] = residual(u, f, at, side);
}

/// For a thread per coarse cell: the residuals of the 27 fine cells around it make its f, and its u begins with 0.
KERNEL multigrid_restrict(const float* left, float* coarse_f, float* coarse_u, u32 fine_side, u32 side) {
  Cell cell = own_cell(side);
  if (!cell.inside) return;
  float sum = 0;
  for (u32 z = 0; z < 3; ++z)
    for (u32 y = 0; y < 3; ++y)
      for (u32 x = 0; x < 3; ++x) {
        float weight = (x == 1 ? 0.5f : 0.25f) * (y == 1 ? 1.0f : 0.5f) * (z == 1 ? 1.0f : 0.5f);
        sum = __builtin_fmaf(weight, left[place(2 * cell.x + x - 1, 2 * cell.y + y - 1, 2 * cell.z + z - 1, fine_side)],
                             sum);
      }
  u32 at = place(cell.x, cell.y, cell.z, side);
  coarse_f[at] = sum;
  coarse_u[at] = 0;
}

/// For a thread per fine cell: adds what the coarse cells on and beside it give; an odd number lies between two.
KERNEL multigrid_prolong(const float* coarse_u, float* u, u32 coarse_side, u32 side) {
  Cell cell = own_cell(side);
  if (!cell.inside) return;
  u32 at = place(cell.x, cell.y, cell.z, side);
  float weight = (cell.x % 2 ? 0.5f : 1.0f) * (cell.y % 2 ? 0.5f : 1.0f) * (cell.z % 2 ? 0.5f : 1.0f);
  float sum = u[at];
  for (u32 z = cell.z / 2; z <= (cell.z + 1) / 2; ++z)
    for (u32 y = cell.y / 2; y <= (cell.y + 1) / 2; ++y)
      for (u32 x = cell.x / 2; x <= (cell.x + 1) / 2; ++x)
        sum = __builtin_fmaf(weight, coarse_u[place(x, y, z, coarse_side)], sum);
  u[at] = sum;
}
