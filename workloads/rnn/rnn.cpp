#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/rnn/layer.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

using rnn::fused_sum;
using rnn::Layer;
using Floats = std::vector<float>;

Layer layer_of(const Context& context) {
  return {by_size(context.size, 48U, 256U, 1024U), by_size(context.size, 16U, 64U, 128U),
          by_size(context.size, 6U, 10U, 4U), system_scope(context)};
}

/// Weights that keep sums from growing with the number of units.
Floats random_weights(const Context& context, std::uint32_t units) {
  const double most = 2 / std::sqrt(units);
  return random_reals(context.seed, "rnn.weights", std::size_t{units} * units, -most, most);
}

/// Runs the recurrence over `given`; the states, beginning with `first`. `active`: of a backward run.
Floats recur(const Context& context, const Layer& layer, const Floats& given, const Floats& weights,
             const Floats& first, const Floats& active) {
  Program program(context);
  const DevicePointer device_given = program.upload(given);
  const DevicePointer device_weights = program.upload(weights);
  const DevicePointer device_active = active.empty() ? DevicePointer{} : program.upload(active);
  Floats at_first = first;
  at_first.resize(first.size() * (layer.steps + 1));
  const DevicePointer states = program.upload(at_first);
  const DevicePointer arrived = program.allocate<std::uint32_t>(layer.steps * layer.batch / 16);
  // As many CTAs as SMs fit at once wherever the work distributor puts them, and no other grid runs.
  const auto ctas = std::min<std::uint32_t>(context.device.sm_count(), static_cast<std::uint32_t>(layer.tiles()));
  program.launch("rnn", {{ctas, 1, 1}, {16, 16, 1}, 0}, layer, device_given, device_weights, device_active, states,
                 arrived);
  return program.download<float>(states, at_first.size());
}

}  // namespace

Verdict run_rnn(const Context& context) {
  const Layer layer = layer_of(context);
  const Floats weights = random_weights(context, layer.units);
  const Floats given = random_reals(context.seed, "rnn.given", layer.state() * layer.steps, -1, 1);
  Floats expected = random_reals(context.seed, "rnn.first", layer.state(), 0, 1);
  const Floats states = recur(context, layer, given, weights, expected, {});

  for (std::size_t i = 0; i < given.size(); ++i) {
    const float* const before = &expected[i / layer.units * layer.units];
    const float sum = fused_sum(given[i], &weights[i % layer.units * layer.units], 1, before, 1, layer.units);
    expected.push_back(std::max(sum, 0.0F));
  }
  return compare_exact("state", states, expected);
}

Verdict run_rnn_dgrad(const Context& context) {
  const Layer layer = layer_of(context);
  const Floats weights = random_weights(context, layer.units);
  const Floats given = random_reals(context.seed, "rnn.upstream", layer.state() * layer.steps, -1, 1);
  const Floats active = random_reals(context.seed, "rnn.active", layer.state() * layer.steps, -1, 1);
  Floats transposed(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    transposed[i % layer.units * layer.units + i / layer.units] = weights[i];
  Floats expected(layer.state());  // no gradient comes from behind the last step
  const Floats gradients = recur(context, layer, given, transposed, expected, active);

  for (std::size_t i = 0; i < given.size(); ++i) {
    const float* const behind = &expected[i / layer.units * layer.units];
    const float sum = fused_sum(given[i], &weights[i % layer.units], layer.units, behind, 1, layer.units);
    expected.push_back(active[i] > 0 ? sum : 0);
  }
  return compare_exact("gradient", gradients, expected);
}

Verdict run_rnn_wgrad(const Context& context) {
  const Layer layer = layer_of(context);
  const std::uint32_t chunks = layer.steps / 2;  // of two steps each
  const std::uint32_t rows = layer.steps * layer.batch;
  const std::uint32_t tiles = layer.units / 16 * (layer.units / 16);
  const Floats deltas = random_reals(context.seed, "rnn.deltas", std::size_t{rows} * layer.units, -1, 1);
  const Floats before = random_reals(context.seed, "rnn.before", std::size_t{rows} * layer.units, 0, 1);

  Program program(context);
  const DevicePointer device_deltas = program.upload(deltas);
  const DevicePointer device_before = program.upload(before);
  const std::size_t weights = std::size_t{layer.units} * layer.units;
  const DevicePointer gradient = program.allocate<float>(weights);
  const DevicePointer passed = program.allocate<std::uint32_t>(tiles);
  program.launch("rnn_wgrad", {{tiles * chunks, 1, 1}, {16, 16, 1}, 0}, device_deltas, device_before, gradient, passed,
                 layer.units, rows, chunks, layer.system);

  Floats expected(weights);
  for (std::size_t i = 0; i < weights; ++i)
    for (std::size_t row = 0; row < rows; row += rows / chunks) {
      const std::size_t start = row * layer.units;
      expected[i] += fused_sum(0, &deltas[start + i / layer.units], layer.units, &before[start + i % layer.units],
                               layer.units, rows / chunks);
    }
  return compare_exact("gradient of a weight", program.download<float>(gradient, weights), expected);
}

}  // namespace syncline::workloads
