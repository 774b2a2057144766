#include "platform/timed/streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/error_of.h"
#include "tests/support/sanitized.h"

namespace syncline::platform {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Works are numbered from 1 in the order in which they are asked for, as tickets are.
struct StreamsTest : ::testing::Test {
  explicit StreamsTest(Streams::Order order = Streams::Order::streams) : streams(order) {}
  void push(StreamHandle stream) {
    streams.push(stream, [this](Streams::Ticket ticket) { started.push_back(ticket); });
  }
  std::vector<Streams::Ticket> started;
  Streams streams;
};
struct StreamsInOrder : StreamsTest {
  StreamsInOrder() : StreamsTest(Streams::Order::launches) {}
};

TEST_F(StreamsTest, LaunchesOfOneStreamWaitForEachOther) {
  push(StreamHandle::default_stream);
  push(StreamHandle::default_stream);
  EXPECT_THAT(started, ElementsAre(1));
  streams.ended(1);
  EXPECT_THAT(started, ElementsAre(1, 2));
  EXPECT_FALSE(streams.all_idle());
  streams.ended(2);
  EXPECT_TRUE(streams.all_idle());
}

TEST_F(StreamsTest, StreamsRunSideBySide) {
  const StreamHandle other = streams.create();
  push(StreamHandle::default_stream);
  push(other);
  EXPECT_THAT(started, ElementsAre(1, 2));
  streams.ended(2);
  EXPECT_TRUE(streams.idle(other));
  EXPECT_FALSE(streams.idle(StreamHandle::default_stream));
}

TEST_F(StreamsTest, WorkThatEndsWithinItsStartLetsTheNextOneStart) {
  push(StreamHandle::default_stream);
  constexpr unsigned many = 100'000;
  for (unsigned i = 0; i < many; ++i)
    streams.push(StreamHandle::default_stream, [this](Streams::Ticket ticket) { streams.ended(ticket); });
  push(StreamHandle::default_stream);
  streams.ended(1);
  EXPECT_THAT(started, ElementsAre(1, many + 2));
}

TEST_F(StreamsInOrder, AreOne) {
  const StreamHandle other = streams.create();
  push(StreamHandle::default_stream);
  push(other);
  push(StreamHandle::default_stream);
  EXPECT_THAT(started, ElementsAre(1));
  EXPECT_FALSE(streams.idle(other));
  streams.ended(1);
  streams.ended(2);
  EXPECT_THAT(started, ElementsAre(1, 2, 3));
  EXPECT_FALSE(streams.idle(other)) << "what comes next waits for the third";
  streams.ended(3);
  EXPECT_TRUE(streams.all_idle());
}

constexpr const char* streams_ptx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry look_late(.param .u64 p, .param .u64 seen, .param .u32 turns)
{
  .reg .b32 %r<4>; .reg .b64 %rd<3>; .reg .pred %q;
  ld.param.u64 %rd1, [p];
  ld.param.u64 %rd2, [seen];
  ld.param.u32 %r1, [turns];
again:
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %q, %r1, 0;
  @%q bra again;
  ld.volatile.global.u32 %r2, [%rd1];
  st.global.u32 [%rd2], %r2;
  ret;
}
.visible .entry put(.param .u64 p, .param .u32 value)
{
  .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [value];
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

/// A copy takes shorter or longer than the grid that runs meanwhile.
struct DeterministicStreams : ::testing::TestWithParam<const char*> {
  template <class Program>
  static void run(Program&& program) {
    std::vector<std::string> settings{"determinism.policy=gpudet", std::string("host.copy_latency=") + GetParam()};
    Simulation simulation(
        load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(settings)).spec, 1);
    simulation.run([&](Device& gpu) {
      const ModuleHandle module = gpu.module_load_text(streams_ptx, "k.ptx");
      program(gpu, gpu.module_get_function(module, "look_late"), gpu.module_get_function(module, "put"));
    });
  }
};

TEST_P(DeterministicStreams, RunTheirGridsInTheOrderOfTheLaunches) {
  run([](Device& gpu, KernelHandle look_late, KernelHandle put) {
    const DevicePointer word = gpu.mem_alloc(4), other_word = gpu.mem_alloc(4), seen = gpu.mem_alloc(4);
    const StreamHandle other = gpu.stream_create();
    const std::uint32_t value = 5;
    gpu.launch_kernel(look_late, {{1}, {32}}, arguments(word, seen, 200U));
    gpu.launch_kernel(put, {{1}, {32}}, arguments(word, 1U));
    gpu.memcpy_htod(other_word, &value, sizeof value, other);
    gpu.launch_kernel(put, {{1}, {32}, 0, other}, arguments(word, 2U));
    gpu.synchronize();
    EXPECT_THAT(gpu.download<std::uint32_t>(word, 1), ElementsAre(2));
  });
}

TEST_P(DeterministicStreams, LetNoCopyMeetAGridThatRuns) {
  run([](Device& gpu, KernelHandle look_late, KernelHandle put) {
    const DevicePointer word = gpu.mem_alloc(4), seen = gpu.mem_alloc(4);
    const StreamHandle other = gpu.stream_create();
    gpu.launch_kernel(look_late, {{1}, {32}}, arguments(word, seen, 200U));
    const std::uint32_t value = 5;
    gpu.memcpy_htod(word, &value, sizeof value, other);
    gpu.launch_kernel(put, {{1}, {32}}, arguments(word, 7U));
    std::uint32_t found = 0;
    gpu.memcpy_dtoh(&found, word, sizeof found, other);
    EXPECT_EQ(found, 7U) << "the grid before had ended";
    gpu.launch_kernel(look_late, {{1}, {32}}, arguments(word, word, 200U));
    gpu.memset_d8(word, 0, 4, other);
    gpu.synchronize();
    EXPECT_THAT(gpu.download<std::uint32_t>(seen, 1), ElementsAre(0)) << "the copy came behind the grid";
    EXPECT_THAT(gpu.download<std::uint32_t>(word, 1), ElementsAre(0)) << "and so did the next";
  });
}

TEST_P(DeterministicStreams, FreeMemoryInFrontOfTheGridsThatWait) {
  if (tests::sanitized) GTEST_SKIP() << tests::no_exceptions;
  EXPECT_THAT(test::error_of<base::ProgramFault>([] {
                run([](Device& gpu, KernelHandle look_late, KernelHandle put) {
                  const DevicePointer word = gpu.mem_alloc(4), seen = gpu.mem_alloc(4), gone = gpu.mem_alloc(4);
                  gpu.launch_kernel(look_late, {{1}, {32}}, arguments(word, seen, 200U));
                  const std::uint32_t value = 5;
                  gpu.memcpy_htod(word, &value, sizeof value, gpu.stream_create());
                  gpu.launch_kernel(look_late, {{1}, {32}}, arguments(word, seen, 200U));
                  gpu.launch_kernel(put, {{1}, {32}}, arguments(gone, 7U));
                  gpu.mem_free(gone);
                  gpu.synchronize();
                });
              }),
              HasSubstr("in kernel `put`"));
}

INSTANTIATE_TEST_SUITE_P(Copies, DeterministicStreams, ::testing::Values("0.1us", "3us", "6us", "7us", "40us"));

TEST_F(StreamsTest, WorkThatNobodyBeganDoesNotEnd) {
  EXPECT_THROW(streams.ended(9), base::ModelError);
}

}  // namespace
}  // namespace syncline::platform
