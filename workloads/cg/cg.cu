// target: sm_70
// Conjugate gradients for (6 + shift) u - (sum of the six neighbours of u) = f on a box whose outside is 0, without a
// matrix. Scalar products are added up in the system's scope over all CTAs: `sums` holds p*q and, by the parity of the
// round, r*r before and after it.
#include "workloads/common/cuda_device.h"

#define CTA 128

/// Adds the CTA's values to `sum`.
INLINE void add_up(double value, double* sum) {
  __shared__ double values[CTA];
  values[threadIdx.x] = value;
  syncthreads();
  for (u32 half = CTA / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    syncthreads();
  }
  if (threadIdx.x == 0) add_sys(sum, values[0]);
}

struct Sums {
  double pq;
  double rr[2];
};

/// q = A p, and p*q. Makes room for the next r*r.
KERNEL cg_apply(const double* p, double* q, Sums* sums, u32 side, double shift, u32 round) {
  u32 cell = global_thread();
  double product = 0;
  if (cell < side * side * side) {
    u32 x = cell % side, y = cell / side % side, z = cell / (side * side);
    double around = 0;
    if (x > 0) around += p[cell - 1];
    if (x + 1 < side) around += p[cell + 1];
    if (y > 0) around += p[cell - side];
    if (y + 1 < side) around += p[cell + side];
    if (z > 0) around += p[cell - side * side];
    if (z + 1 < side) around += p[cell + side * side];
    q[cell] = (6 + shift) * p[cell] - around;
    product = p[cell] * q[cell];
  }
  if (cell == 0) sums->rr[(round + 1) % 2] = 0;
  add_up(product, &sums->pq);
}

/// u += alpha p, r -= alpha q, and the next r*r.
KERNEL cg_advance(double* u, double* r, const double* p, const double* q, Sums* sums, u32 cells, u32 round) {
  u32 cell = global_thread();
  double square = 0;
  if (cell < cells) {
    double alpha = sums->rr[round % 2] / sums->pq;
    u[cell] += alpha * p[cell];
    double left = r[cell] - alpha * q[cell];
    r[cell] = left;
    square = left * left;
  }
  add_up(square, &sums->rr[(round + 1) % 2]);
}

/// p = r + beta p. Makes room for the next p*q.
KERNEL cg_turn(double* p, const double* r, Sums* sums, u32 cells, u32 round) {
  u32 cell = global_thread();
  if (cell < cells) p[cell] = r[cell] + sums->rr[(round + 1) % 2] / sums->rr[round % 2] * p[cell];
  if (cell == 0) sums->pq = 0;
}
