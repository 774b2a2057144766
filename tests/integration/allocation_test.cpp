// In steady state a timed run allocates nothing: ten times the work makes no more allocations than once the work.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"

namespace {
std::atomic<std::uint64_t> allocations{0};
}

// GCC takes these replacements, when it sees through them, for a mismatch of new and free.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* p = std::malloc(bytes)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t align) {
  ++allocations;
  if (void* p = std::aligned_alloc(static_cast<std::size_t>(align), (bytes + 63) / 64 * 64)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}

namespace syncline::platform {
namespace {

// Loads of what other SMs store at the time, stores, atomics, fences, shared memory, barriers, divergence: in each pass
// of the loop.
constexpr const char* busy_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry busy(.param .u64 data, .param .u32 passes)
{
  .reg .pred %p<3>;
  .reg .b32 %r<15>;
  .reg .b64 %rd<6>;
  .shared .align 4 .b8 tile[1024];
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [passes];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  mov.u32 %r12, tile;
  mad.lo.s32 %r13, %r4, 4, %r12;
  mov.u32 %r6, 0;
again:
  mad.lo.s32 %r7, %r6, 977, %r5;
  and.b32 %r7, %r7, 32767;
  mul.wide.u32 %rd2, %r7, 4;
  add.s64 %rd3, %rd1, %rd2;
  xor.b32 %r14, %r7, 256;
  mul.wide.u32 %rd4, %r14, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.u32 %r8, [%rd3];
  st.shared.u32 [%r13], %r8;
  bar.sync 0;
  ld.shared.u32 %r9, [%r12];
  and.b32 %r10, %r9, 1;
  setp.eq.u32 %p1, %r10, 0;
  @%p1 bra even;
  atom.global.add.u32 %r11, [%rd1], 1;
even:
  st.global.u32 [%rd5], %r9;
  membar.gl;
  bar.sync 0;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p2, %r6, %r1;
  @%p2 bra again;
  ret;
}
)";

class SteadyState : public testing::TestWithParam<const char*> {};

TEST_P(SteadyState, AllocatesNothing) {
  const auto configuration = load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/gtx480.yaml",
                                                              {std::string("coherence.policy=") + GetParam()});
  Simulation simulation(configuration.spec, 1);
  std::uint64_t once = 0, ten_times = 0, instructions = 0;
  simulation.run([&](Device& gpu) {
    const KernelHandle busy = gpu.module_get_function(gpu.module_load_text(busy_ptx, "busy.ptx"), "busy");
    std::vector<std::uint32_t> values(32768);
    for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = i * 2654435761U;
    const DevicePointer data = gpu.upload(values);
    const auto count = [&](std::uint32_t passes) {
      const std::uint64_t before = allocations;
      gpu.launch_kernel(busy, {{30}, {256}}, arguments(data, passes));
      gpu.synchronize();
      return allocations - before;
    };
    count(150);  // pools and queues reach their sizes
    once = count(5);
    const std::uint64_t start = gpu.totals().warp_instructions;
    ten_times = count(50);
    instructions = gpu.totals().warp_instructions - start;
  });
  EXPECT_GT(instructions, 150'000U);
  EXPECT_LE(ten_times, once + 8) << "for " << instructions << " warp instructions";
}

/// `none` and every policy that keeps copies current.
INSTANTIATE_TEST_SUITE_P(Policies, SteadyState,
                         testing::Values("none", "mesi", "ideal", "ideal_free", "gpu_vi", "gpu_vi_ni", "tc_strong",
                                         "tc_weak", "rcc", "rcc_wo"),
                         [](const auto& policy) { return std::string(policy.param); });

}  // namespace
}  // namespace syncline::platform
