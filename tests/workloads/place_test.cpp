// The netlists and costs of place.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "platform/functional/functional_device.h"
#include "workloads/place/netlist.h"
#include "workloads/registry.h"

namespace syncline::workloads::place {
namespace {

TEST(Place, CostsTheHalfPerimeterOfEachNet) {
  Netlist netlist;
  netlist.blocks = 4;
  netlist.pins_of = {0, 1, none, none, none, none, none, none,  //
                     0, 1, 2,    3,    none, none, none, none};
  // On a grid ten cells wide: (0, 0), (3, 0), (9, 4), (2, 1).
  const std::vector<std::uint32_t> cell_of{0, 3, 49, 12};
  EXPECT_EQ(wire_cost(netlist, cell_of, 10), 64 * 3 + 69 * (9 + 4));  // 1.0828 * 64 = 69.3
}

TEST(Place, DrawsNetlistsThatAgreeWithTheirInverse) {
  const std::uint32_t blocks = 400;
  const Netlist netlist = random_netlist(1, blocks);
  EXPECT_GT(netlist.nets(), blocks / 2);
  ASSERT_EQ(netlist.nets_of.size(), std::size_t{block_nets} * blocks);
  std::set<std::pair<std::uint32_t, std::uint32_t>> by_net, by_block;
  for (std::uint32_t net = 0; net < netlist.nets(); ++net) {
    std::set<std::uint32_t> pins;
    for (std::uint32_t pin = 0; pin < net_pins; ++pin) {
      const std::uint32_t block = netlist.pins_of[net_pins * net + pin];
      if (block == none) continue;
      EXPECT_LT(block, blocks);
      EXPECT_TRUE(pins.insert(block).second) << "net " << net << " has block " << block << " twice";
      by_net.emplace(net, block);
    }
    EXPECT_GE(pins.size(), 2U);
  }
  for (std::uint32_t block = 0; block < blocks; ++block)
    for (std::uint32_t i = 0; i < block_nets; ++i)
      if (const std::uint32_t net = netlist.nets_of[block_nets * block + i]; net != none) by_block.emplace(net, block);
  EXPECT_EQ(by_net, by_block);
}

/// A swap is half a warp's of 64 lanes, which meets the other half's at its barriers; warps of a CTA go their own ways.
TEST(Place, SwapsByWarpsWhateverTheirTurns) {
  platform::FunctionalDevice::Config config;
  config.emulator.warp_lanes = 64;
  config.emulator.warp_slice = 20;
  config.emulator.cta_slice = 200;
  platform::FunctionalDevice device(config);
  const Workload& workload = find_workload("place");
  const Verdict verdict = workload.run({device, Size::paper, 1, ptx_path(workload)});
  EXPECT_TRUE(verdict.verified) << verdict.detail;
}

}  // namespace
}  // namespace syncline::workloads::place
