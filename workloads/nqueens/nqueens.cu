// Counts the placements of n queens that do not attack each other. A thread gets the columns of the first three rows
// from its index and searches the rest with a stack of its own in local memory: lanes diverge in depth and in work.
#include "workloads/common/cuda_device.h"

#define ROWS 16

/// Fields of the next row that are attacked, one bit a column.
struct Row {
  u32 columns;
  u32 left;
  u32 right;
};

INLINE Row after(Row row, u32 queen) {
  return {row.columns | queen, (row.left | queen) << 1, (row.right | queen) >> 1};
}
INLINE u32 free_fields(Row row, u32 board) {
  return ~(row.columns | row.left | row.right) & board;
}

KERNEL nqueens(u32 n, u64* solutions) {
  u32 thread = global_thread();
  if (thread >= n * n * n) return;
  u32 board = (1u << n) - 1;
  Row row = {0, 0, 0};
  u32 start = thread;
  for (u32 placed = 0; placed < 3; ++placed) {
    u32 queen = 1u << (start % n);
    if (!(free_fields(row, board) & queen)) return;
    row = after(row, queen);
    start /= n;
  }

  Row rows[ROWS];
  u32 open[ROWS];  // fields of the row that are still to be tried
  s32 depth = 0;
  u32 found = 0;
  rows[0] = row;
  open[0] = free_fields(row, board);
  while (depth >= 0) {
    if (open[depth] == 0) {
      --depth;
      continue;
    }
    u32 queen = open[depth] & -open[depth];
    open[depth] ^= queen;
    if (depth + 4 == (s32)n) {
      ++found;
    } else {
      rows[depth + 1] = after(rows[depth], queen);
      ++depth;
      open[depth] = free_fields(rows[depth], board);
    }
  }
  if (found != 0) atomic_add(solutions, (u64)found);
}
