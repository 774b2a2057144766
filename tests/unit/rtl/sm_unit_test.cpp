// A module in SystemVerilog between SMs and their L1s.
#include "Vnext_line.h"  // before SystemC, of which it would take itself for a part

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "models/rtl/verilated_pins.h"
#include "models/transactor/rtl_sm_unit.h"
#include "tests/support/apart.h"
#include "tests/unit/sides/walk.h"

namespace syncline::tests {
namespace {

using namespace platform;

std::string cycles_with_rtl(const std::string& policy, bool with_units) {
  return apart([&] {
    std::vector<std::unique_ptr<models::RtlSmUnit>> units;
    GpuOptions options;
    if (with_units) {
      options.sm_units = [&](unsigned sm, models::PlatformContext& context, models::ClockDomain& clock) {
        const std::string name = "sm" + std::to_string(sm) + "_next_line";
        units.push_back(std::make_unique<models::RtlSmUnit>(name.c_str(), context, clock, 128,
                                                            rtl::server_pins<Vnext_line>([](Vnext_line&) {})));
        return GpuOptions::SmUnits{units.back().get()};
      };
    }
    Simulation simulation(tiny_with("coherence: {policy: " + policy + "}\n"), /*seed=*/1, options);
    const std::uint64_t cycles = walk(simulation, 1, 32, 1);
    if (with_units) {
      EXPECT_EQ(value_of(simulation, "gpu.sm0_next_line.requests"), 33) << "32 loads and a store";
      EXPECT_EQ(value_of(simulation, "gpu.sm0_next_line.hints"), 31);
    }
    return std::to_string(cycles);
  });
}

TEST(RtlSmUnit, APrefetcherHidesLatencyUnderEachPolicy) {
  for (const char* const policy : {"none", "mesi"})
    EXPECT_LT(std::stoul(cycles_with_rtl(policy, true)), std::stoul(cycles_with_rtl(policy, false))) << policy;
}

}  // namespace
}  // namespace syncline::tests
