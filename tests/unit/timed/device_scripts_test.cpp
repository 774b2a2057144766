// Scripts whose steps name devices, on a machine of several GPUs, with time and without.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "platform/script/run_script.h"
#include "tests/support/counter_of.h"
#include "tests/unit/config/scratch_folder.h"
#include "tests/unit/timed/several_devices.h"

namespace syncline::platform {
namespace {

using syncline::test::counter_of;

class DeviceScripts : public OnEachDevice {
 protected:
  DeviceScripts() { folder_.write("kernel.ptx", ptx); }

  ScriptOutcome run(Device& device, const std::string& text) {
    const WorkloadScript script = parse_workload_script("module: kernel.ptx\n" + text, folder_.path() / "s.yaml");
    Outputs outputs;
    return run_script(device, script, 1, outputs);
  }
  void write_words(const std::string& name, const Words& words) {
    folder_.write(name, std::string(reinterpret_cast<const char*>(words.data()), words.size() * sizeof words[0]));
  }

  static constexpr const char* ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry add_one(.param .u64 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.u32 %r2, [%rd1];
  add.u32 %r2, %r2, 1;
  st.global.u32 [%rd1], %r2;
  ret;
}
.visible .entry set_slowly(.param .u64 out, .param .u32 value)
{
  .reg .pred %p1;
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r2, [value];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  mov.u32 %r3, 500;
again:
  sub.u32 %r3, %r3, 1;
  setp.ne.u32 %p1, %r3, 0;
  @%p1 bra again;
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
  static constexpr const char* buffers = R"(
buffers:
  a: {type: u32, count: 1024, fill: 10, device: 1}
  b: {type: u32, count: 1024}
  c: {type: u32, count: 1024}
)";
  test::ScratchFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(OnEach, DeviceScripts, ::testing::Bool(), name_of_time);

// What launches on either side have behind them and before them the copy has too.
TEST_P(DeviceScripts, CopyIntoMemoryOfAllDevicesBehindTheOneThatTheyCopyFrom) {
  write_words("eleven.bin", Words(1024, 11));
  write_words("twelve.bin", Words(32, 12));
  run_on(two_gpus(), [&](Device& machine) {
    const ScriptOutcome outcome = run(machine, std::string(buffers) + R"(
steps:
  - launch: {kernel: add_one, grid: 1, block: 1024, args: [{ptr: a}], device: 1}
  - copy: {from: a, to: b}
  - copy: {from: b, to: c}
  - launch: {kernel: add_one, grid: 1, block: 32, args: [{ptr: b}]}
  - check: {buffer: c, equals: eleven.bin}
  - check: {buffer: b, equals: twelve.bin}
)");
    EXPECT_EQ(outcome.verified(), true) << outcome.detail();
  });
}

// Of launches with and without `device` none is ordered by anything else.
TEST_P(DeviceScripts, WaitForAllBetweenLaunchesOfOneDeviceAndOfAll) {
  write_words("twelve.bin", Words(1024, 12));
  run_on(two_gpus(), [&](Device& machine) {
    const ScriptOutcome outcome = run(machine, std::string(buffers) + R"(
steps:
  - launch: {kernel: set_slowly, grid: 1, block: 1024, args: [{ptr: b}, {u32: 10}], device: 1}
  - wait: {}
  - launch: {kernel: set_slowly, grid: 1, block: 1024, args: [{ptr: b}, {u32: 11}]}
  - wait: {}
  - launch: {kernel: add_one, grid: 1, block: 1024, args: [{ptr: b}], device: 0}
  - check: {buffer: b, equals: twelve.bin}
)");
    EXPECT_EQ(outcome.verified(), true) << outcome.detail();
  });
}

class ScriptCopies : public DeviceScripts {};
INSTANTIATE_TEST_SUITE_P(WithTime, ScriptCopies, ::testing::Values(true), name_of_time);

TEST_P(ScriptCopies, IntoMemoryOfAllDevicesGoThroughTheEngineOfTheOneThatTheyComeFrom) {
  Simulation simulation(two_gpus(), 1);
  simulation.run([&](Device& machine) {
    run(machine, std::string(buffers) + "steps: [{copy: {from: a, to: b}}, {copy: {from: b, to: c}}]\n");
    EXPECT_GT(machine.totals().cycles, 0U);
  });
  EXPECT_EQ(counter_of(simulation, "gpu.copy_engine0.bytes"), 0U);
  EXPECT_EQ(counter_of(simulation, "gpu.copy_engine1.bytes"), 4096U) << "none for the copy between buffers of all";
}

}  // namespace
}  // namespace syncline::platform
