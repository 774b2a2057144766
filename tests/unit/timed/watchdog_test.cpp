#include "platform/timed/watchdog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/error_of.h"
#include "tests/support/file_text.h"
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

void no_notice(const std::string& what, const std::string&) {
  ADD_FAILURE() << what;
}

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
  Watchdog watchdog(
      context, {1000, 0, 0}, [] { return true; }, no_notice);
  context.tiles.sequential().asleep_until = 5000;
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

TEST(Watchdog, SaysOnceThatWarpsSpin) {
  models::Scheduler scheduler("scheduler");
  models::MessagePool messages;
  base::StatisticsRegistry statistics;
  models::PlatformContext context{scheduler, messages, statistics};
  const Waiting block("a", context);
  bool busy = true;
  std::vector<std::string> heard;
  Watchdog watchdog(
      context, {1000, 0, 4000}, [&] { return busy; },
      [&](const std::string& what, const std::string& who) { heard.push_back(what + who); });
  base::Cycle now = 0;
  const auto until = [&](base::Cycle end, bool effects) {
    for (; now < end; now = watchdog.tick(now)) {
      ++context.tiles.sequential().progress;
      if (effects) ++context.tiles.sequential().effects;
    }
  };
  until(10'000, true);
  busy = false;
  until(20'000, false);
  busy = true;
  until(23'750, false);
  EXPECT_THAT(heard, ::testing::IsEmpty()) << "effects, an idle GPU, or less than the window";
  until(24'000, false);
  EXPECT_THAT(heard,
              ::testing::ElementsAre(
                  "warps run, but none has changed memory, reached a barrier or ended since cycle 19750: do they "
                  "wait for what never comes? (cycle 23750; limits.spin_window is 4000 cycles)\n  a: waits"));
  until(50'000, false);
  EXPECT_EQ(heard.size(), 1U);
}

/// What is said while a kernel repeats `body` for some 100,000 cycles, and why it ends. [%rd1]: 64 bytes of zeros.
struct Repeated {
  std::vector<std::string> notices, notes;
  std::string end;
};

Repeated repeated(const std::string& body, std::vector<std::string> settings) {
  const std::string ptx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %q;
  .shared .align 8 .b32 s[16];
  .local .align 8 .b32 l[4];
  ld.param.u64 %rd1, [p];
  mov.u32 %r2, 0;
AGAIN:
  )" + body + R"(
  bra AGAIN;
})";
  settings.emplace_back("limits.cycles=100000");
  Simulation simulation(
      load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(settings)).spec, 1);
  Repeated told;
  simulation.tell_at_once([&](const std::string& notice) { told.notices.push_back(notice); });
  told.end = test::error_of<base::ProgramFault>([&] {
    simulation.run([&](Device& gpu) {
      const DevicePointer out = gpu.mem_alloc(64);
      gpu.launch_kernel(gpu.module_get_function(gpu.module_load_text(ptx, "k.ptx"), "k"), {{2}, {64}}, arguments(out));
      gpu.synchronize();
    });
  });
  told.notes = simulation.context().notes;
  return told;
}

struct Loop {
  const char* name;
  const char* body;
};
std::ostream& operator<<(std::ostream& out, const Loop& loop) {
  return out << loop.name;
}

struct SpinNotice : ::testing::TestWithParam<std::tuple<Loop, std::string>> {};

TEST_P(SpinNotice, ComesWhileWarpsOnlyWait) {
  if (tests::sanitized) GTEST_SKIP() << tests::no_exceptions;
  const auto& [loop, policy] = GetParam();
  const Repeated told = repeated(loop.body, {"limits.spin_window=20000", "determinism.policy=" + policy});
  ASSERT_EQ(told.notices.size(), 1U);
  EXPECT_THAT(told.notices[0],
              AllOf(HasSubstr("warps run, but none has changed memory, reached a barrier or ended since cycle "),
                    HasSubstr("limits.spin_window is 20000 cycles"), HasSubstr("k.ptx:")));
  EXPECT_THAT(told.notes, ::testing::Contains(told.notices[0].substr(0, told.notices[0].find('\n'))));
  EXPECT_THAT(told.end, HasSubstr("its limit of 100000 cycles (limits.cycles); warps run, but none has changed"));
}

INSTANTIATE_TEST_SUITE_P(
    Loops, SpinNotice,
    ::testing::Combine(
        ::testing::Values(Loop{"flag", "ld.volatile.global.u32 %r1, [%rd1]; setp.ne.u32 %q, %r1, 0; @%q exit;"},
                          Loop{"flag_in_shared_memory",
                               "ld.volatile.shared.u32 %r1, [s]; setp.ne.u32 %q, %r1, 0; @%q exit;"},
                          Loop{"lock", "atom.cas.b32 %r1, [%rd1], 1, 2;"},
                          Loop{"lock_in_shared_memory", "atom.shared.cas.b32 %r1, [s], 1, 2;"},
                          Loop{"exchange", "atom.exch.b32 %r1, [%rd1], 0;"},
                          Loop{"atomic_read", "atom.add.u32 %r1, [%rd1], 0; atom.or.b32 %r1, [%rd1+4], 0;"},
                          Loop{"backoff", "ld.volatile.global.u32 %r1, [%rd1]; nanosleep.u32 300;"},
                          Loop{"fence", "fence.acq_rel.gpu; ld.relaxed.gpu.global.u32 %r1, [%rd1];"},
                          Loop{"own_variables", "st.local.u32 [l], %r2; add.u32 %r2, %r2, 1;"},
                          Loop{"nothing", "add.u32 %r2, %r2, 1;"}),
        ::testing::Values(std::string("none"), std::string("gpudet"))),
    [](const auto& test) { return std::string(std::get<0>(test.param).name) + "_" + std::get<1>(test.param); });

struct NoSpinNotice : ::testing::TestWithParam<Loop> {};

TEST_P(NoSpinNotice, WhereSomethingChanges) {
  if (tests::sanitized) GTEST_SKIP() << tests::no_exceptions;
  const Repeated told = repeated(GetParam().body, {"limits.spin_window=20000"});
  EXPECT_THAT(told.notices, ::testing::IsEmpty());
  EXPECT_THAT(told.notes, ::testing::IsEmpty());
  EXPECT_THAT(told.end, HasSubstr("its limit of 100000 cycles (limits.cycles); an infinite loop?"));
}

INSTANTIATE_TEST_SUITE_P(Loops, NoSpinNotice,
                         ::testing::Values(Loop{"store", "st.global.u32 [%rd1], 1;"},
                                           Loop{"store_to_shared_memory", "st.shared.u32 [s], 1;"},
                                           Loop{"atomic", "atom.add.u32 %r1, [%rd1], 1;"},
                                           Loop{"reduction", "red.global.add.u32 [%rd1], 1;"},
                                           Loop{"atomic_in_shared_memory", "atom.shared.add.u32 %r1, [s], 1;"},
                                           Loop{"barrier", "bar.sync 0;"}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SpinNoticeKey, OfZeroIsSilence) {
  if (tests::sanitized) GTEST_SKIP() << tests::no_exceptions;
  EXPECT_THAT(repeated("add.u32 %r2, %r2, 1;", {"limits.spin_window=0 cycles"}).notices, ::testing::IsEmpty());
}

std::string spin_lock() {
  return test::text_of("tests/data/ptx/spin_lock.ptx");
}

Simulation watched(std::vector<std::string> settings) {
  settings.emplace_back("limits.spin_window=20000");
  settings.emplace_back("limits.cycles=20000000");
  return Simulation(
      load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(settings)).spec, 1);
}

/// What the counter holds when 3 CTAs of 64 threads have each taken the lock.
std::uint32_t counted_under_a_lock(std::vector<std::string> settings) {
  Simulation simulation = watched(std::move(settings));
  std::uint32_t counter = 0;
  simulation.run([&](Device& gpu) {
    const DevicePointer words = gpu.mem_alloc(256);
    gpu.launch_kernel(gpu.module_get_function(gpu.module_load_text(spin_lock(), "lock.ptx"), "spin_lock"), {{3}, {64}},
                      arguments(words, words + 128));
    gpu.synchronize();
    counter = gpu.download<std::uint32_t>(words + 128, 1)[0];
  });
  return counter;
}

struct SpinFault : ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(SpinFault, EndsLanesThatWaitForLanesThatSpin) {
  if (tests::sanitized) GTEST_SKIP() << tests::no_exceptions;
  const std::string policy = std::get<0>(GetParam()), reconvergence = std::get<1>(GetParam());
  EXPECT_THAT(
      test::error_of<base::ProgramFault>([&] {
        counted_under_a_lock({"coherence.policy=" + policy, "sm.reconvergence=" + reconvergence});
      }),
      AllOf(HasSubstr("lanes 0x1 wait at lock.ptx:30"), HasSubstr("for lanes 0xfffffffe, which go round at lock.ptx:2"),
            HasSubstr("go round for ever (under `sm.reconvergence: its` lanes of a warp take turns)")));
}

INSTANTIATE_TEST_SUITE_P(Policies, SpinFault,
                         ::testing::Combine(::testing::Values("none", "rcc", "mesi", "tc_strong"),
                                            ::testing::Values("ipdom", "tf_stack")),
                         [](const auto& test) { return std::get<0>(test.param) + "_" + std::get<1>(test.param); });

struct FairSpin : ::testing::TestWithParam<const char*> {};

TEST_P(FairSpin, HandsTheLockOn) {
  EXPECT_EQ(counted_under_a_lock({std::string("coherence.policy=") + GetParam(), "sm.reconvergence=its"}), 3U * 64);
}

INSTANTIATE_TEST_SUITE_P(Policies, FairSpin, ::testing::Values("none", "rcc", "mesi", "tc_weak"));

/// Upper lanes of the first warp spin for a word, while its lower lanes wait below. `give`: what the second CTA does;
/// `load`: how the first one reads.
std::string spin_below(const std::string& give, const std::string& load) {
  return R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %q;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %ctaid.x;
  setp.ne.u32 %q, %r1, 0;
  @%q bra GIVE;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %q, %r1, 16;
  @%q bra DONE;
WAIT:
  )" + load +
         R"( %r2, [%rd1];
  setp.eq.u32 %q, %r2, 0;
  @%q bra WAIT;
  bra DONE;
GIVE:
)" + give +
         R"(
DONE:
  st.global.u32 [%rd1+128], %r1;
  ret;
})";
}

void wait_for_the_word(const std::string& give, std::vector<std::string> settings,
                       const std::function<void(Device&, DevicePointer)>& host = {},
                       const std::string& load = "ld.volatile.global.u32") {
  Simulation simulation = watched(std::move(settings));
  std::uint32_t done = 0;
  simulation.run([&](Device& gpu) {
    const DevicePointer word = gpu.mem_alloc(256);
    const std::string ptx = spin_below(give, load);
    gpu.launch_kernel(gpu.module_get_function(gpu.module_load_text(ptx, "k.ptx"), "k"), {{2}, {32}}, arguments(word));
    if (host) host(gpu, word);
    gpu.synchronize();
    done = gpu.download<std::uint32_t>(word, 1)[0];
  });
  EXPECT_EQ(done, 1U);
}

TEST(NoSpinFault, WhileAnotherWarpComputes) {
  wait_for_the_word(R"(
  mov.u32 %r2, 100000;
COUNT:
  sub.u32 %r2, %r2, 1;
  setp.ne.u32 %q, %r2, 0;
  @%q bra COUNT;
  st.volatile.global.u32 [%rd1], 1;
)",
                    {});
}

TEST(NoSpinFault, WhileAnotherWarpReadsTheClockBehindALoad) {
  wait_for_the_word(R"(
UNTIL:
  ld.global.u32 %r2, [%rd1+64];
  mov.u32 %r3, %clock;
  and.b32 %r3, %r3, 0x80000;
  setp.eq.u32 %q, %r3, 0;
  add.u32 %r1, %r1, %r2;
  @%q bra UNTIL;
  st.volatile.global.u32 [%rd1], 1;
)",
                    {});
}

TEST(NoSpinFault, WhileAnotherWarpCountsItsAttempts) {
  wait_for_the_word(R"(
  mov.u32 %r3, 0;
UNTIL:
  ld.volatile.global.u32 %r2, [%rd1+64];
  add.u32 %r3, %r3, 1;
  add.u32 %r2, %r2, %r3;
  setp.ne.u32 %q, %r2, 3000;
  @%q bra UNTIL;
  st.volatile.global.u32 [%rd1], 1;
)",
                    {});
}

TEST(NoSpinFault, WhileTheHostCopies) {
  // The copy takes ten spin windows, in a stream of its own.
  wait_for_the_word("", {"host.copy_latency=200 us"}, [](Device& gpu, DevicePointer word) {
    const std::uint32_t one = 1;
    gpu.memcpy_htod(word, &one, sizeof one, gpu.stream_create());
  });
}

TEST(NoSpinFault, WhileAnL1HoldsOldBytes) {
  // The spinning SM sees its lease end when its time has ticked so often; all the while nobody does anything.
  wait_for_the_word("  nanosleep.u32 2000; st.volatile.global.u32 [%rd1], 1;",
                    {"coherence.policy=rcc", "coherence.rcc.tick=10000 cycles", "coherence.rcc.lease_min=64",
                     "coherence.rcc.lease_max=64"},
                    {}, "ld.global.u32");
}

TEST(NoSpinFault, WhereNoLaneWaitsForLanesOfItsWarp) {
  if (tests::sanitized) GTEST_SKIP() << tests::no_exceptions;
  EXPECT_THAT(
      repeated("ld.volatile.global.u32 %r1, [%rd1]; setp.ne.u32 %q, %r1, 0; @%q exit;", {"limits.spin_window=10000"})
          .end,
      HasSubstr("its limit of 100000 cycles (limits.cycles)"));
}

}  // namespace
}  // namespace syncline::platform
