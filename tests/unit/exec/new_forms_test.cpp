// Forms of newer PTX as whole programs: what the text means reaches the arithmetic and memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

TEST(NewForms, ExtremaOfThreeAndOfMagnitudes) {
  EXPECT_THAT(results_of("max.f32 %f1, 0f3F800000, 0f40400000, 0f40000000; cvt.rzi.u32.f32 %r0, %f1;"), Each(3u));
  EXPECT_THAT(results_of("min.abs.f32 %f1, 0fC0800000, 0f40A00000, 0fC0E00000; cvt.rzi.u32.f32 %r0, %f1;"), Each(4u));
  EXPECT_THAT(results_of("min.NaN.f32 %f1, 0f3F800000, 0f40400000, 0f7FC00000; mov.b32 %r0, %f1;"), Each(0x7fffffffu));
}

TEST(NewForms, PairsOfSinglesInSixtyFourBits) {
  EXPECT_THAT(results_of(R"(
  mov.b64 %d1, {0f3F800000, 0f40000000};
  mov.b64 %d2, {0f40400000, 0f40800000};
  add.f32x2 %d3, %d1, %d2;
  mul.rz.f32x2 %d3, %d3, %d2;
  fma.rn.ftz.f32x2 %d3, %d3, %d1, %d1;
  mov.b64 {%f1, %f2}, %d3;
  cvt.rzi.u32.f32 %r1, %f1;
  cvt.rzi.u32.f32 %r2, %f2;
  mad.lo.u32 %r0, %r2, 1000, %r1;
)"),
              Each(((2 + 4) * 4 * 2 + 2) * 1000u + (1 + 3) * 3 + 1));
}

TEST(NewForms, MixedPrecision) {
  EXPECT_THAT(results_of(R"(
  mov.b16 %s1, 0x4200;
  mov.b16 %s2, 0x4400;
  fma.rn.f32.f16 %f1, %s1, %s2, 0f3F800000;
  add.rz.f32.f16 %f1, %s1, %f1;
  mov.b16 %s1, 0x4000;
  sub.f32.bf16 %f1, %s1, %f1;
  cvt.rzi.s32.f32 %r0, %f1;
)"),
              Each(static_cast<std::uint32_t>(2 - (3 * 4 + 1 + 3))));
}

TEST(NewForms, SmallFloatsThereAndBack) {
  // 448 and -1.5 as e4m3: 0x7e and 0xbc; a becomes the upper one.
  EXPECT_THAT(results_of("cvt.rn.satfinite.e4m3x2.f32 %s1, 0f44000000, 0fBFC00000; cvt.u32.u16 %r0, %s1;"),
              Each(0x7ebcu));
  EXPECT_THAT(results_of("mov.b16 %s1, 0x7ebc; cvt.rn.f16x2.e4m3x2 %r0, %s1;"), Each(0x5f00be00u));
  EXPECT_THAT(results_of("mov.b16 %s1, 0x7ebc; cvt.rn.relu.f16x2.e4m3x2 %r0, %s1;"), Each(0x5f000000u));
  EXPECT_THAT(results_of(".reg .b8 %c; cvt.rn.satfinite.e2m1x2.f32 %c, 0f40C00000, 0fBF000000; cvt.u32.u8 %r0, %c;"),
              Each(0x79u));
  EXPECT_THAT(results_of(".reg .b8 %c<2>; mov.b32 %r1, 0x11223379; mov.b32 {%c1, _, _, _}, %r1;"
                         "cvt.rn.f16x2.e2m1x2 %r0, %c1;"),
              Each(0x4600b800u));
  EXPECT_THAT(results_of("mov.b16 %s1, 0x3fff; cvt.sat.f32.bf16 %f1, %s1; mov.b32 %r0, %f1;"), Each(0x3f800000u));
}

TEST(NewForms, StochasticRoundingOfFourNumbers) {
  // 0.75 lies in the middle of 0.5 and 1; byte 3 of the random bits is a's, read from its last bit, and b's.
  EXPECT_THAT(
      results_of(".reg .b16 %c; mov.f32 %f1, 0f3F400000; mov.b32 %r1, 0x80000000;"
                 "cvt.rs.satfinite.e2m1x4.f32 %c, {%f1, %f1, 0fBF400000, 0f40C00000}, %r1; cvt.u32.u16 %r0, %c;"),
      Each(0x1297u));
  // The result is 16 bits: a wider register is filled up with zeros.
  EXPECT_THAT(results_of("mov.b32 %r0, -1; mov.f32 %f1, 0f3F400000;"
                         "cvt.rs.relu.satfinite.e2m1x4.f32 %r0, {%f1, 0fC0000000, %f1, %f1}, 0x00800000;"),
              Each(0x1012u));
  EXPECT_THAT(results_of("mov.f32 %f1, 0f3F800800; cvt.rs.f16x2.f32 %r0, %f1, %f1, 0x00011fff;"), Each(0x3c003c01u));
}

TEST(NewForms, ScaledConversions) {
  EXPECT_THAT(results_of("cvt.rp.ue8m0x2.f32 %s1, 0f40400000, 0f3F800000; cvt.u32.u16 %r0, %s1;"), Each(0x817fu));
  EXPECT_THAT(results_of("mov.b16 %s1, 0x8100; cvt.rn.bf16x2.ue8m0x2 %r0, %s1;"), Each(0x40800040u));
  // 3 and -1, the first in units of 4 and the second in halves.
  EXPECT_THAT(results_of("cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32 %s1, 0f40400000, 0fBF800000, 0x817e;"
                         "cvt.u32.u16 %r0, %s1;"),
              Each(0x3080u));
  EXPECT_THAT(
      results_of("mov.b16 %s1, 0x3080; mov.b16 %s2, 0x817e; cvt.rn.scaled::n2::ue8m0.bf16x2.s2f6x2 %r0, %s1, %s2;"),
      Each(0x4040bf80u));
  EXPECT_THAT(results_of(".reg .b8 %c; mov.b32 %r1, 0x44003c00; mov.b16 %s2, 128; cvt.u8.u16 %c, %s2;"
                         "cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f16x2 %s1, %r1, %c; cvt.u32.u16 %r0, %s1;"),
              Each(0x4030u));
  EXPECT_THAT(results_of("mov.b16 %s1, 0x4030; cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2 %r0, %s1, 0x8080;"),
              Each(0x40803f80u));
  EXPECT_THAT(results_of("cvt.rz.satfinite.pzo.e5m2x2.f32 %s1, 0f80000001, 0fBFE00001; cvt.u32.u16 %r0, %s1;"),
              Each(0x00bfu));
  EXPECT_THAT(results_of("cvt.rp.ue5m3x2.f32 %s1, 0f3F800001, 0fC8000000; cvt.u32.u16 %r0, %s1;"), Each(0x79ffu));
}

TEST(NewForms, FourSourcesAreAVector) {
  EXPECT_THAT(
      error_of([] { results_of("cvt.rs.satfinite.e4m3x4.f32 %r0, {%f1, %f2}, %r1;"); }),
      HasSubstr("operand 2 of `cvt.rs.satfinite.e4m3x4.f32`: expected a vector of 4 elements, found `{%f1, %f2}`"));
  EXPECT_THAT(error_of([] { results_of("cvt.rs.satfinite.e4m3x4.f32 %r0, %f1, %r1;"); }),
              HasSubstr("expected a vector of 4 elements, found `%f1`"));
  EXPECT_THAT(error_of([] { results_of("cvt.rs.satfinite.e4m3x4.f32 %r0, {%f1, %f2, %f3, %f4};"); }),
              HasSubstr("d, {a, b, c, d}, e"));
}

TEST(NewForms, PackFillsARegisterInSteps) {
  EXPECT_THAT(results_of(R"(
  cvt.pack.sat.u8.s32.b32 %r1, 1, 300, 0;
  cvt.pack.sat.u8.s32.b32 %r0, -5, 4, %r1;
)"),
              Each(0x01ff0004u));
  EXPECT_THAT(results_of("cvt.pack.sat.s16.s32 %r0, 100000, -2;"), Each(0x7ffffffeu));
}

TEST(NewForms, FmaWithHoles) {
  EXPECT_THAT(results_of("mov.b32 %r1, 0x3c007ff7; mov.b32 %r2, 0x3c003c00; fma.rn.oob.f16x2 %r0, %r1, %r2, %r2;"),
              Each(0x40000000u));
  EXPECT_THAT(results_of("mov.b32 %r1, 0xbf807ff7; mov.b32 %r2, 0x3f803f80; mov.b32 %r3, 0;"
                         "fma.rn.oob.relu.bf16x2 %r0, %r1, %r2, %r3;"),
              Each(0u));
}

TEST(NewForms, MultiplyAddWithSignsAndScale) {
  EXPECT_THAT(results_of("mov.u32 %r1, 300; mov.u32 %r2, 7; vmad.s32.u32.u32 %r0, -%r1, %r2, 5;"),
              Each(static_cast<std::uint32_t>(-2095)));
  EXPECT_THAT(results_of("mov.u32 %r1, 300; mov.u32 %r2, 7; vmad.s32.u32.u32 %r0, -%r1, -%r2, 5;"), Each(2105u));
  EXPECT_THAT(results_of("mov.u32 %r1, 300; mov.u32 %r2, 7; vmad.s32.u32.u32.sat %r0, %r1.b0, %r2.h0, -%r2;"),
              Each(44 * 7 - 7u));
  EXPECT_THAT(results_of("mov.u32 %r1, 0xffff; vmad.u32.u32.u32.po.shr15 %r0, %r1.h0, %r1.h0, 32767;"),
              Each((0xffffull * 0xffff + 32768) >> 15));
}

TEST(NewForms, SimdSelectors) {
  const std::string values = "mov.u32 %r1, 0x00020001; mov.u32 %r2, 0x00400030; mov.u32 %r3, 0xaaaabbbb;";
  EXPECT_THAT(results_of(values + "vadd2.u32.u32.u32 %r0.h1, %r1.h01, %r2.h33, %r3;"), Each(0x0041bbbbu));
  EXPECT_THAT(results_of(values + "vadd2.u32.u32.u32.add %r0.h0, %r1.h32, %r2, %r3;"), Each(0xaaaabbbbu + 0x60));
  EXPECT_THAT(results_of("mov.u32 %r1, 0x04030201; mov.u32 %r2, 0x40302010; mov.u32 %r3, 0;"
                         "vsub4.u32.u32.u32.sat %r0.b20, %r1.b0000, %r2.b4321, %r3;"),
              Each(0u));
  EXPECT_THAT(results_of("mov.u32 %r1, 0x04030201; mov.u32 %r2, 0x40302010; mov.u32 %r3, 0xeeeeeeee;"
                         "vmax4.u32.u32.u32 %r0.b31, %r1.b7070, %r2.b1111, %r3;"),
              Each(0x40ee40eeu));
  EXPECT_THAT(results_of("mov.u32 %r1, 0x04030201; mov.u32 %r2, 0x40302010; mov.u32 %r3, 5;"
                         "vset4.u32.u32.lt.add %r0, %r1, %r2.b0467, %r3;"),
              Each(5 + 3u));
}

/// A kernel of one thread that runs `body` on %p, the address of a buffer.
template <class T>
std::vector<T> after(const std::string& body, const std::vector<T>& before) {
  Machine machine(module_header() +
                  ".visible .entry k(.param .u64 k_p)\n{\n.reg .b64 %p; .reg .b16 %h<17>; "
                  ".reg .b32 %r<17>; .reg .f32 %f<9>;\nld.param.u64 %p, [k_p];\n" +
                  body + "\nret;\n}\n");
  const std::uint64_t p = machine.upload(before);
  machine.run("k", {1, 1, 1}, {1, 1, 1}, p);
  return machine.download<T>(p, before.size());
}

using Halves = std::vector<std::uint16_t>;
using Words = std::vector<std::uint32_t>;

TEST(NewForms, VectorAtomicsElementByElement) {
  // 1 .. 8 in f16; added 1 each. The old values land in the same registers and are stored behind.
  const Halves numbers = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800};
  Halves memory = numbers;
  memory.resize(16);
  const Halves sum = {0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800, 0x4880};
  Halves expected = sum;
  expected.insert(expected.end(), numbers.begin(), numbers.end());
  const std::string ones = "mov.b16 %h1, 0x3c00;";
  EXPECT_EQ(after(ones + "atom.global.add.noftz.v8.f16 {%h2,%h3,%h4,%h5,%h6,%h7,%h8,%h9}, [%p], "
                         "{%h1,%h1,%h1,%h1,%h1,%h1,%h1,%h1};"
                         "mov.b32 %r1, {%h2,%h3}; mov.b32 %r2, {%h4,%h5}; mov.b32 %r3, {%h6,%h7};"
                         "mov.b32 %r4, {%h8,%h9}; st.global.v4.b32 [%p+16], {%r1,%r2,%r3,%r4};",
                  memory),
            expected);
  // The manual's examples put the operation behind the type; both orders mean the same.
  EXPECT_EQ(after(ones + "red.global.v8.f16.add.noftz [%p], {%h1,%h1,%h1,%h1,%h1,%h1,%h1,%h1};", numbers), sum);
  EXPECT_EQ(after(ones + "red.v2.f16.max.noftz [%p+4], {%h1,%h1};", numbers), numbers);
  EXPECT_EQ(after(ones + "atom.relaxed.gpu.global.v4.f16.min.noftz _, [%p+8], {%h1,%h1,%h1,%h1};", numbers),
            (Halves{0x3c00, 0x4000, 0x4200, 0x4400, 0x3c00, 0x3c00, 0x3c00, 0x3c00}));
  EXPECT_EQ(after("mov.b16 %h1, 0x3f80; red.global.v2.bf16.add.noftz [%p], {%h1,%h1};", Halves{0x3f80, 0x4000}),
            (Halves{0x4000, 0x4040}));
}

TEST(NewForms, VectorAtomicsOnPairsAndSingles) {
  EXPECT_EQ(after("mov.b32 %r1, 0x3c004000; red.global.add.noftz.v2.f16x2 [%p], {%r1, %r1};", Words{0x3c003c00, 0}),
            (Words{0x40004200, 0x3c004000}));
  EXPECT_EQ(after("mov.b32 %r1, 0x40803f80; atom.global.v4.bf16x2.max.noftz {%r2,%r3,%r4,%r5}, [%p], {%r1,%r1,%r1,%r1};"
                  "st.global.b32 [%p+16], %r5;",
                  Words{0x40004000, 0, 0x7fc07fc0, 0x41004100, 0}),
            (Words{0x40804000, 0x40803f80, 0x40803f80, 0x41004100, 0x41004100}));
  EXPECT_EQ(after("mov.f32 %f1, 0f3F800000; atom.global.v4.f32.add {%f2,%f3,%f4,%f5}, [%p], {%f1,%f1,%f1,%f1};",
                  Words{0x3f800000, 0x40000000, 0, 0x00000001}),
            (Words{0x40000000, 0x40400000, 0x3f800000, 0x3f800000}));
}

using Quads = std::vector<std::uint64_t>;

TEST(NewForms, AtomicsOf128Bits) {
  const std::string declared = ".reg .b128 %x<4>; .reg .b64 %q<9>;";
  const std::string keep = "mov.b128 {%q7,%q8}, %x0; st.global.v2.b64 [%p+16], {%q7,%q8};";
  EXPECT_EQ(after(declared +
                      "mov.b64 %q1, 5; mov.b64 %q2, 6; mov.b128 %x1, {%q1,%q2};"
                      "atom.global.exch.b128 %x0, [%p], %x1;" +
                      keep,
                  Quads{1, 2, 0, 0}),
            (Quads{5, 6, 1, 2}));
  const std::string swap = declared +
                           "mov.b64 %q1, 1; mov.b64 %q2, 2; mov.b64 %q3, 8; mov.b64 %q4, 9;"
                           "mov.b128 %x1, {%q1,%q2}; mov.b128 %x2, {%q3,%q4};"
                           "atom.acq_rel.gpu.global.cas.b128 %x0, [%p], %x1, %x2;" +
                           keep;
  EXPECT_EQ(after(swap, Quads{1, 2, 0, 0}), (Quads{8, 9, 1, 2}));
  EXPECT_EQ(after(swap, Quads{1, 3, 0, 0}), (Quads{1, 3, 1, 3}));
  EXPECT_EQ(after(swap, Quads{0, 2, 0, 0}), (Quads{0, 2, 0, 2}));
  // In shared memory, and a result that nobody wants.
  EXPECT_EQ(after(declared + ".shared .align 16 .b8 s[16]; mov.b64 %q1, 3; mov.b64 %q2, 4; mov.b128 %x1, {%q1,%q2};"
                             "st.shared.v2.b64 [s], {%q2,%q1}; atom.shared.exch.b128 %x0, [s], %x1;"
                             "ld.shared.v2.b64 {%q3,%q4}, [s]; st.global.v2.b64 [%p], {%q3,%q4};"
                             "atom.global.exch.b128 _, [%p+16], %x0;",
                  Quads{0, 0, 0, 0}),
            (Quads{3, 4, 4, 3}));
}

TEST(NewForms, VectorAtomicsAreForGlobalMemory) {
  EXPECT_THAT(error_of([] {
                results_of(
                    ".shared .align 8 .b32 s[2]; mov.u64 %d1, s; cvta.shared.u64 %d1, %d1;"
                    "red.add.v2.f32 [%d1], {%f1, %f1};");
              }),
              AllOf(HasSubstr("test.ptx:"), HasSubstr("vector atomics are for .global memory")));
}

TEST(NewForms, ConstantsAreCutToTheirPlace) {
  // PTX ISA, "Integer Constants": constants have 64 bits and are converted to the size of the type at their use.
  EXPECT_THAT(results_of("mov.u32 %r0, 0xfffffffff;"), Each(0xffffffffu));
  EXPECT_THAT(results_of("mov.u16 %s1, 0x12345; cvt.u32.u16 %r0, %s1;"), Each(0x2345u));
  EXPECT_THAT(results_of("add.u32 %r0, %r0, 0x100000007;"), Each(7u));
  EXPECT_THAT(results_of("mov.s32 %r0, -0x100000001;"), Each(0xffffffffu));
}

}  // namespace
}  // namespace syncline::test
