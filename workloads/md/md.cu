// Molecular dynamics: atoms with Lennard-Jones forces up to a cut-off, in a periodic box of cells at least as wide as that.
// A cell has 8 places. A thread computes the force on an atom from those of its own and the 26 cells around.
#include "workloads/common/cuda_device.h"

#define PLACES 8

INLINE float4 operator-(float4 a, float4 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z, 0};
}

/// `atoms` have x, y, z from 0 to `box`; `counts` says how many places of a cell are taken, from the first one.
KERNEL md_forces(const float4* atoms, const u32* counts, float4* forces, u32 side, float box, float cut_off) {
  u32 atom = global_thread();
  u32 cell = atom / PLACES;
  if (cell >= side * side * side || atom % PLACES >= counts[cell]) return;
  s32 x = cell % side, y = cell / side % side, z = cell / (side * side);
  float4 here = atoms[atom];
  float4 force = {0, 0, 0, 0};
  for (s32 neighbour = 0; neighbour < 27; ++neighbour) {
    s32 at[3] = {x + neighbour % 3 - 1, y + neighbour / 3 % 3 - 1, z + neighbour / 9 - 1};
    float shift[3];
    for (u32 axis = 0; axis < 3; ++axis) {
      shift[axis] = at[axis] < 0 ? -box : at[axis] == (s32)side ? box : 0;
      at[axis] = at[axis] < 0 ? (s32)side - 1 : at[axis] == (s32)side ? 0 : at[axis];
    }
    u32 other_cell = ((u32)at[2] * side + (u32)at[1]) * side + (u32)at[0];
    u32 first = other_cell * PLACES, end = first + counts[other_cell];
    for (u32 other = first; other < end; ++other) {
      float4 there = atoms[other];
      float4 away = here - float4{there.x + shift[0], there.y + shift[1], there.z + shift[2], 0};
      float square = away.x * away.x + away.y * away.y + away.z * away.z;
      if (square >= cut_off * cut_off || other == atom) continue;
      float inverse = reciprocal(square);
      float sixth = inverse * inverse * inverse;
      float strength = 24 * inverse * (2 * sixth * sixth - sixth);
      force.x += strength * away.x;
      force.y += strength * away.y;
      force.z += strength * away.z;
    }
  }
  forces[atom] = force;
}

/// A step in time of all atoms: velocities by forces, places by velocities.
KERNEL md_advance(float4* atoms, float4* velocities, const float4* forces, const u32* counts, u32 cells, float step) {
  u32 atom = global_thread();
  if (atom / PLACES >= cells || atom % PLACES >= counts[atom / PLACES]) return;
  float4 force = forces[atom], velocity = velocities[atom], place = atoms[atom];
  velocity.x = __builtin_fmaf(step, force.x, velocity.x);
  velocity.y = __builtin_fmaf(step, force.y, velocity.y);
  velocity.z = __builtin_fmaf(step, force.z, velocity.z);
  place.x = __builtin_fmaf(step, velocity.x, place.x);
  place.y = __builtin_fmaf(step, velocity.y, place.y);
  place.z = __builtin_fmaf(step, velocity.z, place.z);
  velocities[atom] = velocity;
  atoms[atom] = place;
}
