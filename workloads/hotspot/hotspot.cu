// Temperature of a chip by finite differences. A launch does several time steps: a CTA loads a tile with a margin as
// wide as the steps, and what can be computed of it shrinks by one field a step. Edges of the chip are adiabatic.
#include "workloads/common/cuda_device.h"

#define TILE 16

/// What a field takes from its neighbours, the air and its own power in one time step.
struct Weights {
  float across;
  float along;
  float air;
  float power;
  float ambient;
};

KERNEL hotspot(const float* before, const float* power, float* after, s32 width, s32 height, s32 steps,
               Weights weights) {
  __shared__ float temperature[2][TILE][TILE];
  s32 x = threadIdx.x;
  s32 y = threadIdx.y;
  s32 inner = TILE - 2 * steps;
  s32 column = (s32)blockIdx.x * inner - steps + x;
  s32 row = (s32)blockIdx.y * inner - steps + y;
  bool on_chip = column >= 0 && column < width && row >= 0 && row < height;
  float own_power = 0;
  if (on_chip) {
    temperature[0][y][x] = before[row * width + column];
    own_power = power[row * width + column];
  }
  s32 west = column > 0 ? x - 1 : x;
  s32 east = column < width - 1 ? x + 1 : x;
  s32 north = row > 0 ? y - 1 : y;
  s32 south = row < height - 1 ? y + 1 : y;
  for (s32 step = 0; step < steps; ++step) {
    syncthreads();
    s32 margin = step + 1;
    if (on_chip && x >= margin && x < TILE - margin && y >= margin && y < TILE - margin) {
      float(*now)[TILE] = temperature[step % 2];
      float own = now[y][x];
      temperature[margin % 2][y][x] = own + weights.across * (now[y][west] + now[y][east] - 2 * own) +
                                      weights.along * (now[north][x] + now[south][x] - 2 * own) +
                                      weights.air * (weights.ambient - own) + weights.power * own_power;
    }
  }
  syncthreads();
  if (on_chip && x >= steps && x < TILE - steps && y >= steps && y < TILE - steps)
    after[row * width + column] = temperature[steps % 2][y][x];
}
