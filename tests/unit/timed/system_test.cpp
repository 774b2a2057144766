// Several GPUs in one simulation, each behind a device of its own.
#include "platform/gpu/system.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/error_of.h"

namespace syncline::platform {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

constexpr const char* count_ptx = R"(
.version 6.0
.target sm_70
.address_size 64

.visible .entry count_to(.param .u64 out, .param .u32 passes)
{
  .reg .pred %p1;
  .reg .b32 %r<5>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [passes];
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd1, %rd1, %rd2;
  mov.u32 %r2, 0;
again:
  atom.global.add.u32 %r4, [%rd1], 1;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra again;
  ret;
}
)";

class SystemTest : public ::testing::TestWithParam<const char*> {
 protected:
  static PlatformSpec spec(std::vector<std::string> overrides = {}) {
    return load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(overrides)).spec;
  }
  struct Work {
    Work(Device& device, std::uint32_t start) : gpu(device) {
      kernel = gpu.module_get_function(gpu.module_load_text(count_ptx, "count.ptx"), "count_to");
      out = gpu.upload(std::vector<std::uint32_t>(32, start));
    }
    void launch(std::uint32_t passes) { gpu.launch_kernel(kernel, {{1}, {32}}, arguments(out, passes)); }
    std::vector<std::uint32_t> result() { return gpu.download<std::uint32_t>(out, 32); }
    Device& gpu;
    KernelHandle kernel{};
    DevicePointer out{};
  };
};

// An address is a place in the memory of the device that it came from.
TEST_P(SystemTest, EachGpuRunsItsProgramOnItsMemory) {
  Simulation simulation(spec({GetParam()}), 1, 3);
  simulation.run([&](Device& first) {
    std::vector<Work> all;
    for (unsigned i = 0; i < 3; ++i) all.emplace_back(i == 0 ? first : simulation.device(i), 1000 * i);
    EXPECT_EQ(all[0].out, all[2].out);
    for (unsigned i = 0; i < 3; ++i) all[i].launch(10 + i);
    for (unsigned i = 0; i < 3; ++i) EXPECT_THAT(all[i].result(), Each(1000 * i + 10 + i));
  });
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(simulation.device(i).totals().launches, 1U);
}
INSTANTIATE_TEST_SUITE_P(Policies, SystemTest,
                         ::testing::Values("coherence.policy=none", "coherence.policy=mesi", "coherence.policy=rcc",
                                           "determinism.policy=gpudet"));

TEST_F(SystemTest, GpusWorkAtTheSameTime) {
  Simulation simulation(spec(), 1, 2);
  double alone = 0, together = 0;
  simulation.run([&](Device& first) {
    Work a(first, 0), b(simulation.device(1), 0);
    const auto seconds = [&](bool both) {
      const sc_core::sc_time before = sc_core::sc_time_stamp();
      a.launch(300);
      if (both) b.launch(300);
      a.gpu.synchronize();
      b.gpu.synchronize();
      return (sc_core::sc_time_stamp() - before).to_seconds();
    };
    alone = seconds(false);
    together = seconds(true);
  });
  EXPECT_LT(together, alone * 1.1);
}

TEST_F(SystemTest, ARunEndsWhenAllGpusAreDone) {
  Simulation simulation(spec(), 1, 2);
  simulation.run([&](Device&) { Work(simulation.device(1), 0).launch(100); });
  EXPECT_FALSE(simulation.device(1).busy());
  EXPECT_GT(simulation.device(1).totals().warp_instructions, 300U);
  EXPECT_EQ(simulation.device(0).totals().warp_instructions, 0U);
}

TEST_F(SystemTest, AMonitorWatchesEachGpu) {
  Simulation simulation(spec({"observe.consistency=check", "coherence.policy=mesi"}), 1, 2);
  simulation.run([&](Device& first) {
    Work a(first, 0), b(simulation.device(1), 0);
    a.launch(3);
    b.launch(5);
  });
  EXPECT_THAT(simulation.consistency(0)->summary(), HasSubstr("4 accesses judged, 0 not"));
  EXPECT_THAT(simulation.consistency(1)->summary(), HasSubstr("6 accesses judged, 0 not"));
}

TEST_F(SystemTest, HasAtLeastOneGpu) {
  EXPECT_THAT(test::error_of<base::UserError>([] { Simulation(spec(), 1, 0); }),
              HasSubstr("a system has 1 to 256 GPUs, not 0"));
}

TEST_F(SystemTest, HasNotTooManyGpus) {
  EXPECT_THAT(test::error_of<base::UserError>([] { Simulation(spec(), 1, 257); }),
              HasSubstr("a system has 1 to 256 GPUs, not 257"));
}

}  // namespace
}  // namespace syncline::platform
