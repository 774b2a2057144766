// The timed device behind the host API: one elaboration, so one process, per test.
#include "platform/timed/timed_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"
#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/sanitized.h"

namespace syncline::platform {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr const char* device_ptx = R"(
.version 6.0
.target sm_70
.address_size 64

.global .align 4 .u32 counter = 5;

.visible .entry spin_for(.param .u64 out, .param .u32 passes)
{
  .reg .pred %p1;
  .reg .b32 %r<4>;
  .reg .b64 %rd1;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [passes];
  mov.u32 %r2, 0;
again:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra again;
  st.global.u32 [%rd1], %r2;
  ret;
}
.visible .entry bump()
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  mov.u64 %rd1, counter;
  atom.global.add.u32 %r1, [%rd1], 1;
  ret;
}
.visible .entry through_local(.param .u64 out)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<5>;
  .local .align 4 .b8 frame[1024];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  mul.wide.u32 %rd2, %r3, 4;
  mov.u64 %rd4, frame;
  add.s64 %rd4, %rd4, %rd2;
  st.local.u32 [%rd4], %r4;
  bar.sync 0;
  st.global.u32 [%rd3], 1;
  bar.sync 0;
  ld.local.u32 %r5, [%rd4];
  st.global.u32 [%rd3], %r5;
  ret;
}
.visible .entry bad_store()
{
  .reg .b64 %rd<2>;
  mov.u64 %rd1, 64;
  st.global.u32 [%rd1], 1;
  ret;
}
)";

struct TimedDeviceTest : ::testing::Test {
  static PlatformSpec spec(std::vector<std::string> overrides = {}) {
    return load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(overrides)).spec;
  }
  static KernelHandle kernel(Device& gpu, const char* name) {
    return gpu.module_get_function(gpu.module_load_text(device_ptx, "kernels.ptx"), name);
  }

  /// Runs a program that must fail, and gives the message.
  template <class Error>
  static std::string message_of(Simulation& simulation, const std::function<void(Device&)>& program) {
    try {
      simulation.run(program);
    } catch (const Error& error) {
      return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
  }
};

TEST_F(TimedDeviceTest, LaunchesOfDifferentStreamsOverlap) {
  Simulation simulation(spec(), 1);
  std::uint64_t one_after_the_other = 0, side_by_side = 0;
  simulation.run([&](Device& gpu) {
    const KernelHandle spin = kernel(gpu, "spin_for");
    const DevicePointer out = gpu.mem_alloc(4);
    const auto run = [&](StreamHandle a, StreamHandle b) {
      const std::uint64_t before = gpu.totals().cycles;
      gpu.launch_kernel(spin, {{1}, {32}, 0, a}, arguments(out, 2000U));
      gpu.launch_kernel(spin, {{1}, {32}, 0, b}, arguments(out, 2000U));
      gpu.synchronize();
      return gpu.totals().cycles - before;
    };
    const StreamHandle other = gpu.stream_create();
    one_after_the_other = run(StreamHandle::default_stream, StreamHandle::default_stream);
    side_by_side = run(StreamHandle::default_stream, other);
  });
  EXPECT_LT(side_by_side, one_after_the_other * 3 / 5);
}

// Local memory, logs and depths lie behind the device memory, however large that is.
struct LargeMemory : TimedDeviceTest, ::testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(LargeMemory, OverlapsNothing) {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  std::vector<std::string> overrides = GetParam();
  overrides.emplace_back("host.memory=40 GiB");
  Simulation simulation(spec(overrides), 1);
  constexpr std::uint32_t threads = 2048;
  simulation.run([&](Device& gpu) {
    const KernelHandle through_local = kernel(gpu, "through_local");
    const DevicePointer block = gpu.mem_alloc(36 * gib);
    std::vector<std::uint32_t> expected(threads), found(threads);
    std::iota(expected.begin(), expected.end(), 0);
    // From below 8 GiB to the last bytes: each GiB has been where local memory began, or may be.
    for (std::uint64_t at = 3 * gib; at <= 36 * gib; at += gib) {
      const DevicePointer out = block + (at - threads * sizeof(std::uint32_t));
      gpu.launch_kernel(through_local, {{threads / 256}, {256}}, arguments(out));
      gpu.memcpy_dtoh(found.data(), out, threads * sizeof(std::uint32_t), StreamHandle::default_stream);
      ASSERT_EQ(found, expected) << "below " << at / gib << " GiB";
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Policies, LargeMemory,
                         ::testing::Values(std::vector<std::string>{}, std::vector<std::string>{"coherence.policy=rcc"},
                                           std::vector<std::string>{"determinism.policy=gpudet"},
                                           std::vector<std::string>{"determinism.policy=gpudet",
                                                                    "determinism.gpudet.commit=lock"}));

TEST_F(TimedDeviceTest, CopiesMoveBytesAndTakeTheLinksTime) {
  Simulation simulation(spec({"host.copy_bandwidth=1 GB/s", "host.copy_latency=10 us"}), 1);
  sc_core::sc_time taken;
  std::vector<std::uint8_t> back;
  simulation.run([&](Device& gpu) {
    std::vector<std::uint8_t> bytes(100'000);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
    const DevicePointer a = gpu.mem_alloc(bytes.size());
    const DevicePointer b = gpu.mem_alloc(bytes.size());
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    gpu.memcpy_htod(a, bytes.data(), bytes.size());
    taken = sc_core::sc_time_stamp() - start;
    gpu.memcpy_dtod(b, a, bytes.size());
    gpu.memset_d8(b + 10, 0xAB, 1000);
    back = gpu.download<std::uint8_t>(b, bytes.size());
  });
  EXPECT_EQ(taken, sc_core::sc_time(110, sc_core::SC_US));
  EXPECT_EQ(back[9], 9);
  EXPECT_EQ(back[10], 0xAB);
  EXPECT_EQ(back[1009], 0xAB);
  EXPECT_EQ(back[1010], static_cast<std::uint8_t>(1010));
  EXPECT_EQ(back[99'999], static_cast<std::uint8_t>(99'999));
}

TEST_F(TimedDeviceTest, CopiesOfNothingTouchNothing) {
  Simulation simulation(spec(), 1);
  simulation.run([](Device& gpu) {
    const DevicePointer data = gpu.upload(std::vector<std::uint32_t>{7});
    gpu.memcpy_htod(data, nullptr, 0);
    gpu.memcpy_dtoh(nullptr, data, 0);
    gpu.memcpy_dtod(data, data, 0);
    EXPECT_TRUE(gpu.download<std::uint32_t>(data, 0).empty());
    EXPECT_EQ(gpu.download<std::uint32_t>(data, 1), std::vector<std::uint32_t>{7});
  });
}

TEST_F(TimedDeviceTest, ModuleVariablesHaveTheirInitialValueAndAreSeenByTheHost) {
  Simulation simulation(spec(), 1);
  std::uint32_t counter = 0;
  simulation.run([&](Device& gpu) {
    const ModuleHandle module = gpu.module_load_text(device_ptx, "kernels.ptx");
    const GlobalSymbol symbol = gpu.module_get_global(module, "counter");
    EXPECT_EQ(symbol.bytes, 4U);
    EXPECT_LT(address(symbol.address), std::uint64_t{1} << 32);
    gpu.launch_kernel(gpu.module_get_function(module, "bump"), {{10}, {64}}, {});
    gpu.memcpy_dtoh(&counter, symbol.address, 4);
  });
  EXPECT_EQ(counter, 5U + 640U);
}

TEST_F(TimedDeviceTest, FreedMemoryReadsAsZeroWhenItIsAllocatedAgain) {
  Simulation simulation(spec(), 1);
  std::vector<std::uint32_t> values;
  simulation.run([&](Device& gpu) {
    const DevicePointer first = gpu.upload(std::vector<std::uint32_t>(1000, 7));
    gpu.mem_free(first);
    const DevicePointer second = gpu.mem_alloc(4000);
    EXPECT_EQ(first, second);
    values = gpu.download<std::uint32_t>(second, 1000);
  });
  EXPECT_EQ(values, std::vector<std::uint32_t>(1000, 0));
}

TEST_F(TimedDeviceTest, AFaultOfAKernelSurfacesInTheHostsNextWait) {
  if (tests::sanitized) GTEST_SKIP() << tests::no_exceptions;
  Simulation simulation(spec(), 1);
  bool reached = false;
  const std::string message = message_of<base::ProgramFault>(simulation, [&](Device& gpu) {
    gpu.launch_kernel(kernel(gpu, "bad_store"), {{1}, {32}}, {});
    gpu.synchronize();
    reached = true;
  });
  EXPECT_FALSE(reached);
  EXPECT_THAT(message, ContainsRegex("kernels\\.ptx:[0-9]+: `st\\.global\\.u32"));
  EXPECT_THAT(message, HasSubstr("bad_store"));
}

TEST_F(TimedDeviceTest, TheCycleLimitEndsARun) {
  if (tests::sanitized) GTEST_SKIP() << tests::no_exceptions;
  Simulation simulation(spec({"limits.cycles=5000"}), 1);
  const std::string message = message_of<base::ProgramFault>(simulation, [](Device& gpu) {
    gpu.launch_kernel(kernel(gpu, "spin_for"), {{1}, {32}}, arguments(gpu.mem_alloc(4), 100'000'000U));
    gpu.synchronize();
  });
  EXPECT_THAT(message, HasSubstr("limit of 5000 cycles"));
  EXPECT_THAT(message, HasSubstr("gpu.sm0"));
}

TEST_F(TimedDeviceTest, MistakesOfTheHostProgramAreTold) {
  Simulation simulation(spec(), 1);
  simulation.run([](Device& gpu) {
    const DevicePointer data = gpu.mem_alloc(16);
    std::uint32_t value = 0;
    EXPECT_THROW(gpu.memcpy_htod(data + 14, &value, 4), base::UserError);
    EXPECT_THROW(gpu.mem_free(data + 4), base::UserError);
    EXPECT_THROW(gpu.stream_synchronize(StreamHandle{7}), base::UserError);
    EXPECT_THROW(gpu.launch_kernel(KernelHandle{7}, {{1}, {1}}, {}), base::UserError);
    EXPECT_THROW(gpu.module_get_function(ModuleHandle{7}, "bump"), base::UserError);
    EXPECT_THROW(gpu.launch_kernel(kernel(gpu, "bump"), {{1}, {1}}, arguments(1)), base::UserError);
  });
}

TEST_F(TimedDeviceTest, AHostProgramThatThrowsEndsTheRun) {
  if (tests::sanitized) GTEST_SKIP() << tests::no_exceptions;
  Simulation simulation(spec(), 1);
  EXPECT_EQ(message_of<base::UserError>(simulation, [](Device&) { throw base::UserError("enough"); }), "enough");
}

}  // namespace
}  // namespace syncline::platform
