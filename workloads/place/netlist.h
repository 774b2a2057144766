// A netlist to place, and what a placement of it costs, on the CPU.
#pragma once

#include <cstdint>
#include <vector>

namespace syncline::workloads::place {

constexpr std::uint32_t none = 0xFFFF'FFFF;
constexpr std::uint32_t block_nets = 4;  ///< at most, of a block
constexpr std::uint32_t net_pins = 8;    ///< at most, of a net

/// As the kernel reads it: `none` fills up what a block or a net does not need.
struct Netlist {
  std::uint32_t blocks = 0;
  std::vector<std::uint32_t> nets_of;  ///< block_nets a block
  std::vector<std::uint32_t> pins_of;  ///< net_pins blocks a net, all different
  std::uint32_t nets() const { return static_cast<std::uint32_t>(pins_of.size() / net_pins); }
};

/// As many nets as blocks, of two to eight pins, mostly between blocks of a neighbourhood that the numbers do not show.
Netlist random_netlist(std::uint64_t seed, std::uint32_t blocks);

/// Sum over the nets of the half perimeter of the box around their blocks, times Cheng's factor for the number of pins,
/// in 64ths of a cell's width.
std::int64_t wire_cost(const Netlist& netlist, const std::vector<std::uint32_t>& cell_of, std::uint32_t width);

}  // namespace syncline::workloads::place
