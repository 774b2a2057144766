#include "platform/timed/watchdog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/error_of.h"
#include "tests/support/sanitized.h"

namespace syncline::platform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Waiting : public models::Block {
 public:
  using Block::Block;
  std::vector<std::string> describe_waiting() const override { return {"waits"}; }
};

TEST(Watchdog, NamesWhoWaitsInTheOrderOfNames) {
  models::Scheduler scheduler("scheduler");
  models::MessagePool messages;
  base::StatisticsRegistry statistics;
  models::PlatformContext context{scheduler, messages, statistics};
  const Waiting second("b", context), first("a", context), third("c", context);
  EXPECT_EQ(Watchdog::who_waits(context), "\n  a: waits\n  b: waits\n  c: waits");
}

TEST(Watchdog, SleepIsProgressForAsLongAsItWasAskedFor) {
  models::Scheduler scheduler("scheduler");
  models::MessagePool messages;
  base::StatisticsRegistry statistics;
  models::PlatformContext context{scheduler, messages, statistics};
  const Waiting block("a", context);
  Watchdog watchdog(context, {1000, 0}, [] { return true; });
  context.asleep_until = 5000;
  base::Cycle now = 0;
  while (now < 5500) now = watchdog.tick(now);
  EXPECT_THAT(
      test::error_of<base::ModelError>([&] {
        while (now < 9000) now = watchdog.tick(now);
      }),
      AllOf(HasSubstr("no progress since cycle 4750 (limits.progress_window is 1000 cycles)"), HasSubstr("a: waits")));
  EXPECT_EQ(now, 5750U) << "one window behind the last look at the sleeper";
}

/// A kernel that sleeps for longer than the machine may be without progress. `after`: what it does then.
std::uint32_t slept(const std::string& after, std::vector<std::string> settings) {
  const std::string ptx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .b32 %r<2>; .reg .b64 %rd<2>; .reg .pred %q;
  ld.param.u64 %rd1, [p];
  nanosleep.u32 100000;
  nanosleep.u32 100000;
)" + after + R"(
  mov.u32 %r1, 7;
  st.global.u32 [%rd1], %r1;
  ret;
})";
  settings.emplace_back("limits.progress_window=20000");
  Simulation simulation(
      load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(settings)).spec, 1);
  std::uint32_t stored = 0;
  simulation.run([&](Device& gpu) {
    const DevicePointer out = gpu.mem_alloc(4);
    gpu.launch_kernel(gpu.module_get_function(gpu.module_load_text(ptx, "k.ptx"), "k"), {{1}, {32}}, arguments(out));
    gpu.synchronize();
    stored = gpu.download<std::uint32_t>(out, 1)[0];
  });
  return stored;
}

struct Sleepers : ::testing::TestWithParam<const char*> {};

TEST_P(Sleepers, WakeUp) {
  EXPECT_EQ(slept("", {GetParam()}), 7U);
}

TEST_P(Sleepers, AreNoLimitToTheRun) {
  if (tests::sanitized) GTEST_SKIP() << tests::no_exceptions;
  EXPECT_THAT(test::error_of<base::ProgramFault>([] {
                slept("", {GetParam(), "limits.cycles=90000"});
              }),
              HasSubstr("the run reached its limit of 90000 cycles (limits.cycles)"));
}

INSTANTIATE_TEST_SUITE_P(Policies, Sleepers,
                         ::testing::Values("determinism.policy=none", "determinism.policy=gpudet",
                                           "coherence.policy=rcc", "coherence.policy=mesi"));

}  // namespace
}  // namespace syncline::platform
