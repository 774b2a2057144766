#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/rnn/layer.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

using rnn::Layer;

struct Memory {
  std::vector<float> cells;
  std::vector<float> states;  ///< of all steps so far
};

/// One step of all samples; each operation is rounded once, in the order that the kernel has.
void remember(Memory& memory, const Layer& layer, const float* given, const std::vector<float>& weights) {
  const auto open = [](float z) { return std::clamp(std::fma(z, 0.25F, 0.5F), 0.0F, 1.0F); };
  const auto limited = [](float z) { return std::clamp(z, -1.0F, 1.0F); };
  const std::size_t start = memory.states.size() - layer.state();
  for (std::size_t i = 0; i < layer.state(); ++i) {
    const std::size_t unit = i % layer.units;
    const auto gate = [&](std::size_t number) {
      return rnn::fused_sum(given[number * layer.state() + i], &weights[(number * layer.units + unit) * layer.units], 1,
                            &memory.states[start + i - unit], 1, layer.units);
    };
    float& cell = memory.cells[i];
    cell = open(gate(1)) * cell + open(gate(0)) * limited(gate(2));
    memory.states.push_back(open(gate(3)) * limited(cell));
  }
}

}  // namespace

Verdict run_lstm(const Context& context) {
  const Layer layer{by_size(context.size, 32U, 192U, 512U), by_size(context.size, 16U, 64U, 256U),
                    by_size(context.size, 4U, 8U, 4U), system_scope(context)};
  const double most = 2 / std::sqrt(layer.units);
  const std::vector<float> weights =
      random_reals(context.seed, "lstm.weights", std::size_t{4} * layer.units * layer.units, -most, most);
  const std::vector<float> given = random_reals(context.seed, "lstm.given", 4 * layer.state() * layer.steps, -1.5, 1.5);
  Memory memory{std::vector<float>(layer.state()), random_reals(context.seed, "lstm.first", layer.state(), -1, 1)};

  Program program(context);
  const DevicePointer device_given = program.upload(given);
  const DevicePointer device_weights = program.upload(weights);
  const DevicePointer cells = program.allocate<float>(layer.state());
  std::vector<float> at_first = memory.states;
  at_first.resize(layer.state() * (layer.steps + 1));
  const DevicePointer states = program.upload(at_first);
  const DevicePointer arrived = program.allocate<std::uint32_t>(layer.steps * layer.batch / 16);
  // As many CTAs as SMs fit at once wherever the work distributor puts them, and no other grid runs.
  const auto ctas = std::min<std::uint32_t>(context.device.sm_count(), static_cast<std::uint32_t>(layer.tiles()));
  program.launch("lstm", {{ctas, 1, 1}, {16, 16, 1}, 0}, layer, device_given, device_weights, cells, states, arrived);

  for (std::size_t step = 0; step < layer.steps; ++step)
    remember(memory, layer, &given[step * 4 * layer.state()], weights);
  return compare_exact("state", program.download<float>(states, at_first.size()), memory.states);
}

}  // namespace syncline::workloads
