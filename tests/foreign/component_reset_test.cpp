// A component that is reset: what is lost, what stays, and what cannot be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/foreign/component_board.h"
#include "tests/support/error_of.h"

namespace syncline::tests {
namespace {

using namespace platform;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ResetComponent : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Policies, ResetComponent,
                         testing::Values("none", "mesi", "gpu_vi", "tc_strong", "tc_weak", "rcc", "rcc_wo"),
                         [](const auto& policy) { return std::string(policy.param); });

TEST_P(ResetComponent, RunsAgainAfterFaultsOfKernelsAndKeepsItsMemory) {
  unsigned faults = 0;
  Board board(
      [&](Board& self) {
        ComponentDriver driver = self.driver();
        constexpr std::uint32_t ctas = 64, threads = ctas * 64;
        const std::uint64_t to = driver.allocate(4 * threads), kept = driver.allocate(4 * threads);
        driver.fill(kept, 4 * threads, 0x5a);
        const std::uint32_t module = driver.load_module(component_ptx);
        std::vector<std::uint32_t> values(threads);
        for (const std::uint32_t who : {0U, 3U}) {
          driver.fill(to, 4 * threads, 0);
          // CTA `who` stores to nobody's memory, while others loop over loads, atomics and fences, wait at barriers, or
          // have not begun.
          EXPECT_THAT(test::error_of([&] {
                        driver.launch(module, "astray", {{ctas}, {64}}, arguments(DevicePointer{to}, who));
                      }),
                      AllOf(HasSubstr("out-of-bounds global store"), HasSubstr("kernel `astray`")));
          EXPECT_THAT(self.gpu.simulation().leftovers(), Not(HasSubstr("grids have not completed")));
          EXPECT_EQ(self.word(Register::status), status_bit::empty | status_bit::halted);
          // What waits, or comes now, does not run; the reset forgets it.
          EXPECT_THAT(test::error_of([&] { driver.read(to, values.data(), 4); }), HasSubstr("before a reset"));
          self.put(self.word(Register::doorbell), Command::none, 0);
          self.set(Register::control, 0);
          self.set(Register::doorbell, self.word(Register::doorbell) + 1);
          driver.reset();
          EXPECT_EQ(self.word(Register::status), status_bit::empty);
          EXPECT_EQ(self.word(Register::error_code), 0U);
          EXPECT_FALSE(self.irq);
          driver.read(to, values.data(), 4 * threads);
          EXPECT_EQ(values[who * 64], 1U) << "what was stored before the fault is there";
          EXPECT_EQ(values.back(), 0U) << "what had not begun has stored nothing";
          driver.read(kept, values.data(), 4 * threads);
          EXPECT_THAT(values, testing::Each(0x5a5a5a5aU));
          EXPECT_EQ(numbers(driver, who), expected_numbers(who));
          ++faults;
        }
      },
      "", {std::string("coherence.policy=") + GetParam()});
  sc_core::sc_start();
  EXPECT_EQ(faults, 2U);
  EXPECT_EQ(board.gpu.simulation().leftovers(), "");
}

TEST(ResetOfAComponent, DoesNothingForAPolicyThatFollowsWarpsToTheirEnd) {
  bool told = false;
  Board board(
      [&](Board& self) {
        ComponentDriver driver = self.driver();
        const std::uint32_t module = driver.load_module(component_ptx);
        const std::uint64_t to = driver.allocate(4 * 64);
        EXPECT_THAT(test::error_of([&] {
                      driver.launch(module, "astray", {{1}, {64}}, arguments(DevicePointer{to}, 0U));
                    }),
                    HasSubstr("out-of-bounds global store"));
        EXPECT_EQ(
            test::error_of([&] { driver.reset(); }),
            "the GPU stays halted after a reset: a model is broken, or a policy of it follows warps that cannot be "
            "ended");
        EXPECT_EQ(test::error_of([&] { driver.free(to); }), "the GPU has halted: no command is possible any more");
        told = true;
      },
      "", {"determinism.policy=gpudet"});
  sc_core::sc_start();
  EXPECT_TRUE(told);
}

TEST(ResetOfAComponent, DoesNothingForABrokenModel) {
  RegisterFile registers({2, 32, 4, 64}, [] {});
  const auto status = [&registers] {
    std::uint32_t word = 0;
    registers.read(static_cast<std::uint32_t>(Register::status), word);
    return word;
  };
  const auto reset = [&registers] {
    registers.write(static_cast<std::uint32_t>(Register::control), control_bit::run | control_bit::reset);
  };
  registers.halt({CommandError::program_fault, "a kernel's"});
  EXPECT_EQ(status(), status_bit::empty | status_bit::error | status_bit::halted);
  reset();
  EXPECT_EQ(status(), status_bit::empty);
  registers.halt({CommandError::model_error, "a model's", 0, true});
  reset();
  EXPECT_EQ(status(), status_bit::empty | status_bit::halted);
  EXPECT_TRUE(registers.halted());
}

}  // namespace
}  // namespace syncline::tests
