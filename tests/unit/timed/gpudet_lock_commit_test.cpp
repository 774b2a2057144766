// Commits under locks: who comes when to a chunk that all warps have stored to changes nothing.
#include <gmock/gmock.h>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"

namespace syncline::platform {
namespace {

constexpr const char* kernel_ptx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry again(.param .u64 out, .param .u32 meets)
{ // every warp stores to the same words, eight times: 16 times its number, and that of the pass
  .reg .pred %p<3>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r5, [meets];
  setp.ne.u32 %p2, %r5, 0;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r3, %r2, 64, %r1;
  shr.u32 %r3, %r3, 5;
  shl.b32 %r3, %r3, 4;
  and.b32 %r1, %r1, 31;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
  mov.u32 %r4, 0;
next:
  st.global.u32 [%rd2], %r3;
  add.u32 %r3, %r3, 1;
  add.u32 %r4, %r4, 1;
  @%p2 bar.sync 0;
  setp.lt.u32 %p1, %r4, 8;
  @%p1 bra next;
  ret;
}
)";

// Seeds of chance.
struct GpudetLockCommit : ::testing::TestWithParam<unsigned> {};

/// Of the stores in one round, or each in one of its own.
void expect_the_last_of_the_lowest_warp(std::uint64_t seed, bool meets) {
  std::vector<std::string> settings{"determinism.policy=gpudet", "determinism.gpudet.commit=lock",
                                    "perturbation.chance=all"};
  Simulation simulation(
      load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(settings)).spec, seed);
  simulation.run([meets](Device& gpu) {
    const DevicePointer out = gpu.mem_alloc(128);
    const KernelHandle kernel = gpu.module_get_function(gpu.module_load_text(kernel_ptx, "k.ptx"), "again");
    gpu.launch_kernel(kernel, {{4}, {64}}, arguments(out, meets ? 1U : 0U));
    gpu.synchronize();
    EXPECT_THAT(gpu.download<std::uint32_t>(out, 32), ::testing::Each(7U));
  });
}

TEST_P(GpudetLockCommit, LeavesTheLastStoreOfTheLowestWarp) {
  expect_the_last_of_the_lowest_warp(GetParam(), false);
}

TEST_P(GpudetLockCommit, LeavesThatOfTheLastRound) {
  expect_the_last_of_the_lowest_warp(GetParam(), true);
}

INSTANTIATE_TEST_SUITE_P(Seeds, GpudetLockCommit, ::testing::Range(1U, 9U));

}  // namespace
}  // namespace syncline::platform
