// Atomics and reductions of the emulator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

TEST(Atomics, AtomicsServeLanesInOrderAndReturnTheOldValue) {
  const std::string ptx = module_header() + R"(
.visible .entry k(.param .u64 k_out, .param .u64 k_in)
{
  .reg .b64 %out, %in, %d<3>;
  .reg .b32 %t, %r<6>;
  ld.param.u64 %out, [k_out];
  ld.param.u64 %in, [k_in];
  mov.u32 %t, %tid.x;
  atom.global.add.u32 %r1, [%in], %t;
  atom.global.inc.u32 %r2, [%in+4], 9;
  atom.global.max.s32 %r3, [%in+8], %t;
  atom.global.exch.b32 %r4, [%in+12], %t;
  red.global.or.b32 [%in+16], 5;
  atom.global.cas.b32 %r5, [%in+20], 7, %t;
  atom.global.add.u64 %d1, [%in+24], 3000000000;
  mul.wide.u32 %d2, %t, 20;
  add.u64 %d2, %d2, %out;
  st.global.u32 [%d2], %r1;
  st.global.u32 [%d2+4], %r2;
  st.global.u32 [%d2+8], %r3;
  st.global.u32 [%d2+12], %r4;
  st.global.u32 [%d2+16], %r5;
}
)";
  Machine machine(ptx);
  const std::uint64_t in = machine.upload(std::vector<std::uint32_t>{100, 0, 0xFFFFFFFF, 77, 2, 7, 0, 0});
  const std::uint64_t out = machine.allocate(32 * 20);
  machine.run("k", {1, 1, 1}, {32, 1, 1}, out, in);
  const auto got = machine.download<std::uint32_t>(out, 160);
  for (unsigned t = 0; t < 32; ++t) {
    EXPECT_EQ(got[5 * t], 100 + t * (t - 1) / 2 * (t > 0));
    EXPECT_EQ(got[5 * t + 1], t % 10);
    EXPECT_EQ(got[5 * t + 2], t - 1);
    EXPECT_EQ(got[5 * t + 3], t == 0 ? 77 : t - 1);
    EXPECT_EQ(got[5 * t + 4], t == 0 ? 7u : 0u);
  }
  const auto left = machine.download<std::uint32_t>(in, 6);
  EXPECT_EQ(left, (std::vector<std::uint32_t>{100 + 496, 2, 31, 31, 7, 0}));
  EXPECT_EQ(machine.download<std::uint64_t>(in + 24, 1)[0], 96000000000u);
}

TEST(Atomics, FloatAtomicsOnSharedMemory) {
  const auto got = results_of(R"(
  .shared .align 4 .f32 total;
  mov.f32 %f1, 0f00000000;
  st.shared.f32 [total], %f1;
  bar.sync 0;
  cvt.rn.f32.u32 %f2, %t;
  red.shared.add.f32 [total], %f2;
  bar.sync 0;
  ld.shared.f32 %f3, [total];
  cvt.rzi.u32.f32 %r0, %f3;
)",
                              64);
  EXPECT_THAT(got, testing::Each(2016u));
}

TEST(Atomics, FloatSumsTakeSubnormalsAsZeroInGlobalMemoryOnly) {
  // PTX ISA, atom: add.f32 flushes subnormals on global memory and keeps them on shared memory.
  const std::string ptx = module_header() + R"(
.visible .entry k(.param .u64 out)
{
  .reg .b64 %d; .reg .f32 %r;
  .shared .align 4 .b32 sum;
  ld.param.u64 %d, [out];
  mov.b32 %r, 0f00000001;
  st.shared.b32 [sum], %r;
  st.global.b32 [%d], %r;
  red.shared.add.f32 [sum], %r;
  red.global.add.f32 [%d], %r;
  ld.shared.b32 %r, [sum];
  st.global.b32 [%d+4], %r;
}
)";
  Machine machine(ptx);
  const std::uint64_t out = machine.allocate(8);
  machine.run("k", {1, 1, 1}, {1, 1, 1}, out);
  EXPECT_EQ(machine.download<std::uint32_t>(out, 2), (std::vector<std::uint32_t>{0, 2}));
}

}  // namespace
}  // namespace syncline::test
