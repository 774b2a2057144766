// The cheapest way through a grid of costs from its first row to each cell of its last one, a step going straight down
// or to a cell beside that. A launch does several rows: each CTA reads more columns than it has, by one a row on either
// side (ghost zones), and computes these, which its neighbours compute as well, instead of waiting for them.
#include "workloads/common/cuda_device.h"

#define CTA 128

/// `costs` has `columns` a row; `before` are the cheapest ways to the row above `first_row`, `after` those to the last of
/// `rows` rows. A CTA answers for CTA - 2 * rows columns.
KERNEL pathfinder(const u32* costs, const u32* before, u32* after, s32 columns, u32 first_row, u32 rows) {
  __shared__ u32 ways[2][CTA];
  s32 lane = threadIdx.x;
  s32 ghosts = rows;
  s32 column = (s32)blockIdx.x * (CTA - 2 * ghosts) - ghosts + lane;
  bool inside = column >= 0 && column < columns;
  u32 way = inside ? before[column] : ~0u;
  ways[0][lane] = way;
  syncthreads();
  for (u32 row = 0; row < rows; ++row) {
    u32 left = ways[row % 2][larger(lane - 1, 0)];  // at either end this is wrong, a column more each row
    u32 right = ways[row % 2][smaller(lane + 1, CTA - 1)];
    if (inside) way = costs[(first_row + row) * (u32)columns + (u32)column] + smaller(way, smaller(left, right));
    ways[(row + 1) % 2][lane] = way;
    syncthreads();
  }
  if (inside && lane >= ghosts && lane < CTA - ghosts) after[column] = way;
}
