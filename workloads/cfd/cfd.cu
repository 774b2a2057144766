// Euler's equations of a compressible gas on an unstructured mesh: finite volumes with Rusanov's flux, three stages of
// Runge and Kutta. Every cell has four faces; neighbours come by index, so loads scatter. Variables are stored one
// after the other: density, momentum in x, y, z, energy.
#include "workloads/common/cuda_device.h"

#define FACES 4
#define VARIABLES 5
#define WALL (-1)
#define GAMMA 1.4f

struct State {
  float density;
  float momentum[3];
  float energy;
};

/// The undisturbed flow, beyond the faces whose neighbour is neither a cell nor a wall.
__constant__ State far_field;

struct Derived {
  float velocity[3];
  float pressure;
  float fastest;  // speed of the flow and of sound
};

INLINE State load_state(const float* variables, u32 cells, u32 cell) {
  return {variables[cell],
          {variables[cells + cell], variables[2 * cells + cell], variables[3 * cells + cell]},
          variables[4 * cells + cell]};
}

__device__ __noinline__ Derived derive(State state) {
  Derived d;
  float squared = 0;
  for (u32 axis = 0; axis < 3; ++axis) {
    d.velocity[axis] = state.momentum[axis] / state.density;
    squared = __builtin_fmaf(d.velocity[axis], d.velocity[axis], squared);
  }
  d.pressure = (GAMMA - 1) * (state.energy - 0.5f * state.density * squared);
  d.fastest = square_root(squared) + square_root(GAMMA * d.pressure / state.density);
  return d;
}

/// Adds what flows through the face into the cell: half of both fluxes along the normal.
INLINE void add_flux(State& sum, const State& state, const Derived& d, const float* normal) {
  float through = d.velocity[0] * normal[0] + d.velocity[1] * normal[1] + d.velocity[2] * normal[2];
  sum.density -= 0.5f * through * state.density;
  for (u32 axis = 0; axis < 3; ++axis)
    sum.momentum[axis] -= 0.5f * (through * state.momentum[axis] + d.pressure * normal[axis]);
  sum.energy -= 0.5f * through * (state.energy + d.pressure);
}

/// Time step of a cell: a fixed part of the time that the fastest wave needs to cross it.
KERNEL cfd_step_factor(const float* variables, const float* areas, float* factors, u32 cells) {
  u32 cell = global_thread();
  if (cell >= cells) return;
  Derived d = derive(load_state(variables, cells, cell));
  factors[cell] = 0.25f / (square_root(areas[cell]) * d.fastest);
}

KERNEL cfd_flux(const s32* neighbours, const float* normals, const float* variables, float* fluxes, u32 cells) {
  u32 cell = global_thread();
  if (cell >= cells) return;
  State own = load_state(variables, cells, cell);
  Derived own_derived = derive(own);
  State sum = {0, {0, 0, 0}, 0};
  for (u32 face = 0; face < FACES; ++face) {
    float normal[3];
    for (u32 axis = 0; axis < 3; ++axis) normal[axis] = normals[(face * 3 + axis) * cells + cell];
    s32 neighbour = neighbours[face * cells + cell];
    if (neighbour == WALL) {
      for (u32 axis = 0; axis < 3; ++axis) sum.momentum[axis] -= own_derived.pressure * normal[axis];
      continue;
    }
    State other = neighbour >= 0 ? load_state(variables, cells, neighbour) : far_field;
    Derived other_derived = derive(other);
    add_flux(sum, own, own_derived, normal);
    add_flux(sum, other, other_derived, normal);
    float length = square_root(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    float smoothing = 0.5f * length * maximum(own_derived.fastest, other_derived.fastest);
    sum.density += smoothing * (other.density - own.density);
    for (u32 axis = 0; axis < 3; ++axis) sum.momentum[axis] += smoothing * (other.momentum[axis] - own.momentum[axis]);
    sum.energy += smoothing * (other.energy - own.energy);
  }
  fluxes[cell] = sum.density;
  for (u32 axis = 0; axis < 3; ++axis) fluxes[(1 + axis) * cells + cell] = sum.momentum[axis];
  fluxes[4 * cells + cell] = sum.energy;
}

KERNEL cfd_time_step(const float* before, float* variables, const float* factors, const float* fluxes, u32 cells,
                     u32 stages_left) {
  u32 cell = global_thread();
  if (cell >= cells) return;
  float factor = factors[cell] / (float)stages_left;
  for (u32 variable = 0; variable < VARIABLES; ++variable) {
    u32 i = variable * cells + cell;
    variables[i] = before[i] + factor * fluxes[i];
  }
}
