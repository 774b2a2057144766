// Kernels that race in every way that PTX has, under GPUDet: whatever chance does, device memory ends alike.
#include <gmock/gmock.h>

#include <functional>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/apart.h"

namespace syncline::platform {
namespace {

// `mix`: every lane draws what it does next, and to which word, from what it has read so far; so one read out of order
// changes all that follows. CTAs run for different times, and some lanes end early.
constexpr const char* races_ptx = R"(
.version 7.0
.target sm_70
.address_size 64

.visible .entry mix(.param .u64 data, .param .u64 out, .param .u32 steps)
{
  .reg .pred %p<3>;
  .reg .b16 %h<2>;
  .reg .b32 %r<20>;
  .reg .b64 %rd<10>;
  .shared .align 16 .b8 mine[256];
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [out];
  ld.param.u32 %r9, [steps];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %ctaid.x;
  mad.lo.u32 %r4, %r3, %r2, %r1;
  mul.lo.u32 %r5, %r4, 0x9E3779B1;
  and.b32 %r8, %r3, 3;
  mad.lo.u32 %r9, %r8, 4, %r9;
  mov.u64 %rd8, mine;
  cvta.shared.u64 %rd9, %rd8;
  mov.u32 %r7, 0;
again:
  mad.lo.u32 %r5, %r5, 1664525, 1013904223;
  shr.u32 %r10, %r5, 14;
  and.b32 %r10, %r10, 0xFC;
  cvt.u64.u32 %rd3, %r10;
  add.u64 %rd4, %rd1, %rd3;
  and.b64 %rd5, %rd4, -16;
  shr.u32 %r11, %r5, 25;
  rem.u32 %r11, %r11, 10;
choices: .branchtargets plain, volatiles, vectors, generics, reductions, exchange, prefetched, halves, shared, fenced;
  brx.idx %r11, choices;
plain:
  ld.global.u32 %r12, [%rd4];
  add.u32 %r5, %r5, %r12;
  st.global.u32 [%rd4], %r5;
  bra.uni next;
volatiles:
  ld.volatile.global.u32 %r12, [%rd4];
  xor.b32 %r5, %r5, %r12;
  st.volatile.global.u32 [%rd4], %r5;
  bra.uni next;
vectors:
  ld.global.v4.u32 {%r12, %r13, %r14, %r15}, [%rd5];
  add.u32 %r12, %r12, %r15;
  xor.b32 %r5, %r5, %r12;
  st.global.v4.u32 [%rd5], {%r14, %r5, %r12, %r13};
  bra.uni next;
generics:
  st.u32 [%rd4], %r5;
  ld.u32 %r12, [%rd4];
  add.u32 %r5, %r5, %r12;
  bra.uni next;
reductions:
  red.global.add.u32 [%rd4], %r5;
  bra.uni next;
exchange:
  atom.global.exch.b32 %r12, [%rd4], %r5;
  add.u32 %r5, %r5, %r12;
  bra.uni next;
prefetched:
  prefetch.global.L1 [%rd4];
  ld.acquire.gpu.global.u32 %r12, [%rd4];
  add.u32 %r5, %r5, %r12;
  st.release.gpu.global.u32 [%rd4], %r5;
  bra.uni next;
halves:
  cvt.u16.u32 %h1, %r5;
  st.global.u16 [%rd4+2], %h1;
  st.global.u8 [%rd5], %h1;
  bra.uni next;
shared:
  add.u64 %rd6, %rd9, %rd3;
  ld.u32 %r12, [%rd6];
  add.u32 %r5, %r5, %r12;
  add.u64 %rd7, %rd8, %rd3;
  atom.shared.exch.b32 %r13, [%rd7], %r5;
  xor.b32 %r5, %r5, %r13;
  bra.uni next;
fenced:
  membar.gl;
  ld.global.u32 %r12, [%rd4];
  add.u32 %r5, %r5, %r12;
next:
  and.b32 %r16, %r5, 127;
  setp.eq.u32 %p1, %r16, 77;
  @%p1 exit;
  and.b32 %r17, %r7, 7;
  setp.ne.u32 %p1, %r17, 7;
  @%p1 bra on;
  bar.sync 0;
on:
  add.u32 %r7, %r7, 1;
  setp.lt.u32 %p2, %r7, %r9;
  @%p2 bra again;
  mul.wide.u32 %rd6, %r4, 4;
  add.u64 %rd7, %rd2, %rd6;
  st.global.u32 [%rd7], %r5;
  ret;
}

.visible .entry pipeline(.param .u64 slots, .param .u64 out, .param .u32 passes)
{ // warp 0 fills a slot in global memory, warps 1 and 2 read it in turn: barriers 1 and 2 say full, 3 and 4 empty
  .reg .pred %p<4>;
  .reg .b32 %r<14>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [slots];
  ld.param.u64 %rd2, [out];
  ld.param.u32 %r9, [passes];
  mov.u32 %r1, %tid.x;
  mov.u32 %r3, %ctaid.x;
  shr.u32 %r2, %r1, 5;
  and.b32 %r4, %r1, 31;
  mad.lo.u32 %r5, %r3, 32, %r4;
  mul.wide.u32 %rd3, %r5, 4;
  add.u64 %rd4, %rd1, %rd3;
  mov.u32 %r6, 0;
  mov.u32 %r7, 0;
  setp.eq.u32 %p1, %r2, 0;
  @!%p1 bra consume;
produce:
  mad.lo.u32 %r8, %r6, 64, %r4;
  st.global.u32 [%rd4], %r8;
  and.b32 %r10, %r6, 1;
  add.u32 %r11, %r10, 1;
  bar.arrive %r11, 64;
  add.u32 %r11, %r10, 3;
  bar.sync %r11, 64;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p2, %r6, %r9;
  @%p2 bra produce;
  ret;
consume:
  bar.sync %r2, 64;
  ld.global.u32 %r8, [%rd4];
  mad.lo.u32 %r7, %r7, 31, %r8;
  add.u32 %r11, %r2, 2;
  bar.arrive %r11, 64;
  add.u32 %r6, %r6, 2;
  setp.lt.u32 %p2, %r6, %r9;
  @%p2 bra consume;
  mad.lo.u32 %r12, %r3, 64, %r1;
  sub.u32 %r12, %r12, 32;
  mul.wide.u32 %rd5, %r12, 4;
  add.u64 %rd6, %rd2, %rd5;
  st.global.u32 [%rd6], %r7;
  ret;
}

.visible .entry released(.param .u64 data, .param .u64 out)
{ // warp 0 tells warp 1 by a word of shared memory that it has stored
  .reg .pred %p<3>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<5>;
  .shared .align 4 .b8 told[4];
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r3, %r2, 32, %r1;
  setp.ge.u32 %p1, %r1, 32;
  @%p1 bra listen;
  mul.wide.u32 %rd3, %r3, 4;
  add.u64 %rd4, %rd1, %rd3;
  st.global.u32 [%rd4], %r3;
  st.release.cta.shared.u32 [told], 1;
  ret;
listen:
  ld.acquire.cta.shared.u32 %r4, [told];
  setp.eq.u32 %p2, %r4, 0;
  @%p2 bra listen;
  sub.u32 %r3, %r3, 32;
  mul.wide.u32 %rd3, %r3, 4;
  add.u64 %rd4, %rd1, %rd3;
  ld.global.u32 %r5, [%rd4];
  add.u64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r5;
  ret;
}

.extern .func (.param .b64 r) malloc(.param .b64 bytes);
.visible .entry heap(.param .u64 out)
{
  .reg .pred %p1;
  .reg .b32 %r<8>;
  .reg .b64 %rd<7>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %ctaid.x;
  mad.lo.u32 %r4, %r3, %r2, %r1;
  mul.wide.u32 %rd2, %r4, 8;
  add.u64 %rd3, %rd1, %rd2;
  and.b32 %r5, %r4, 7;
  add.u32 %r5, %r5, 1;
  mul.wide.u32 %rd4, %r5, 16;
  {
    .param .b64 r;
    .param .b64 bytes;
    st.param.b64 [bytes], %rd4;
    call (r), malloc, (bytes);
    ld.param.b64 %rd5, [r];
  }
  st.u32 [%rd5], %r4;
  st.global.u64 [%rd3], %rd5;
  ret;
}
)";

using Settings = std::vector<std::string>;

/// Every form of the policy, with what differs in the machine beside it.
struct GpudetRaces : ::testing::TestWithParam<Settings> {
  using Kernels = std::function<KernelHandle(const char*)>;
  using Program = std::function<void(Device&, const Kernels&)>;
  static PlatformSpec spec(const Settings& more) {
    Settings all{"determinism.policy=gpudet", "z_unit.granule=1"};
    all.insert(all.end(), GetParam().begin(), GetParam().end());
    all.insert(all.end(), more.begin(), more.end());
    return load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(all)).spec;
  }
  /// All of device memory after `program`, or the error of the run.
  static std::string memory_after(const Settings& more, const Program& program) {
    return tests::apart([&] {
      Simulation simulation(spec(more), 1);
      std::string signature;
      simulation.run([&](Device& gpu) {
        const ModuleHandle module = gpu.module_load_text(races_ptx, "kernels.ptx");
        program(gpu, [&](const char* name) { return gpu.module_get_function(module, name); });
        gpu.synchronize();
        signature = "memory " + std::to_string(gpu.memory_signature());
      });
      return signature;
    });
  }
  static void expect_one_result(const Program& program) {
    const std::string wanted = memory_after({}, program);
    EXPECT_THAT(wanted, ::testing::StartsWith("memory "));
    for (const char* seed : {"1", "2", "3"})
      EXPECT_EQ(memory_after({"perturbation.chance=all", std::string("perturbation.seed=") + seed}, program), wanted)
          << "chance from seed " << seed;
    EXPECT_EQ(
        memory_after({"sm.scheduler.policy=gto", "l1.mshr_entries=1", "crossbar.latency=13",
                      "determinism.gpudet.store_buffer.commit_window=2", "determinism.gpudet.store_buffer.data=chunk",
                      "determinism.gpudet.sync_latency=9", "determinism.gpudet.overlap=next_quantum"},
                     program),
        wanted)
        << "another machine";
  }
};

TEST_P(GpudetRaces, EveryFormOfAccessHasOneResult) {
  expect_one_result([](Device& gpu, const Kernels& kernel) {
    constexpr unsigned ctas = 11, threads = 72;
    const DevicePointer data = gpu.mem_alloc(256), out = gpu.mem_alloc(ctas * threads * 4);
    gpu.launch_kernel(kernel("mix"), {{ctas}, {threads}}, arguments(data, out, 8U));
  });
}

TEST_P(GpudetRaces, GridsOfSeveralStreamsHaveOneResult) {
  expect_one_result([](Device& gpu, const Kernels& kernel) {
    const DevicePointer data = gpu.mem_alloc(256), out = gpu.mem_alloc(3 * 70 * 4);
    const StreamHandle other = gpu.stream_create();
    for (unsigned i = 0; i < 2; ++i) {
      gpu.launch_kernel(kernel("mix"), {{3}, {70}}, arguments(data, out, 2U));
      gpu.launch_kernel(kernel("mix"), {{3}, {33}, 0, other}, arguments(data, out, 2U));
    }
  });
}

TEST_P(GpudetRaces, BarriersOfSomeWarpsOrderStores) {
  static constexpr unsigned ctas = 6, passes = 12;
  expect_one_result([](Device& gpu, const Kernels& kernel) {
    const DevicePointer slots = gpu.mem_alloc(ctas * 32 * 4), out = gpu.mem_alloc(ctas * 64 * 4);
    gpu.launch_kernel(kernel("pipeline"), {{ctas}, {96}}, arguments(slots, out, passes));
    const auto read = gpu.download<std::uint32_t>(out, ctas * 64);
    for (unsigned thread = 0; thread < ctas * 64; ++thread) {
      std::uint32_t wanted = 0;
      for (unsigned pass = thread / 32 % 2; pass < passes; pass += 2) wanted = wanted * 31 + pass * 64 + thread % 32;
      ASSERT_EQ(read[thread], wanted) << "thread " << thread;
    }
  });
}

TEST_P(GpudetRaces, AReleaseToSharedMemoryOrdersGlobalStores) {
  static constexpr unsigned threads = 6 * 32;
  expect_one_result([](Device& gpu, const Kernels& kernel) {
    const DevicePointer data = gpu.mem_alloc(threads * 4), out = gpu.mem_alloc(threads * 4);
    gpu.launch_kernel(kernel("released"), {{threads / 32}, {64}}, arguments(data, out));
    const auto read = gpu.download<std::uint32_t>(out, threads);
    for (unsigned thread = 0; thread < threads; ++thread) ASSERT_EQ(read[thread], thread);
  });
}

TEST_P(GpudetRaces, TheHeapGivesTheSameAddresses) {
  expect_one_result([](Device& gpu, const Kernels& kernel) {
    const DevicePointer out = gpu.mem_alloc(10 * 40 * 8);
    gpu.launch_kernel(kernel("heap"), {{10}, {40}}, arguments(out));
  });
}

INSTANTIATE_TEST_SUITE_P(
    Forms, GpudetRaces,
    ::testing::Values(Settings{"determinism.gpudet.shared_order=instructions"},
                      Settings{"determinism.gpudet.shared_order=instructions", "determinism.gpudet.serial=w_ser",
                               "determinism.gpudet.quantum_formation=base"},
                      Settings{"determinism.gpudet.shared_order=instructions",
                               "determinism.gpudet.quantum_formation=bta", "determinism.gpudet.quantum_size=13",
                               "memory.hash=true"},
                      Settings{"determinism.gpudet.shared_order=instructions", "determinism.gpudet.quantum_size=1"},
                      Settings{"determinism.gpudet.shared_order=instructions", "determinism.gpudet.quantum_size=9",
                               "determinism.gpudet.overlap=next_quantum"},
                      Settings{"determinism.gpudet.shared_order=instructions", "z_unit.granule=4",
                               "determinism.gpudet.byte_stores=serial"},
                      Settings{"determinism.gpudet.shared_order=instructions", "l1.line=32B", "l2.line=32B", "sms=5",
                               "determinism.gpudet.store_buffer.entries=64", "determinism.gpudet.depth_bits=12"}));

}  // namespace
}  // namespace syncline::platform
