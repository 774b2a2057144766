#include "workloads/place/netlist.h"

#include <algorithm>
#include <cmath>

#include "workloads/common/inputs.h"

namespace syncline::workloads::place {

Netlist random_netlist(std::uint64_t seed, std::uint32_t blocks) {
  const std::vector<std::uint32_t> along = random_permutation(seed, "place.neighbourhood", blocks);
  base::Random random(seed, "place.netlist");
  Netlist netlist;
  netlist.blocks = blocks;
  netlist.nets_of.assign(std::size_t{block_nets} * blocks, none);
  std::vector<std::uint32_t> used(blocks);
  for (std::uint32_t driver = 0; driver < blocks; ++driver) {
    const auto net = netlist.nets();
    std::vector<std::uint32_t> pins;
    const auto connect = [&](std::uint32_t place) {
      const std::uint32_t block = along[place];
      if (used[block] == block_nets || std::find(pins.begin(), pins.end(), block) != pins.end()) return;
      pins.push_back(block);
    };
    const std::uint32_t wanted = 2 + std::min(random.below(7), random.below(7));  // few nets are large
    connect(driver);
    for (unsigned tries = 0; pins.size() < wanted && tries < 4 * net_pins; ++tries)
      connect((driver + blocks + random.below(25) - 12) % blocks);
    if (pins.size() < 2) continue;
    for (const std::uint32_t block : pins) netlist.nets_of[block_nets * block + used[block]++] = net;
    pins.resize(net_pins, none);
    netlist.pins_of.insert(netlist.pins_of.end(), pins.begin(), pins.end());
  }
  return netlist;
}

std::int64_t wire_cost(const Netlist& netlist, const std::vector<std::uint32_t>& cell_of, std::uint32_t width) {
  // q(2) .. q(8) of Cheng's table, rounded to 64ths.
  constexpr double crossing[] = {1, 1, 1.0828, 1.1536, 1.2206, 1.2823, 1.3385};
  std::int64_t cost = 0;
  for (std::uint32_t net = 0; net < netlist.nets(); ++net) {
    std::vector<std::uint32_t> columns, rows;
    for (std::uint32_t pin = 0; pin < net_pins; ++pin) {
      const std::uint32_t block = netlist.pins_of[net_pins * net + pin];
      if (block == none) continue;
      columns.push_back(cell_of[block] % width);
      rows.push_back(cell_of[block] / width);
    }
    const auto extent = [](const std::vector<std::uint32_t>& values) {
      const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
      return *greatest - *least;
    };
    const auto factor = static_cast<std::int64_t>(std::lround(64 * crossing[columns.size() - 2]));
    cost += factor * (extent(columns) + extent(rows));
  }
  return cost;
}

}  // namespace syncline::workloads::place
