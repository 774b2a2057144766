// Forms of memory instructions that differ in what the text says and little in what happens: vectors with elements left
// out, cache policies and hints, the read-only proxy, fences of all kinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using Words = std::vector<std::uint32_t>;

/// A kernel of one thread that runs `body` on %p, the address of a buffer.
Words after(const std::string& body, const Words& before, const std::string& variables = "") {
  Machine machine(module_header() + variables +
                  ".visible .entry k(.param .u64 k_p)\n{\n.reg .b64 %p; .reg .b64 %q<9>; .reg .b32 %r<17>; "
                  ".reg .f32 %f<9>;\nld.param.u64 %p, [k_p];\n" +
                  body + "\nret;\n}\n");
  const std::uint64_t p = machine.upload(before);
  machine.run("k", {1, 1, 1}, {1, 1, 1}, p);
  return machine.download<std::uint32_t>(p, before.size());
}

TEST(MemoryForms, StoresOf256BitsLeaveElementsOut) {
  const std::string load = "ld.global.v8.b32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%p];";
  const Words numbers = {1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 90, 0, 0, 0};
  EXPECT_EQ(after(load + "st.global.L2::evict_last.v8.b32 [%p+32], {%r7,_,%r5,%r4,_,%r2,%r1,_};", numbers),
            (Words{1, 2, 3, 4, 5, 6, 7, 8, 8, 0, 6, 5, 90, 3, 2, 0}));
  EXPECT_EQ(after("ld.v4.b64 {%q0,_,%q1,%q2}, [%p]; st.v4.u64 [%p+32], {_,%q2,%q0,_};", numbers),
            (Words{1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 7, 8, 1, 2, 0, 0}));
  EXPECT_THAT(error_of([&] { after("st.global.v8.b32 [%p], {_,_,_,_,_,_,_,_};", numbers); }),
              HasSubstr("a vector of `_` alone stores nothing"));
  EXPECT_THAT(error_of([&] { after("st.global.v4.b32 [%p], {%r0,_,%r1,%r2};", numbers); }),
              HasSubstr("`_` cannot stand here"));
}

TEST(MemoryForms, VectorsOf32BytesAreForGlobalMemory) {
  EXPECT_THAT(error_of([] {
                after("mov.u64 %q0, s; cvta.shared.u64 %q0, %q0; ld.v4.b64 {%q1,%q2,%q3,%q4}, [%q0];", Words{0},
                      ".shared .align 32 .b64 s[4];\n");
              }),
              HasSubstr("vectors of 32 bytes are for .global memory"));
}

TEST(MemoryForms, PoliciesAndHintsChangeNoValue) {
  const Words numbers = {5, 6, 7, 8, 0, 0, 0, 0, 0};
  EXPECT_EQ(after("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %q1, 0.5;"
                  "createpolicy.range.global.L2::evict_first.b64 %q2, [%p], 16, 32;"
                  "createpolicy.cvt.L2.b64 %q3, %q2; createpolicy.fractional.L2::evict_normal.b64 %q4;"
                  "applypriority.global.L2::evict_normal [%p], 128;"
                  "ld.global.L1::evict_last.L2::cache_hint.L2::128B.v4.u32 {%r0,%r1,%r2,%r3}, [%p], %q1;"
                  "st.global.L1::no_allocate.L2::cache_hint.u32 [%p+16], %r0, %q2;"
                  "atom.global.add.L2::cache_hint.u32 %r4, [%p+16], %r1, %q3;"
                  "red.relaxed.gpu.global.add.L2::cache_hint.u32 [%p+16], %r2, %q4;"
                  "prefetch.global.L1::32B.valid_addr [%p]; prefetch.global.L2::evict_last [%p];"
                  "prefetch.tensormap [%p]; discard.global.L2 [%p], 128;"
                  "st.weak.global.cs.u32 [%p+20], %r4;",
                  numbers),
            (Words{5, 6, 7, 8, 18, 5, 0, 0, 0}));
}

TEST(MemoryForms, ReadOnlyVolatileAndMappedAccesses) {
  EXPECT_EQ(after("ld.global.u32.proxy::readonly %r0, [%p]; ld.s8.proxy::readonly %r1, [%p];"
                  "ld.mmio.acquire.sys.global.u32 %r2, [%p]; st.mmio.release.sys.u32 [%p+4], %r0;"
                  "st.volatile.local.u32 [v], %r2; ld.volatile.local.u32 %r3, [v];"
                  "ld.global.u32 %r4, [%p].unified; add.u32 %r3, %r3, %r4;"
                  "st.global.v2.u32 [%p+8], {%r1, %r3};",
                  Words{0x80, 0, 0, 0}, ".local .u32 v;\n"),
            (Words{0x80, 0x80, 0xffffff80, 0x100}));
  EXPECT_THAT(error_of([] { after("st.global.u32 [%p].unified, %r0;", Words{0}); }),
              HasSubstr("`.unified` belongs to ld"));
  EXPECT_THAT(error_of([] { after("ld.relaxed.gpu.u32 %r0, [%p].unified;", Words{0}); }),
              HasSubstr("`.unified` belongs to ld"));
}

TEST(MemoryForms, AtomicSumsThatKeepSubnormals) {
  // Twice the smallest subnormal; without .noftz global memory takes it for zero.
  const std::string one = "mov.b32 %f1, 0f00000001;";
  EXPECT_EQ(after(one + "red.global.add.noftz.f32 [%p], %f1; atom.global.add.f32 %f2, [%p+4], %f1;", Words{1, 1}),
            (Words{2, 0}));
  EXPECT_EQ(after(one + "red.global.add.noftz.v2.f32 [%p], {%f1, %f1}; red.global.add.v2.f32 [%p+8], {%f1, %f1};",
                  Words{1, 2, 1, 2}),
            (Words{2, 3, 0, 0}));
}

TEST(MemoryForms, FencesOfAllKindsAreFences) {
  EXPECT_EQ(after("fence.mbarrier_init.release.cluster; fence.acquire.sync_restrict::shared::cluster.cluster;"
                  "fence.release.sync_restrict::shared::cta.cluster; fence.proxy.alias; fence.proxy.alias.release.sys;"
                  "fence.proxy.async; fence.proxy.async.global; fence.proxy.async.shared::cta;"
                  "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;"
                  "fence.proxy.async::generic.release.sync_restrict::shared::cluster::read.cluster;"
                  "fence.proxy.tensormap::generic.release.gpu; fence.proxy.tensormap::generic.acquire.gpu [%p], 128;"
                  "fence.proxy.generic::fabric.alias.release.sys; membar.proxy.alias; fence.cluster;"
                  "mov.u32 %r0, 3; st.global.u32 [%p], %r0;",
                  Words{0}),
            Words{3});
  EXPECT_THAT(error_of([] { after("fence.proxy.tensormap::generic.acquire.gpu [%p], 64;", Words{0}); }),
              HasSubstr("the size can be 128 only, not 64"));
  EXPECT_THAT(error_of([] { after("discard.L2 [%p], 8;", Words{0}); }), HasSubstr("the size can be 128 only, not 8"));
}

TEST(MemoryForms, PerformanceMonitorEventsAreCheckedAndForgotten) {
  EXPECT_THAT(results_of("pmevent 15; pmevent.mask 0xffff; mov.u32 %r0, 4;"), Each(4u));
  EXPECT_THAT(error_of([] { results_of("pmevent 16;"); }), HasSubstr("the performance monitor events are 0 to 15"));
  EXPECT_THAT(error_of([] { results_of("pmevent.mask 0x10000;"); }), HasSubstr("65536 is a mask of more"));
}

TEST(MemoryForms, PackedArithmeticThroughAProgram) {
  EXPECT_THAT(results_of("mov.b32 %r1, 0x7f80ff01; mov.b32 %r2, 0x01ff0101; add.sat.s8x4 %r0, %r1, %r2;"),
              Each(0x7f800002u));
  EXPECT_THAT(results_of("mov.b32 %r1, 0x00030004; mov.b32 %r2, 0x00040004; set.ge.s16x2 %r0, %r1, %r2;"),
              Each(0x0000ffffu));
  EXPECT_THAT(results_of("mov.b32 %r1, 0x04030201; mov.b32 %r2, 0x01020304; set.hi.u8x4 %r0, %r1, %r2;"),
              Each(0xffff0000u));
  EXPECT_THAT(results_of("clmad.lo.u64 %d1, 3, 7, 1; cvt.u32.u64 %r0, %d1;"), Each(8u));
  // 1.5 + 2, and 2 * 0.5 + 1 with a 4-bit factor in a register of 16 bits.
  EXPECT_THAT(results_of("mov.b32 %r1, 0x3c3c3c3c; mov.b32 %r2, 0x40404040; add.e4m3x4.e4m3x4 %r0, %r1, %r2;"),
              Each(0x46464646u));
  EXPECT_THAT(results_of("mov.b16 %s1, 0x1111; mov.b32 %r1, 0x40404040; mov.b32 %r2, 0x38383838;"
                         "fma.rn.satfinite.e4m3x4.e4m3x4.e2m1x4 %r0, %r1, %s1, %r2;"),
              Each(0x40404040u));
  // Halves 1 and 2 in f16, added to 0.5 and 0.25.
  EXPECT_THAT(results_of("mov.b32 %r1, 0x40003c00; mov.b64 %d1, {%r2, %r3}; mov.f32 %f1, 0f3F000000; mov.f32 %f2, "
                         "0f3E800000; mov.b64 %d1, {%f1, %f2}; add.rz.f32x2.f16x2.f32x2 %d2, %r1, %d1;"
                         "mov.b64 {%r4, %r5}, %d2; add.u32 %r0, %r4, %r5;"),
              Each(0x3fc00000u + 0x40100000u));
  EXPECT_THAT(
      results_of("mov.f32 %f1, 0f3F800001; mov.b64 %d1, {%f1, %f1}; mul.rz.ftz.f16x2.f32x2.f32x2 %r0, %d1, %d1;"),
      Each(0x3c003c00u));
}

}  // namespace
}  // namespace syncline::test
