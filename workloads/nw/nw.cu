// Needleman-Wunsch: scores of the best global alignment of two sequences. Tiles of 32x32 on one anti-diagonal of tiles
// are independent and make one launch; inside a tile one warp walks the anti-diagonals, a lane per column. The
// substitution table is read at a different address in every lane.
#include "workloads/common/cuda_device.h"

#define TILE 32
#define LETTERS 20

__constant__ s32 substitution[LETTERS * LETTERS];

/// `scores` has (length + 1)^2 elements, row 0 and column 0 filled in. `first_row`: tile row of this launch's first
/// CTA.
KERNEL nw_tiles(s32* scores, const u8* across, const u8* down, u32 length, u32 diagonal, u32 first_row, s32 gap) {
  __shared__ s32 tile[TILE + 1][TILE + 1];
  u32 lane = threadIdx.x;
  u32 pitch = length + 1;
  u32 tile_row = first_row + blockIdx.x;
  u32 tile_column = diagonal - tile_row;
  s32* corner = scores + tile_row * TILE * pitch + tile_column * TILE;

  tile[0][lane + 1] = corner[lane + 1];
  tile[lane + 1][0] = corner[(lane + 1) * pitch];
  if (lane == 0) tile[0][0] = corner[0];
  u32 letter = across[tile_column * TILE + lane];
  const u8* letters_down = down + tile_row * TILE;
  for (u32 step = 0; step < 2 * TILE - 1; ++step) {
    syncthreads();
    u32 row = step - lane;  // wraps to a large number before the lane's turn
    if (row < TILE) {
      s32 matched = tile[row][lane] + substitution[letters_down[row] * LETTERS + letter];
      s32 skipped = larger(tile[row][lane + 1], tile[row + 1][lane]) - gap;
      tile[row + 1][lane + 1] = larger(matched, skipped);
    }
  }
  syncthreads();
  for (u32 row = 1; row <= TILE; ++row) corner[row * pitch + lane + 1] = tile[row][lane + 1];
}
