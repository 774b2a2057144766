// A clock of the platform as a pin.
#include "models/clock/clock_pin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"

namespace syncline::models {
namespace {

/// What is clocked by a pin, in SystemC's usual way.
struct Clocked : sc_core::sc_module {
  SC_HAS_PROCESS(Clocked);
  explicit Clocked(const sc_core::sc_module_name& name) : sc_core::sc_module(name), clk("clk") {
    SC_METHOD(rise);
    sensitive << clk.pos();
    dont_initialize();
    SC_METHOD(fall);
    sensitive << clk.neg();
    dont_initialize();
  }
  void rise() {
    rises.push_back(sc_core::sc_time_stamp().value());
    seen.push_back(ticked);
  }
  void fall() { falls.push_back(sc_core::sc_time_stamp().value()); }

  sc_core::sc_in<bool> clk;
  std::vector<std::uint64_t> rises, falls;
  base::Cycle ticked = 0;  ///< the last cycle in which a block had its turn, and
  std::vector<base::Cycle> seen;
};

struct EveryCycle : Ticked {
  explicit EveryCycle(Clocked& told) : clocked(told) {}
  base::Cycle tick(base::Cycle now) override {
    clocked.ticked = now;
    return now + 1;
  }
  Clocked& clocked;
};

TEST(ClockPin, HasTheEdgesOfItsClock) {
  Scheduler scheduler("scheduler");
  ClockDomain& clock = scheduler.add_domain("core", 1'400'000'000);
  ClockPin pin("pin", clock);
  Clocked clocked("clocked");
  clocked.clk(pin.pin);
  EveryCycle block(clocked);
  clock.add(block, TickRank::sm, "block");
  block.wake(0);
  constexpr base::Cycle cycles = 14'000;  // 10 us
  sc_core::sc_start(10, sc_core::SC_US);
  ASSERT_GE(clocked.rises.size(), cycles);
  ASSERT_GE(clocked.falls.size(), cycles);
  for (base::Cycle n = 0; n < cycles; ++n) {
    ASSERT_EQ(clocked.rises[n], n * 5000 / 7) << "1400 MHz, rounded down";
    ASSERT_EQ(clocked.falls[n], (n * 5000 / 7 + (n + 1) * 5000 / 7) / 2);
    ASSERT_EQ(clocked.seen[n], n) << "blocks have had their turn";
  }
}

TEST(ClockPin, FollowsAClockThatIsAhead) {
  Scheduler scheduler("scheduler");
  ClockDomain& clock = scheduler.add_domain("core", 1'000'000'000, 300);
  ClockPin pin("pin", clock);
  Clocked clocked("clocked");
  clocked.clk(pin.pin);
  sc_core::sc_start(3, sc_core::SC_NS);
  EXPECT_THAT(clocked.rises, testing::ElementsAre(0, 700, 1700, 2700));
  EXPECT_THAT(clocked.falls, testing::ElementsAre(350, 1200, 2200));
}

TEST(ClockPin, NeedsAMiddle) {
  Scheduler scheduler("scheduler");
  ClockDomain& clock = scheduler.add_domain("light", 600'000'000'000);
  try {
    ClockPin pin("pin", clock);
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("the clock `light` of 600000000000 Hz has no room for a falling edge"));
  }
}

}  // namespace
}  // namespace syncline::models
