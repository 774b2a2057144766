// target: sm_70
// Discrete ordinates on a box: particles fly along rays of 32 angles in each of the eight octants, and every cell needs
// what leaves its three neighbours upwind (diamond differences). A CTA has a thread per angle and a tile of 4 x 4 columns
// of cells, which it goes through from plane to plane. After some planes it publishes what leaves the tile; the tiles
// downwind wait for it. All octants are one grid. A CTA waits only for CTAs with lower numbers.
#include "workloads/common/cuda_device.h"

#define TILE 4
#define ANGLES 32
#define OCTANTS 8

/// Direction cosines by the width of a cell, twice.
struct Angle {
  float x, y, z;
};

struct Box {
  u32 x, y, z;       // cells; x and y are multiples of TILE
  u32 planes;        // between two hand-overs
  u32 system;        // scope of the flags: whether it is the system's
};

/// Row by row: `x_faces` (octant, y, z, angle) and `y_faces` (octant, x, z, angle) have what comes into the box, and, as
/// tile after tile replaces it, what has come so far. These two count in the direction of the octant. `psi` (octant, z, y,
/// x, angle) is the flux in each cell. `passed` has a flag per octant and tile.
KERNEL sweep(Box box, const Angle* angles, const float* source, const float* absorption, float* x_faces, float* y_faces,
             float* psi, u32* passed) {
  u32 across = box.x / TILE;
  u32 tiles = across * (box.y / TILE);
  u32 octant = blockIdx.x / tiles, tile = blockIdx.x % tiles;
  u32 tile_x = tile % across, tile_y = tile / across;
  u32* flag = &passed[blockIdx.x];
  u32 thread = threadIdx.x;
  Angle angle = angles[thread];
  float streaming = add_rn(add_rn(angle.x, angle.y), angle.z);
  float from_below[TILE][TILE];
#pragma unroll
  for (u32 y = 0; y < TILE; ++y)
#pragma unroll
    for (u32 x = 0; x < TILE; ++x) from_below[y][x] = 0;  // nothing comes in along z

  for (u32 first = 0; first < box.z; first += box.planes) {
    u32 handed_over = first / box.planes + 1;
    if (tile_x > 0) await(flag - 1, handed_over, box.system);
    if (tile_y > 0) await(flag - across, handed_over, box.system);
    for (u32 z = first; z < first + box.planes; ++z) {
      float* x_face = &x_faces[((octant * box.y + tile_y * TILE) * box.z + z) * ANGLES + thread];
      float* y_face = &y_faces[((octant * box.x + tile_x * TILE) * box.z + z) * ANGLES + thread];
      float from_y[TILE];
#pragma unroll
      for (u32 x = 0; x < TILE; ++x) from_y[x] = y_face[x * box.z * ANGLES];
#pragma unroll
      for (u32 y = 0; y < TILE; ++y) {
        float from_x = x_face[y * box.z * ANGLES];
#pragma unroll
        for (u32 x = 0; x < TILE; ++x) {
          u32 cell_x = tile_x * TILE + x, cell_y = tile_y * TILE + y, cell_z = z;
          if (octant & 1) cell_x = box.x - 1 - cell_x;
          if (octant & 2) cell_y = box.y - 1 - cell_y;
          if (octant & 4) cell_z = box.z - 1 - cell_z;
          u32 cell = (cell_z * box.y + cell_y) * box.x + cell_x;
          float in = __builtin_fmaf(angle.x, from_x, source[cell]);
          in = __builtin_fmaf(angle.y, from_y[x], in);
          in = __builtin_fmaf(angle.z, from_below[y][x], in);
          float here = in / add_rn(absorption[cell], streaming);
          psi[(octant * box.z * box.y * box.x + cell) * ANGLES + thread] = here;
          from_x = __builtin_fmaf(2.0f, here, -from_x);
          from_y[x] = __builtin_fmaf(2.0f, here, -from_y[x]);
          from_below[y][x] = __builtin_fmaf(2.0f, here, -from_below[y][x]);
        }
        x_face[y * box.z * ANGLES] = from_x;
      }
#pragma unroll
      for (u32 x = 0; x < TILE; ++x) y_face[x * box.z * ANGLES] = from_y[x];
    }
    publish(flag, box.system);
  }
}

/// The scalar flux of four cells a CTA, a thread for each angle: over the octants in order, then over pairs of angles.
KERNEL sweep_flux(const float* psi, const float* weights, float* flux, u32 cells) {
  __shared__ float sums[4 * ANGLES];
  u32 thread = threadIdx.x, angle = thread % ANGLES;
  float sum = 0;
  for (u32 octant = 0; octant < OCTANTS; ++octant)
    sum = __builtin_fmaf(weights[angle], psi[octant * cells * ANGLES + global_thread()], sum);
  sums[thread] = sum;
  for (u32 half = ANGLES / 2; half > 0; half /= 2) {
    syncthreads();
    if (angle < half) sums[thread] = add_rn(sums[thread], sums[thread + half]);
  }
  if (angle == 0) flux[global_thread() / ANGLES] = sums[thread];
}
