// When a log is full under GPUDet: when the stores of its warp may have filled it, however they are joined to lines.
#include <gtest/gtest.h>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/counter_of.h"

namespace syncline::platform {
namespace {

// Five stores in a row, to the place of the thread in each of five blocks.
constexpr const char* full_log_ptx = R"(
.version 8.8
.target sm_100
.address_size 64
.visible .entry words(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], %r1;
  st.global.u32 [%rd2+2048], %r1;
  st.global.u32 [%rd2+4096], %r1;
  st.global.u32 [%rd2+6144], %r1;
  st.global.u32 [%rd2+8192], %r1;
  ret;
}
.visible .entry gaps(.param .u64 out)
{ // every element may have a line of its own
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 32;
  add.u64 %rd2, %rd1, %rd2;
  st.global.v8.b32 [%rd2], {%r1, _, %r1, _, %r1, _, %r1, _};
  st.global.v8.b32 [%rd2+2048], {%r1, _, %r1, _, %r1, _, %r1, _};
  st.global.v8.b32 [%rd2+4096], {%r1, _, %r1, _, %r1, _, %r1, _};
  st.global.v8.b32 [%rd2+6144], {%r1, _, %r1, _, %r1, _, %r1, _};
  st.global.v8.b32 [%rd2+8192], {%r1, _, %r1, _, %r1, _, %r1, _};
  ret;
}
)";

/// How often the only warp of a kernel finds its log full.
std::uint64_t full_logs(const char* name, unsigned threads, unsigned entries, const std::string& coalescer) {
  std::vector<std::string> settings{"determinism.policy=gpudet", "sm.coalescer.mode=" + coalescer,
                                    "determinism.gpudet.store_buffer.entries=" + std::to_string(entries)};
  Simulation simulation(
      load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(settings)).spec, 1);
  simulation.run([&](Device& gpu) {
    const DevicePointer out = gpu.mem_alloc(5 * 2048);
    gpu.launch_kernel(gpu.module_get_function(gpu.module_load_text(full_log_ptx, "k.ptx"), name), {{1}, {threads}},
                      arguments(out));
    gpu.synchronize();
  });
  return test::counter_of(simulation, "gpu.quanta.ends_log_full");
}

struct GpudetFullLog : ::testing::TestWithParam<const char*> {};

// The widest instruction of a warp stores by 64 lanes.
TEST_P(GpudetFullLog, IsOneThatEveryLaneOfItsStoresMayFill) {
  EXPECT_EQ(full_logs("words", 32, 128, GetParam()), 1) << "three stores of 32 leave no room for 64";
}

TEST_P(GpudetFullLog, CountsTheLanesThatStore) {
  EXPECT_EQ(full_logs("words", 16, 128, GetParam()), 0) << "four stores of 16 leave it";
}

TEST_P(GpudetFullLog, CountsTheElementsOfAVectorWithGaps) {
  EXPECT_EQ(full_logs("gaps", 32, 768, GetParam()), 2) << "two stores of 32 times 8 leave no room for 64 times 8";
}

INSTANTIATE_TEST_SUITE_P(Coalescers, GpudetFullLog, ::testing::Values("warp", "lane"));

}  // namespace
}  // namespace syncline::platform
