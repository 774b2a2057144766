// The account of where the time of accesses goes, against what SMs measure themselves.
#include "platform/observe/access_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "platform/config/configuration.h"
#include "platform/report/level_times.h"
#include "platform/timed/simulation.h"

namespace syncline::platform {
namespace {

/// Lines that all warps read, write and count in, and lines of their own, several of them in an instruction.
constexpr const char* sharing_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry sharing(.param .u64 data, .param .u64 own)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [own];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r3, %r2, 64, %r1;
  mul.wide.u32 %rd3, %r3, 16;
  add.u64 %rd4, %rd2, %rd3;
  mul.wide.u32 %rd5, %r1, 4;
  add.u64 %rd6, %rd1, %rd5;
  mov.u32 %r4, 0;
again:
  ld.global.u32 %r5, [%rd6];
  add.u32 %r5, %r5, %r3;
  st.global.u32 [%rd6], %r5;
  st.global.u32 [%rd4], %r5;
  atom.global.add.u32 %r6, [%rd1+1024], 1;
  ld.global.u32 %r7, [%rd4];
  membar.gl;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, 4;
  @%p1 bra again;
  ret;
}
)";

constexpr unsigned ctas = 4, threads = 64;

void share(Device& gpu) {
  const DevicePointer data = gpu.mem_alloc(2048), own = gpu.mem_alloc(ctas * threads * 16);
  const KernelHandle kernel = gpu.module_get_function(gpu.module_load_text(sharing_ptx, "sharing.ptx"), "sharing");
  gpu.launch_kernel(kernel, {{ctas}, {threads}}, arguments(data, own));
  gpu.synchronize();
}

PlatformSpec tiny(std::vector<std::string> settings) {
  return load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(settings)).spec;
}

struct AccessTimesUnder : ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(AccessTimesUnder, AreWhatSmsMeasure) {
  struct Instruction {
    std::uint64_t issued_ps, done_ps;
  };
  std::map<std::pair<unsigned, std::uint64_t>, Instruction> instructions;
  std::array<std::uint64_t, access_kinds> accesses{};
  const auto times = std::make_shared<AccessTimes>();
  times->subscribe([&](const AccessTime& access) {
    const auto by_wait = access.by_wait();
    EXPECT_EQ(std::accumulate(by_wait.begin(), by_wait.end(), std::uint64_t{0}), access.latency_ps());
    EXPECT_EQ(by_wait[static_cast<std::size_t>(Wait::elsewhere)], 0U);
    EXPECT_EQ(access.spans.front().from_ps, access.issued_ps);
    EXPECT_TRUE(std::is_sorted(access.spans.begin(), access.spans.end(), [](const Span& a, const Span& b) {
      return a.from_ps <= b.from_ps;  // an empty one would be out of order
    }));
    EXPECT_LT(access.spans.back().from_ps, access.done_ps);
    ++accesses[static_cast<std::size_t>(access.kind)];
    const auto [found, is_new] =
        instructions.try_emplace({access.warp.sm.value(), access.order}, Instruction{access.issued_ps, access.done_ps});
    if (!is_new) found->second.done_ps = std::max(found->second.done_ps, access.done_ps);
  });
  GpuOptions options;
  options.message_listeners.push_back(times);
  Simulation simulation(tiny(GetParam()), 1, std::move(options));
  simulation.run(share);

  for (const AccessKind kind : {AccessKind::load, AccessKind::store, AccessKind::atomic})
    EXPECT_NE(accesses[static_cast<std::size_t>(kind)], 0U) << name(kind);
  std::uint64_t cycles = 0, measured = 0, performed = 0;
  const models::ClockDomain& core = simulation.core_clock();
  for (const auto& [which, one] : instructions)
    cycles += core.cycle_at_or_after_ps(one.done_ps) - core.cycle_at_or_after_ps(one.issued_ps);
  for (unsigned sm = 0; sm < simulation.gpu().sms(); ++sm) {
    measured += simulation.gpu().sm(sm).counters().memory_latency.sum();
    performed += simulation.gpu().sm(sm).counters().memory_latency.count();
  }
  EXPECT_EQ(instructions.size(), performed);
  EXPECT_EQ(cycles, measured);
}

using Settings = std::vector<std::string>;
INSTANTIATE_TEST_SUITE_P(Policies, AccessTimesUnder,
                         ::testing::Values(Settings{"coherence.policy=none"}, Settings{"coherence.policy=mesi"},
                                           Settings{"coherence.policy=gpu_vi"}, Settings{"coherence.policy=tc_strong"},
                                           Settings{"coherence.policy=rcc"},
                                           Settings{"coherence.policy=rcc", "perturbation.chance=all"}));

// The account says where a load has been.
TEST(AccessTimes, ALoadThatMemoryAnswersHasWaitedForIt) {
  std::array<std::uint64_t, levels> loads{};
  std::uint64_t dram_ps = 0;
  GpuOptions options;
  const auto times = std::make_shared<AccessTimes>();
  times->subscribe([&](const AccessTime& access) {
    if (access.kind != AccessKind::load) return;
    ++loads[static_cast<std::size_t>(access.level)];
    const std::uint64_t served = access.by_wait()[static_cast<std::size_t>(Wait::dram_service)];
    EXPECT_EQ(access.level == Level::memory, served != 0);
    dram_ps += served;
  });
  options.message_listeners.push_back(times);
  Simulation simulation(tiny({"coherence.policy=none"}), 1, std::move(options));
  simulation.run(share);
  EXPECT_NE(loads[static_cast<std::size_t>(Level::memory)], 0U);
  EXPECT_NE(loads[static_cast<std::size_t>(Level::home)] + loads[static_cast<std::size_t>(Level::l1)], 0U);
  EXPECT_NE(dram_ps, 0U);
}

// The report adds them up for each GPU of a system.
TEST(LevelTimes, AreOfEachGpu) {
  const auto times = std::make_shared<AccessTimes>();
  LevelTimes added;
  times->subscribe([&](const AccessTime& access) { added.hear(access); });
  Simulation simulation(tiny({}), 1, 2, [&](unsigned) {
    GpuOptions options;
    options.message_listeners.push_back(times);
    return options;
  });
  simulation.run([&](Device&) {
    share(simulation.device(0));
    for (int again = 0; again < 2; ++again) share(simulation.device(1));
  });
  std::map<unsigned, std::uint64_t> accesses;
  for (const auto& [gpu, by_level] : added.gpus()) {
    for (const LevelTimes::Sum& sum : by_level) {
      accesses[gpu] += sum.accesses;
      EXPECT_EQ(std::accumulate(sum.by_wait_ps.begin(), sum.by_wait_ps.end(), std::uint64_t{0}), sum.latency_ps);
    }
  }
  ASSERT_EQ(accesses.size(), 2U);
  EXPECT_GT(accesses[0], 0U);
  EXPECT_EQ(accesses[1], 2 * accesses[0]);
}

}  // namespace
}  // namespace syncline::platform
