// How operands of all shapes reach the arithmetic: widths, immediates, negated predicates, carries, special registers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using testing::Each;

TEST(Operands, ConversionsOfBytesInRegistersOfAllWidths) {
  const auto got = results_of(R"(
  mul.lo.u32 %r1, %t, 0x01010101;
  add.u32 %r1, %r1, 0x80F0;
  cvt.u16.u32 %s1, %r1;
  cvt.u64.u32 %d1, %r1;
  cvt.u32.u8 %r2, %r1;
  cvt.s32.s8 %r3, %s1;
  cvt.s32.s8 %r4, %d1;
  cvt.u8.u32 %s2, %r1;
  cvt.u32.u16 %r5, %s2;
  cvt.s8.s32 %r6, %r1;
  cvt.s64.s8 %d2, %r1;
  cvt.u32.u64 %r7, %d2;
  cvt.rn.f32.s8 %f1, %r1;
  cvt.rzi.s32.f32 %r8, %f1;
  xor.b32 %r0, %r2, %r3;
  mad.lo.u32 %r0, %r0, 31, %r4;
  mad.lo.u32 %r0, %r0, 31, %r5;
  mad.lo.u32 %r0, %r0, 31, %r6;
  mad.lo.u32 %r0, %r0, 31, %r7;
  mad.lo.u32 %r0, %r0, 31, %r8;
)");
  for (std::uint32_t t = 0; t < 32; ++t) {
    const std::uint32_t value = t * 0x01010101 + 0x80F0, low = value & 0xFF;
    const auto sign = static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int8_t>(value)));
    std::uint32_t want = low ^ sign;
    for (const std::uint32_t part : {sign, low, sign, sign, sign}) want = want * 31 + part;
    EXPECT_EQ(got[t], want) << t;
  }
}

TEST(Operands, CarryChainsThroughGuardsAndLanes) {
  const auto got = results_of(R"(
  sub.u32 %r1, 0, %t;
  add.cc.u32 %r2, %r1, %t;
  addc.cc.u32 %r3, 0xFFFFFFFF, 0;
  addc.u32 %r4, 0, 0;
  sub.cc.u32 %r5, %t, 5;
  subc.u32 %r6, 0, 0;
  mad.lo.cc.u32 %r7, %t, 0x10000000, 0xF0000000;
  madc.hi.u32 %r8, %t, 0x10000000, 0;
  mad.lo.u32 %r0, %r4, 1000, %r3;
  mad.lo.u32 %r0, %r6, 7, %r0;
  mad.lo.u32 %r0, %r8, 11, %r0;
)");
  for (std::uint32_t t = 0; t < 32; ++t) {
    const std::uint64_t carry1 = (std::uint64_t{0u - t} + t) >> 32, sum = 0xFFFFFFFFull + carry1;
    const std::uint64_t product = std::uint64_t{t} * 0x10000000;
    const std::uint64_t carry2 = ((product & 0xFFFFFFFF) + 0xF0000000ull) >> 32;
    const std::uint32_t high = static_cast<std::uint32_t>((product >> 32) + carry2);
    const std::uint32_t want = static_cast<std::uint32_t>(sum >> 32) * 1000 + static_cast<std::uint32_t>(sum) +
                               (t < 5 ? 0xFFFFFFFFu : 0u) * 7 + high * 11;
    EXPECT_EQ(got[t], want) << t;
  }
}

// The flag of a subtraction is the carry of a + ~b + 1: addc after sub.cc counts lanes that borrowed nothing, and subc
// after add.cc borrows where nothing was carried.
TEST(Operands, CarryBetweenSubtractionsAndAdditions) {
  const auto got = results_of(R"(
  sub.cc.u32 %r1, %t, 5;
  addc.u32 %r2, 0, 0;
  sub.u32 %r3, 0, %t;
  add.cc.u32 %r4, %r3, 4;
  subc.u32 %r5, 100, 0;
  sub.cc.u32 %r6, %t, 9;
  subc.cc.u32 %r6, 0, 0;
  addc.u32 %r7, 10, 0;
  mad.lo.u32 %r0, %r2, 1000, %r5;
  mad.lo.u32 %r0, %r0, 100, %r7;
)");
  for (std::uint32_t t = 0; t < 32; ++t) {
    const bool carried = (std::uint64_t{0u - t} + 4) >> 32 != 0;
    EXPECT_EQ(got[t], ((t >= 5 ? 1000u : 0u) + (carried ? 100u : 99u)) * 100 + (t >= 9 ? 11u : 10u)) << t;
  }
}

// Programs size their work by %nsmid: the emulator tells what the timed machine would.
TEST(Operands, SizesOfTheMachineAreThoseOfTheConfiguration) {
  isa::EmulatorConfig config;
  config.sms = 15;
  config.warps_per_sm = 48;
  const auto got =
      results_of("mov.u32 %r1, %nsmid; mov.u32 %r2, %nwarpid; mad.lo.u32 %r0, %r1, 1000, %r2;", 64, "", config);
  for (const std::uint32_t value : got) EXPECT_EQ(value, 15048u);
}

// What CUDA's comparisons of half pairs to masks become: all bits of each half that compares true.
TEST(Operands, PairsOfHalvesCompareToMasks) {
  const auto got = results_of(R"(
  cvt.rn.satfinite.f16x2.f32 %r1, 0f3F800000, 0f7F800000;
  mov.b32 %r3, 0x7BFF4000;
  mov.b32 %r4, 0x00004000;
  set.ge.u32.f16x2 %r0, %r1, %r3;
  set.gt.u32.f16x2 %r2, %r1, %r4;
  xor.b32 %r0, %r0, %r2;
)");
  for (const std::uint32_t value : got) EXPECT_EQ(value, 0xFFFF0000u);
}

TEST(Operands, NegatedPredicatesAsSources) {
  const auto got = results_of(R"(
  and.b32 %r1, %t, 1;
  setp.eq.u32 %p1, %r1, 0;
  setp.lt.and.u32 %p2|%p3, %t, 16, !%p1;
  selp.u32 %r0, 1, 0, !%p2;
  @%p3 add.u32 %r0, %r0, 2;
  not.pred %p4, %p2;
  mov.pred %p5, !%p1;
  and.pred %p6, %p4, %p5;
  @%p6 add.u32 %r0, %r0, 4;
)");
  for (std::uint32_t t = 0; t < 32; ++t) {
    const bool odd = t % 2 == 1, p2 = t < 16 && odd, p3 = t >= 16 && odd;
    EXPECT_EQ(got[t], (p2 ? 0u : 1u) + (p3 ? 2u : 0u) + (!p2 && odd ? 4u : 0u)) << t;
  }
}

TEST(Operands, ImmediatesTakeTheWidthOfTheirPlace) {
  const auto got = results_of(R"(
  mov.u64 %d1, 0x123456789ABCDEF0;
  shl.b64 %d1, %d1, 4;
  shr.u64 %d1, %d1, 32;
  cvt.u32.u64 %r1, %d1;
  mov.u16 %s1, -2;
  add.s16 %s1, %s1, -3;
  cvt.s32.s16 %r2, %s1;
  mov.f32 %f1, 0f3FC00000;
  fma.rn.f32 %f1, %f1, 0f40000000, 0f3F800000;
  cvt.rzi.u32.f32 %r3, %f1;
  lop3.b32 %r4, %r1, %r2, %r3, 0x96;
  mov.u32 %r5, WARP_SZ;
  add.u32 %r0, %r4, %r5;
)",
                              1);
  EXPECT_EQ(got[0], (0x23456789u ^ 0xFFFFFFFBu ^ 4u) + 32);
}

TEST(Operands, VideoSelectors) {
  const auto got = results_of(R"(
  mov.u32 %r1, 0x11F33344;
  mov.u32 %r2, 0x00000002;
  vadd.s32.s32.s32 %r3, %r1.b2, %r2.b0;
  vadd.u32.u32.u32 %r4, %r1.h1, %r2;
  add.u32 %r0, %r3, %r4;
)",
                              1);
  EXPECT_EQ(got[0], static_cast<std::uint32_t>(-13 + 2) + 0x11F3u + 2);
}

TEST(Operands, SpecialRegistersThatVary) {
  const auto got = results_of(R"(
  mov.u32 %r1, %clock;
  mov.u64 %d1, %clock64;
  mov.u32 %r2, %clock;
  setp.gt.u32 %p1, %r2, %r1;
  cvt.u32.u64 %r3, %d1;
  setp.gt.u32 %p2, %r3, %r1;
  mov.u32 %r4, %smid;
  mov.u32 %r5, %nsmid;
  mov.u32 %r6, %warpid;
  mov.u64 %d2, %globaltimer;
  mov.u32 %r7, %laneid;
  mov.u32 %r8, %lanemask_ge;
  popc.b32 %r8, %r8;
  cvt.u64.u32 %d3, %warpid;
  cvt.u32.u64 %r9, %d3;
  add.u32 %r9, %r9, 1;
  mad.lo.u32 %r0, %r6, 100, %r7;
  mad.lo.u32 %r0, %r9, 10000, %r0;
  mad.lo.u32 %r0, %r8, 1000000, %r0;
  @!%p1 mov.u32 %r0, 1;
  @!%p2 mov.u32 %r0, 2;
  setp.ne.u32 %p3, %r4, 0;
  @%p3 mov.u32 %r0, 3;
  setp.ne.u32 %p4, %r5, 1;
  @%p4 mov.u32 %r0, 4;
)",
                              64);
  for (std::uint32_t t = 0; t < 64; ++t)
    EXPECT_EQ(got[t], t / 32 * 100 + t % 32 + (t / 32 + 1) * 10000 + (32 - t % 32) * 1000000) << t;
}

TEST(Operands, SixteenBitRegistersAndTheirPredicates) {
  // bool and char live in 16-bit registers.
  const auto got = results_of(R"(
  cvt.u16.u32 %s1, %t;
  and.b16 %s2, %s1, 1;
  setp.eq.s16 %p1, %s2, 1;
  selp.b16 %s3, 100, 200, %p1;
  mul.wide.u16 %r1, %s1, %s3;
  mov.u32 %r0, %r1;
)");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(got[t], t * (t % 2 == 1 ? 100 : 200));
}

TEST(Operands, SinksAndUnusedResults) {
  EXPECT_THAT(results_of(R"(
  setp.lt.u32 _|%p1, %t, 1000;
  atom.global.add.u32 _, [%at], 5;
  ld.global.u32 %r0, [%at];
  @%p1 mov.u32 %r0, 77;
)"),
              Each(5u));
}

}  // namespace
}  // namespace syncline::test
