// Random kernels under every coherence policy, whose accesses are all judged while they run: nothing is found. And one
// kernel of which a machine shows what only a judge by whole accesses would forbid.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include <cstdlib>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/apart.h"
#include "tests/unit/timed/random_kernel.h"

namespace syncline::platform {
namespace {

using Settings = std::vector<std::string>;

/// What the check says of it.
std::string judged(const std::string& platform, const Settings& settings, const std::function<void(Device&)>& program) {
  Settings all{"observe.consistency=check", "limits.cycles=2000000000"};
  all.insert(all.end(), settings.begin(), settings.end());
  Simulation simulation(
      load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/" + platform + ".yaml", std::move(all)).spec, 1);
  simulation.run(program);
  return simulation.consistency()->summary();
}

/// A long campaign sets them, to look at others than the first kernels.
std::uint64_t number(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct CoherenceAtRandom : ::testing::TestWithParam<Settings> {};

TEST_P(CoherenceAtRandom, NothingIsFoundInRandomKernels) {
  const std::uint64_t first = number("SYNCLINE_FIRST_KERNEL", 1), kernels = number("SYNCLINE_KERNELS", 40);
  const std::string end = tests::apart([&] {
    std::uint64_t seed = first;
    Settings settings = GetParam();
    settings.insert(settings.end(), {"perturbation.chance=all", fmt::format("perturbation.seed={}", first)});
    try {
      return judged("tiny", settings, [&](Device& gpu) {
        constexpr unsigned ctas = 4, threads = 128;
        const DevicePointer data = gpu.mem_alloc(data_bytes(tests::Races::all_accesses));
        const DevicePointer far = gpu.mem_alloc(1 << 18), out = gpu.mem_alloc(ctas * threads * 4);
        for (; seed < first + kernels; ++seed) {
          const ModuleHandle module =
              gpu.module_load_text(tests::random_kernel(seed, tests::Races::all_accesses), "k.ptx");
          gpu.launch_kernel(gpu.module_get_function(module, "k"), {{ctas}, {threads}}, arguments(data, far, out));
          gpu.synchronize();
        }
      });
    } catch (const std::exception& error) {
      return fmt::format("kernel {}: {}\n{}", seed, error.what(),
                         tests::random_kernel(seed, tests::Races::all_accesses));
    }
  });
  EXPECT_THAT(end,
              ::testing::MatchesRegex("(sc|wo|wo, fences left out): [0-9]{5,} accesses judged, 0 not; .*of 0 not"));
}

const Settings leases{"coherence.tc.predictor=fixed", "coherence.tc.lease=20000cycles"};
const Settings modules{"sms=4",
                       "memory.partitions=4",
                       "memory.chunk=512",
                       "l2.ways=4",
                       "modules.gpus=2",
                       "modules.gpms=2",
                       "modules.pages.bytes=4KiB",
                       "modules.pages.placement=interleaved",
                       "coherence.nhcc.directory_sets=4",
                       "coherence.nhcc.directory_ways=2"};
Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

INSTANTIATE_TEST_SUITE_P(
    Policies, CoherenceAtRandom,
    ::testing::Values(
        Settings{"coherence.policy=ideal"}, Settings{"coherence.policy=mesi"},
        Settings{"coherence.policy=mesi", "coherence.consistency=wo"}, Settings{"coherence.policy=gpu_vi"},
        Settings{"coherence.policy=gpu_vi_ni", "l1.size=1KiB"}, Settings{"coherence.policy=rcc"},
        Settings{"coherence.policy=rcc", "coherence.consistency=wo", "sm.coalescer.mode=half_warp"},
        Settings{"coherence.policy=rcc", "coherence.rcc.timestamp_bits=12", "coherence.rcc.lease_max=64"},
        Settings{"coherence.policy=rcc_wo"},
        Settings{"coherence.policy=rcc_wo", "coherence.rcc.timestamp_bits=12", "coherence.rcc.lease_max=64",
                 "l2.size=4KiB"},
        with({"coherence.policy=tc_strong"}, leases),
        Settings{"coherence.policy=tc_strong", "coherence.consistency=wo"},
        Settings{"coherence.policy=tc_strong", "coherence.tc.recycle_cycles=10cycles"},
        Settings{"coherence.policy=tc_strong", "coherence.tc.recycle_cycles=10cycles", "coherence.consistency=wo",
                 "l1.size=1KiB", "l2.size=4KiB"},
        Settings{"coherence.policy=tc_weak"}, with({"coherence.policy=tc_weak"}, leases),
        with({"coherence.policy=tc_weak", "coherence.tc.fence=cumulative"}, leases),
        Settings{"coherence.policy=tc_weak", "coherence.tc.fence=cumulative", "l1.size=1KiB", "l2.size=4KiB"},
        Settings{"coherence.policy=none"}, Settings{"coherence.policy=none", "coherence.none.store_hit=update"},
        Settings{"coherence.policy=none", "coherence.none.l1=bypass", "sm.coalescer.mode=lane"},
        with({"coherence.policy=no_remote_caching"}, modules), with({"coherence.policy=sw"}, modules),
        with({"coherence.policy=nhcc"}, modules), with({"coherence.policy=nhcc", "l2.size=4KiB"}, modules),
        with({"coherence.policy=sw_hierarchical"}, modules), with({"coherence.policy=ideal_remote"}, modules),
        with({"coherence.policy=hmg"}, modules), with({"coherence.policy=hmg", "l2.size=4KiB"}, modules),
        with({"coherence.policy=hmg", "modules.gpu_scope=gpu"}, modules),
        with({"coherence.policy=ideal_remote", "modules.gpu_scope=gpu"}, modules),
        with({"coherence.policy=sw_hierarchical", "modules.gpu_scope=gpu", "l2.size=4KiB"}, modules),
        Settings{"coherence.policy=rcc", "sm.reconvergence=its", "sm.its_patience=1"},
        Settings{"coherence.policy=mesi", "coherence.consistency=wo", "sm.reconvergence=its"},
        Settings{"coherence.policy=tc_weak", "sm.reconvergence=tf_stack"}));

/// SM 0 has a copy of the line, SM 1 stores to its second and third words, SM 0 to its first and second: there they
/// come later. Its load of the first and third words gets its own new one and an old one.
TEST(CoherenceByBytes, ACopyIsOldInSomeBytesAndHasOnesOwnInOthers) {
  constexpr const char* ptx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 out) {
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd1, %rd3;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra other;
  shl.b32 %r3, %r1, 1;
  mul.wide.u32 %rd5, %r3, 4;
  add.u64 %rd5, %rd1, %rd5;
  ld.global.u32 %r4, [%rd5];
  nanosleep.u32 8000;
  st.global.u32 [%rd4], 1;
  ld.global.u32 %r4, [%rd5];
  add.u64 %rd6, %rd2, %rd3;
  st.global.u32 [%rd6], %r4;
  ret;
other:
  nanosleep.u32 3000;
  st.global.u32 [%rd4+4], 2;
  ret;
})";
  const std::string end = tests::apart([&] {
    std::array<std::uint32_t, 3> left{};
    std::array<std::uint32_t, 2> seen{};
    const std::string said = judged("rcc16", with({"coherence.policy=tc_weak"}, leases), [&](Device& gpu) {
      const DevicePointer data = gpu.mem_alloc(128), out = gpu.mem_alloc(8);
      gpu.memset_d8(data, 0, 128);
      const KernelHandle kernel = gpu.module_get_function(gpu.module_load_text(ptx, "k.ptx"), "k");
      gpu.launch_kernel(kernel, {{2}, {2}}, arguments(data, out));
      gpu.memcpy_dtoh(left.data(), data, sizeof left);
      gpu.memcpy_dtoh(seen.data(), out, sizeof seen);
    });
    return fmt::format("left {} {} {}, seen {} {}; {}", left[0], left[1], left[2], seen[0], seen[1], said);
  });
  EXPECT_THAT(end, ::testing::StartsWith("left 1 1 2, seen 1 0; wo"));
}

}  // namespace
}  // namespace syncline::platform
