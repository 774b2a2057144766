// target: sm_70
// Recurrent layers, all time steps in one grid. A CTA computes tiles of 16 units x 16 samples, as a matrix product with
// the state of the step before, which other CTAs have computed: each tile is published under a flag of its step, and a
// tile of the next step waits for all of those that it reads. The host launches no more CTAs than SMs, so all are on the
// machine at once. Sums are made in the order of their index, each product fused, so that a CPU can repeat them.
#include "workloads/common/cuda_device.h"

#define TILE 16

struct Layer {
  u32 units;
  u32 batch;
  u32 steps;
  u32 system;  // scope of the flags: whether it is the system's
};

/// Adds to sums[g] the products of a row of the gate's weights (units x units) with a sample's state (batch x units);
/// the thread has the row threadIdx.x of the tile and the sample threadIdx.y.
template <u32 GATES>
INLINE void add_products(float* sums, const float* weights, const float* state, u32 units, u32 unit, u32 sample) {
  __shared__ float weight[GATES][TILE][TILE + 1];
  __shared__ float before[TILE][TILE + 1];
  u32 x = threadIdx.x, y = threadIdx.y;
  for (u32 from = 0; from < units; from += TILE) {
    for (u32 gate = 0; gate < GATES; ++gate)
      weight[gate][y][x] = weights[(gate * units + unit + y) * units + from + x];
    before[y][x] = state[(sample + y) * units + from + x];
    syncthreads();
    for (u32 k = 0; k < TILE; ++k)
      for (u32 gate = 0; gate < GATES; ++gate)
        sums[gate] = __builtin_fmaf(weight[gate][x][k], before[y][k], sums[gate]);
    syncthreads();
  }
}

/// Goes through the steps with the CTA's share of the tiles: `cell(step, place, sums)` makes of the sums of the gates,
/// which begin with `given`, the new state at `place` of batch x units. `states` begins with that before the first step;
/// `given` has the gates of a step behind each other. `arrived` has a flag for each step and 16 samples.
template <u32 GATES, class Cell>
INLINE void recur(Layer layer, const float* given, const float* weights, float* states, u32* arrived, Cell cell) {
  u32 across = layer.units / TILE;
  u32 down = layer.batch / TILE;
  u32 size = layer.batch * layer.units;
  u32 first = across * down * blockIdx.x / gridDim.x;
  u32 end = across * down * (blockIdx.x + 1) / gridDim.x;
  for (u32 step = 0; step < layer.steps; ++step)
    for (u32 tile = first; tile < end; ++tile) {
      u32 unit = tile % across * TILE, sample = tile / across * TILE;
      u32 place = (sample + threadIdx.y) * layer.units + unit + threadIdx.x;
      float sums[GATES];
      for (u32 gate = 0; gate < GATES; ++gate) sums[gate] = given[(step * GATES + gate) * size + place];
      u32* flag = arrived + step * down + tile / across;
      if (step > 0) await(flag - down, across, layer.system);
      add_products<GATES>(sums, weights, states + step * size, layer.units, unit, sample);
      states[(step + 1) * size + place] = cell(step, place, sums);
      publish(flag, layer.system);
    }
}

/// Forward: the state is max(0, given + weights * state before). Backward, with the weights transposed and the steps in
/// the opposite order: the gradient is that of the sum, where `active`, the state that the forward run had, is above 0.
KERNEL rnn(Layer layer, const float* given, const float* weights, const float* active, float* states, u32* arrived) {
  u32 size = layer.batch * layer.units;
  recur<1>(layer, given, weights, states, arrived, [=](u32 step, u32 place, const float* sums) {
    return (active ? active[step * size + place] : sums[0]) > 0 ? sums[0] : 0.0f;
  });
}

/// The gradient of the weights, gradient[to][from] = sum over rows of delta[row][to] * before[row][from], where a row is
/// a sample of a step. The rows of a tile are dealt to `chunks` CTAs with neighbouring numbers: each adds what it has
/// summed up to what the one below passes on, for which it waits.
KERNEL rnn_wgrad(const float* deltas, const float* before, float* gradient, u32* passed, u32 units, u32 rows,
                 u32 chunks, u32 system) {
  __shared__ float delta[TILE][TILE + 1];
  __shared__ float state[TILE][TILE + 1];
  u32 x = threadIdx.x, y = threadIdx.y;
  u32 tile = blockIdx.x / chunks, chunk = blockIdx.x % chunks;
  u32 to = tile / (units / TILE) * TILE, from = tile % (units / TILE) * TILE;
  float sum = 0;
  for (u32 row = rows / chunks * chunk; row < rows / chunks * (chunk + 1); row += TILE) {
    delta[y][x] = deltas[(row + y) * units + to + x];
    state[y][x] = before[(row + y) * units + from + x];
    syncthreads();
    for (u32 k = 0; k < TILE; ++k) sum = __builtin_fmaf(delta[k][y], state[k][x], sum);
    syncthreads();
  }
  float* place = &gradient[(to + y) * units + from + x];
  if (chunk > 0) {
    await(&passed[tile], chunk, system);
    sum = add_rn(*place, sum);
  }
  *place = sum;
  publish(&passed[tile], system);
}

/// Sigmoid and tanh as straight lines with limits, which round in one way.
INLINE float gate_of(float z) {
  return minimum(maximum(__builtin_fmaf(z, 0.25f, 0.5f), 0.0f), 1.0f);
}
INLINE float limited(float z) {
  return minimum(maximum(z, -1.0f), 1.0f);
}

/// Long short-term memory; gates are input, forget, cell and output. `cells` is read and written by the tile's CTA alone.
KERNEL lstm(Layer layer, const float* given, const float* weights, float* cells, float* states, u32* arrived) {
  recur<4>(layer, given, weights, states, arrived, [=](u32, u32 place, const float* sums) {
    float kept = multiply_rn(gate_of(sums[1]), cells[place]);
    float cell = add_rn(kept, multiply_rn(gate_of(sums[0]), limited(sums[2])));
    cells[place] = cell;
    return multiply_rn(gate_of(sums[3]), limited(cell));
  });
}
