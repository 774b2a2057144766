// Programs under GPUDet: what a warp sees within a quantum, in which order stores and atomics take effect.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.h"
#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/counter_of.h"

namespace syncline::platform {
namespace {

using ::testing::Each;
using ::testing::ElementsAreArray;

constexpr const char* kernels_ptx = R"(
.version 7.0
.target sm_70
.address_size 64

.visible .entry shift(.param .u64 data, .param .u64 seen, .param .u32 barrier)
{ // each thread stores to its place, then reads its own and the one of the warp behind
  .reg .pred %p<3>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [seen];
  ld.param.u32 %r9, [barrier];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %ctaid.x;
  mad.lo.u32 %r4, %r3, %r2, %r1;
  mul.wide.u32 %rd3, %r4, 4;
  add.u64 %rd4, %rd1, %rd3;
  add.u32 %r5, %r4, 1000;
  st.global.u32 [%rd4], %r5;
  setp.eq.u32 %p1, %r9, 0;
  @%p1 bra read;
  bar.sync 0;
read:
  ld.global.u32 %r6, [%rd4];
  mov.u32 %r10, %nctaid.x;
  mul.lo.u32 %r10, %r10, %r2;
  add.u32 %r7, %r4, 32;
  rem.u32 %r7, %r7, %r10;
  mul.wide.u32 %rd5, %r7, 4;
  add.u64 %rd6, %rd1, %rd5;
  ld.global.u32 %r8, [%rd6];
  shl.b64 %rd3, %rd3, 1;
  add.u64 %rd7, %rd2, %rd3;
  st.global.v2.u32 [%rd7], {%r6, %r8};
  ret;
}
.visible .entry race(.param .u64 place)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [place];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %ctaid.x;
  mad.lo.u32 %r4, %r3, %r2, %r1;
  and.b32 %r5, %r1, 31;
  mul.wide.u32 %rd2, %r5, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r4;
  ret;
}
.visible .entry tickets(.param .u64 counter, .param .u64 out)
{
  .reg .pred %p1;
  .reg .b32 %r<7>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [counter];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %ctaid.x;
  mad.lo.u32 %r4, %r3, %r2, %r1;
  and.b32 %r6, %r4, 32;
  setp.ne.u32 %p1, %r6, 0;
  mov.u32 %r5, 77;
  @%p1 atom.global.add.u32 %r5, [%rd1], 1;
  mul.wide.u32 %rd3, %r4, 4;
  add.u64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r5;
  ret;
}
.visible .entry rewrite(.param .u64 out, .param .u32 passes)
{ // stores to 32 lines again and again, reading back the value before
  .reg .pred %p1;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [passes];
  mov.u32 %r2, %tid.x;
  mov.u32 %r7, %ctaid.x;
  mov.u32 %r6, %ntid.x;
  mad.lo.u32 %r2, %r7, %r6, %r2;
  mul.wide.u32 %rd2, %r2, 128;
  add.u64 %rd3, %rd1, %rd2;
  mov.u32 %r3, 0;
again:
  ld.global.u32 %r4, [%rd3];
  add.u32 %r4, %r4, 3;
  st.global.u32 [%rd3], %r4;
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, %r1;
  @%p1 bra again;
  ret;
}
.visible .entry walk(.param .u64 table, .param .u64 out, .param .u32 passes)
{ // each thread follows links in a table that nobody writes, and stores what it comes by beside what others store
  .reg .pred %p1;
  .reg .b32 %r<8>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [table];
  ld.param.u64 %rd2, [out];
  ld.param.u32 %r1, [passes];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mad.lo.u32 %r5, %r3, %r4, %r2;
  mul.lo.u32 %r6, %r5, %r1;
  mul.wide.u32 %rd3, %r6, 4;
  add.u64 %rd3, %rd2, %rd3;
again:
  mul.wide.u32 %rd4, %r5, 4;
  add.u64 %rd4, %rd1, %rd4;
  ld.global.u32 %r5, [%rd4];
  st.global.u32 [%rd3], %r5;
  add.u64 %rd3, %rd3, 4;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra again;
  ret;
}
.visible .entry bytes(.param .u64 place)
{ // two CTAs store words and bytes to the same places; of each, two warps store to the bytes of the same words: each one
  // of its own, one that both want, and what a barrier orders
  .reg .pred %p<4>;
  .reg .b32 %r<7>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [place];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 31;
  shr.u32 %r3, %r1, 5;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd2, %rd1, %rd2;
  mov.u32 %r6, %ctaid.x;
  setp.ne.u32 %p3, %r6, 0;
  @%p3 bra second;
  st.global.u32 [%rd2+256], 0x77777777;
  st.global.u8 [%rd2+385], 0x88;
  bra both;
second:
  st.global.u8 [%rd2+257], 0x99;
  st.global.u32 [%rd2+384], 0xAAAAAAAA;
both:
  add.u32 %r4, %r3, 10;
  st.global.u8 [%rd2+2], %r4;
  cvt.u64.u32 %rd3, %r3;
  add.u64 %rd3, %rd2, %rd3;
  add.u32 %r5, %r3, 1;
  st.global.u8 [%rd3], %r5;
  setp.eq.u32 %p1, %r3, 0;
  setp.ne.u32 %p2, %r3, 0;
  @%p1 st.global.u32 [%rd2+128], 0x11111111;
  @%p1 st.global.u8 [%rd2+129], 0x22;
  @%p1 st.global.u32 [%rd2+128], 0x33333333;
  @%p1 st.global.u8 [%rd2+131], 0x44;
  bar.sync 0;
  @%p2 st.global.u8 [%rd2+128], 0x55;
  @%p2 st.global.u8 [%rd2+3], 0x66;
  @%p2 ld.global.u32 %r5, [%rd2+128];
  @%p2 st.global.u32 [%rd2+512], %r5;
  ret;
}
)";

using Settings = std::vector<std::string>;

/// Every form of the policy runs the same tests.
struct GpudetTest : ::testing::TestWithParam<Settings> {
  static PlatformSpec spec(Settings more = {}) {
    Settings all{"determinism.policy=gpudet"};
    for (const std::string& one : GetParam()) all.push_back("determinism.gpudet." + one);
    for (const std::string& one : more) all.push_back(one);
    return load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(all)).spec;
  }
  static KernelHandle kernel(Device& gpu, const char* name) {
    return gpu.module_get_function(gpu.module_load_text(kernels_ptx, "kernels.ptx"), name);
  }
  static bool has(const std::string& setting) { return std::count(GetParam().begin(), GetParam().end(), setting) != 0; }
  /// What the threads of `shift` read: of their own warp, and of the next one.
  struct Shifted {
    std::vector<std::uint32_t> own, next, left;
  };
  static Shifted shift(Settings settings, unsigned ctas, bool barrier) {
    Simulation simulation(spec(std::move(settings)), 1);
    Shifted result;
    simulation.run([&](Device& gpu) {
      const unsigned threads = ctas * 64;
      const DevicePointer data = gpu.mem_alloc(threads * 4), seen = gpu.mem_alloc(threads * 8);
      gpu.launch_kernel(kernel(gpu, "shift"), {{ctas}, {64}}, arguments(data, seen, barrier ? 1U : 0U));
      gpu.synchronize();
      const auto pairs = gpu.download<std::uint32_t>(seen, threads * 2);
      for (unsigned i = 0; i < threads; ++i) {
        result.own.push_back(pairs[2 * i]);
        result.next.push_back(pairs[2 * i + 1]);
      }
      result.left = gpu.download<std::uint32_t>(data, threads);
    });
    return result;
  }
  /// Each of 128 threads adds to a place of its own, in a line of its own, again and again.
  static void rewrite(Simulation& simulation) {
    simulation.run([&](Device& gpu) {
      constexpr unsigned threads = 128, passes = 12;
      const DevicePointer out = gpu.mem_alloc(threads * 128);
      gpu.launch_kernel(kernel(gpu, "rewrite"), {{2}, {64}}, arguments(out, passes));
      gpu.synchronize();
      const auto values = gpu.download<std::uint32_t>(out, threads * 32);
      for (unsigned i = 0; i < threads; ++i) EXPECT_EQ(values[i * 32], 3 * passes) << "thread " << i;
    });
  }
  static std::uint64_t counted(Simulation& simulation, const std::string& name) {
    return test::counter_of(simulation, "gpu.quanta." + name);
  }
  static std::vector<std::uint32_t> from(std::uint32_t first, std::size_t count) {
    std::vector<std::uint32_t> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
  }
};

TEST_P(GpudetTest, AWarpSeesItsOwnStoresAndNobodyElses) {
  if (has("quantum_size=7")) GTEST_SKIP() << "the stores and the loads are in different quanta";
  const Shifted result = shift({}, 4, false);
  EXPECT_THAT(result.own, ElementsAreArray(from(1000, 256)));
  EXPECT_THAT(result.next, Each(0U)) << "a store of this quantum was seen by another warp";
  EXPECT_THAT(result.left, ElementsAreArray(from(1000, 256)));
}

TEST_P(GpudetTest, BehindABarrierAWarpSeesTheStoresOfItsCta) {
  const Shifted result = shift({}, 4, true);
  EXPECT_THAT(result.own, ElementsAreArray(from(1000, 256)));
  for (unsigned i = 0; i < 256; ++i) {
    if (i / 32 % 2 == 0) {
      EXPECT_EQ(result.next[i], 1000 + i + 32) << "thread " << i;
    }
  }
}

TEST_P(GpudetTest, BehindTheBarrierOfTheThesisItDoesNot) {
  if (has("quantum_formation=base") || has("quantum_size=7")) GTEST_SKIP() << "the barrier ends the quantum";
  const Shifted result = shift({"determinism.gpudet.barrier_rule=thesis"}, 4, true);
  EXPECT_THAT(result.own, ElementsAreArray(from(1000, 256)));
  EXPECT_THAT(result.next, Each(0U));
}

TEST_P(GpudetTest, OfRacingStoresTheLowestWarpOfTheLastQuantumStays) {
  Simulation simulation(spec({"perturbation.chance=all"}), 3);
  simulation.run([&](Device& gpu) {
    const DevicePointer place = gpu.mem_alloc(128);
    gpu.launch_kernel(kernel(gpu, "race"), {{4}, {64}}, arguments(place));
    gpu.synchronize();
    EXPECT_THAT(gpu.download<std::uint32_t>(place, 32), ElementsAreArray(from(0, 32)));
  });
}

TEST_P(GpudetTest, TheLastCtasAreSpreadOverTheSms) {
  Simulation simulation(spec(), 1);
  simulation.run([&](Device& gpu) {
    const DevicePointer place = gpu.mem_alloc(128);
    gpu.launch_kernel(kernel(gpu, "race"), {{2 * 4 + 2}, {64}}, arguments(place));
    gpu.synchronize();
  });
  EXPECT_EQ(test::counter_of(simulation, "gpu.sm0.ctas"), 5);
  EXPECT_EQ(test::counter_of(simulation, "gpu.sm1.ctas"), 5);
}

TEST_P(GpudetTest, BytesThatAreCommittedOneAfterTheOtherHaveTheOrderOfTheWarps) {
  Simulation simulation(spec({"perturbation.chance=all", "determinism.gpudet.byte_stores=serial"}), 3);
  simulation.run([&](Device& gpu) {
    const DevicePointer place = gpu.mem_alloc(640);
    gpu.launch_kernel(kernel(gpu, "bytes"), {{2}, {64}}, arguments(place));
    gpu.synchronize();
    const auto line = [&](unsigned number) { return gpu.download<std::uint32_t>(place + number * 128, 32); };
    EXPECT_THAT(line(0), Each(0x660A0201U));
    EXPECT_THAT(line(1), Each(0x44333355U));
    EXPECT_THAT(line(2), Each(0x77777777U)) << "bytes of a later warp, which is on another SM";
    EXPECT_THAT(line(3), Each(0xAAAA88AAU)) << "words of a later warp";
    EXPECT_THAT(line(4), Each(0x44333355U)) << "what a warp sees that has stored over another's words";
  });
  EXPECT_GT(counted(simulation, "sm0.left_chunks"), 0);
}

TEST_P(GpudetTest, AtomicsGoInTheOrderOfTheWarps) {
  Simulation simulation(spec({"perturbation.chance=all"}), 5);
  simulation.run([&](Device& gpu) {
    constexpr unsigned ctas = 6, threads = 64;
    const DevicePointer counter = gpu.mem_alloc(4), out = gpu.mem_alloc(ctas * threads * 4);
    gpu.launch_kernel(kernel(gpu, "tickets"), {{ctas}, {threads}}, arguments(counter, out));
    gpu.synchronize();
    const auto values = gpu.download<std::uint32_t>(out, ctas * threads);
    unsigned turn = 0;
    for (const unsigned cta : {0U, 2U, 4U, 1U, 3U, 5U}) {  // dealt to two SMs in turn; SM 0 is first
      for (unsigned lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(values[cta * threads + lane], 77U) << "the guard was false";
        EXPECT_EQ(values[cta * threads + 32 + lane], turn + lane) << "CTA " << cta;
      }
      turn += 32;
    }
    EXPECT_EQ(gpu.download<std::uint32_t>(counter, 1).front(), turn);
  });
}

TEST_P(GpudetTest, LoadsGoAheadOfACommitThatLeavesTheirLinesAlone) {
  Simulation simulation(spec({"determinism.gpudet.overlap=next_quantum", "determinism.gpudet.quantum_size=20"}), 1);
  constexpr unsigned threads = 256, passes = 9;
  simulation.run([&](Device& gpu) {
    std::vector<std::uint32_t> table(threads);
    for (unsigned i = 0; i < threads; ++i) table[i] = (i * 77 + 5) % threads;
    const DevicePointer links = gpu.mem_alloc(threads * 4), out = gpu.mem_alloc(threads * passes * 4);
    gpu.memcpy_htod(links, table.data(), threads * 4);
    gpu.launch_kernel(kernel(gpu, "walk"), {{threads / 64}, {64}}, arguments(links, out, passes));
    gpu.synchronize();
    const auto found = gpu.download<std::uint32_t>(out, threads * passes);
    for (unsigned i = 0; i < threads; ++i) {
      for (unsigned pass = 0, at = i; pass < passes; ++pass)
        ASSERT_EQ(found[i * passes + pass], at = table[at]) << "thread " << i;
    }
  });
  EXPECT_GT(counted(simulation, "ahead_instructions"), 0);
  EXPECT_GT(counted(simulation, "sm0.ahead_passed"), 0);
}

TEST_P(GpudetTest, LoadsOfLinesThatAreCommittedWaitForIt) {
  Simulation simulation(spec({"determinism.gpudet.overlap=next_quantum", "determinism.gpudet.quantum_size=6",
                              "determinism.gpudet.overlap_bloom=ideal"}),
                        1);
  rewrite(simulation);
  EXPECT_GT(counted(simulation, "sm0.ahead_held"), 0);
}

TEST_P(GpudetTest, AFullLogAndFewDepthsChangeNoResult) {
  Simulation simulation(spec({"determinism.gpudet.store_buffer.entries=64", "determinism.gpudet.store_buffer.bloom=128",
                              "determinism.gpudet.depth_bits=9", "determinism.gpudet.quantum_size=1000"}),
                        1);
  rewrite(simulation);
  EXPECT_GT(counted(simulation, "ends_log_full"), 0);
  EXPECT_GT(counted(simulation, "depth_clears"), 0);
}

TEST_P(GpudetTest, AScatteredStoreTakesALineOfALogForEachLaneOrNoMoreThanItsBytes) {
  constexpr unsigned line = 128;
  Simulation simulation(spec({"l1.size=16KiB", "l1.ways=4"}), 1);
  simulation.run([&](Device& gpu) {
    const DevicePointer out = gpu.mem_alloc(32 * line);
    gpu.launch_kernel(kernel(gpu, "rewrite"), {{1}, {32}}, arguments(out, 1U));
    gpu.synchronize();
  });
  const bool packed = !has("store_buffer.data=chunk");
  EXPECT_EQ(counted(simulation, "sm0.log_chunks"), 32);
  EXPECT_EQ(counted(simulation, "sm0.log_bytes"), packed ? 32 * 4 : 32 * line);
  EXPECT_EQ(counted(simulation, "sm0.log_unused_bytes"), packed ? 0 : 32 * (line - 4));
  EXPECT_EQ(counted(simulation, "sm0.commit_header_lines"), 4) << "ten headers a line";
  EXPECT_EQ(counted(simulation, "sm0.commit_data_lines"), packed ? 1 : 32);
  EXPECT_EQ(counted(simulation, "sm0.log_lines_written"), packed ? 4 + 1 : 4 + 32) << "gathered, one line each";
  if (has("commit=lock")) return;  // its locks and depths are stores, too
  const auto all = [&](const std::string& ending) {
    std::uint64_t sum = 0;
    for (const base::Statistic* one : simulation.context().statistics.sorted()) {
      const std::string name = one->full_name();
      if (name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
        sum += one->counter->value();
    }
    return sum;
  };
  EXPECT_EQ(all("_l2.stores"), 32 + all("_z_unit.write_backs"))
      << "a line of the log, read for the last time, was written back";
}

INSTANTIATE_TEST_SUITE_P(Forms, GpudetTest,
                         ::testing::Values(Settings{}, Settings{"commit=lock"},
                                           Settings{"quantum_formation=base", "serial=w_ser"},
                                           Settings{"quantum_formation=bta"}, Settings{"quantum_size=7"},
                                           Settings{"store_buffer.data=chunk"},
                                           Settings{"overlap=next_quantum", "overlap_bloom=1024"},
                                           Settings{"overlap=next_quantum", "quantum_size=7", "serial=w_ser"},
                                           Settings{"serial=w_ser", "commit=lock", "sync_latency=100"}));

}  // namespace
}  // namespace syncline::platform
