// Forms that few files use and the ISA allows: they run, and what the printer makes of them runs alike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "isa/ptx/parser.h"
#include "isa/ptx/printer.h"
#include "tests/support/file_text.h"
#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using testing::Each;
using Words = std::vector<std::uint32_t>;

/// What `words` words of a buffer hold behind kernel `k(out)` of a text, which the text that is printed back must leave
/// too.
Words left_by(const std::string& ptx, const std::string& kernel, unsigned cta_threads, unsigned words,
              const isa::EmulatorConfig& config = {}) {
  const auto run = [&](const std::string& text) {
    Machine machine(text, config);
    const std::uint64_t out = machine.allocate(4 * words);
    machine.run(kernel, {1, 1, 1}, {cta_threads, 1, 1}, out);
    return machine.download<std::uint32_t>(out, words);
  };
  const Words left = run(ptx);
  EXPECT_EQ(run(isa::to_string(*isa::parse_module(ptx, "original"))), left);
  return left;
}

Words left_by(const std::string& body, const std::string& before = "") {
  return left_by(kernel_of(body, before), "k", 32, 32);
}

Words each(const std::function<std::uint32_t(std::uint32_t)>& of) {
  Words values;
  for (std::uint32_t t = 0; t < 32; ++t) values.push_back(of(t));
  return values;
}

TEST(SeldomForms, OneRegisterInBraces) {
  EXPECT_EQ(left_by(R"(
  mad.lo.u32 %r1, %t, 3, 1;
  st.global.b32 [%at], {%r1};
  ld.global.b32 { %r0 }, [ %at + 0 ];
  mov.b32 {%r0}, {%r0};
  mov.u32 {%r1}, %r0;
  mov.u32 %r0, {%r1};
)"),
            each([](std::uint32_t t) { return 3 * t + 1; }));
}

TEST(SeldomForms, AVectorMoveReadsBeforeItWrites) {
  EXPECT_THAT(left_by(R"(
  mov.v4.u32 {%r1, %r2, %r3, %r4}, {1, 2, 3, 4};
  mov.v4.u32 {%r1, %r2, %r3, %r4}, {%r2, %r3, %r4, %r1};
  mov.v2.b32 {%r1, %r4}, {%r4, %r1};
  mad.lo.u32 %r0, %r1, 10, %r2;
  mad.lo.u32 %r0, %r0, 10, %r3;
  mad.lo.u32 %r0, %r0, 10, %r4;
)"),
              Each(1342u));
}

TEST(SeldomForms, VectorMovesOfAllWidths) {
  EXPECT_THAT(left_by(R"(
  .reg .v2 .f64 wide;
  .reg .v4 .u16 narrow;
  mov.v2.f64 wide, {0d4010000000000000, 0d4014000000000000};
  mov.v2.b64 {%d1, _}, wide;
  mov.v2.b64 {_, %d2}, {%d1, wide.y};
  mov.v4.u16 narrow, {0xffff, 7, 0xfff9, 2};
  mov.v4.b16 {%s1, %s2, %s3, %s4}, narrow;
  cvt.rzi.u32.f64 %r1, wide.x;
  cvt.u32.u64 %r2, %d2;
  shr.u64 %d2, %d2, 48;
  cvt.u32.u64 %r2, %d2;
  cvt.u32.u16 %r3, %s1;
  add.u16 %s3, %s3, %s2;
  cvt.u32.u16 %r4, %s3;
  mad.lo.u32 %r0, %r1, 0x10000, %r2;
  add.u32 %r0, %r0, %r3;
  add.u32 %r0, %r0, %r4;
)"),
              Each(4 * 0x10000u + 0x4014u + 0xffffu));
}

TEST(SeldomForms, VectorsOfSpecialRegistersAndOfOneConstant) {
  EXPECT_EQ(left_by(R"(
  .reg .v4 .b32 thread;
  .reg .v4 .u16 narrow;
  mov.v4.u32 thread, %tid;
  mov.v4.u32 {_, %r1, %r2, %r3}, %ntid;
  mad.lo.u32 %r0, %r1, 10, %r2;
  mad.lo.u32 %r0, %r0, 10, %r3;
  mad.lo.u32 %r0, %r0, 100, thread.x;
  mov.v2.u32 {%r1, %r2}, {%tid.x, %ctaid.y};
  mad.lo.u32 %r0, %r1, 0x10000, %r0;
  add.u32 %r0, %r0, %r2;
  mov.v4.b32 thread, 3;
  add.u32 %r0, %r0, thread.x;
  add.u32 %r0, %r0, thread.w;
  mov.v4.u16 narrow, %nctaid;
  cvt.u32.u16 %r1, narrow.y;
  add.u32 %r0, %r0, %r1;
)"),
            each([](std::uint32_t t) { return 0x10000 * t + 11000 + t + 6 + 1; }));
}

TEST(SeldomForms, AGuardedVectorMoveLeavesTheOtherLanes) {
  EXPECT_EQ(left_by(R"(
  setp.lt.u32 %p1, %t, 10;
  mov.v2.u32 {%r1, %r2}, {%t, 5};
  @!%p1 mov.v2.u32 {%r1, %r2}, {%r2, %r1};
  mad.lo.u32 %r0, %r1, 100, %r2;
)"),
            each([](std::uint32_t t) { return t < 10 ? 100 * t + 5 : 500 + t; }));
}

TEST(SeldomForms, StoresOfSums) {
  EXPECT_EQ(left_by(R"(
  .local .align 8 .b64 place;
  mul.wide.u32 %d1, %t, 2;
  st.local.u64 [place], %d1 + 0x100000000;
  ld.local.u64 %d2, [place];
  shr.u64 %d3, %d2, 32;
  st.local.u64 [place], %d2 - 1 + 5 - 1;
  ld.local.u32 %r1, [place];
  mov.u16 %s1, 0xffff;
  st.local.u16 [place], %s1+2;
  ld.local.u16 %r2, [place];
  setp.eq.u32 %p1, %t, 4;
  @%p1 st.local.u8 [place], %r2-2;
  ld.local.u8 %r3, [place];
  cvt.u32.u64 %r4, %d3;
  mad.lo.u32 %r0, %r3, 100, %r1;
  mad.lo.u32 %r0, %r4, 1000000, %r0;
)"),
            each([](std::uint32_t t) { return 1000000 + (t == 4 ? 255 : 1) * 100 + 2 * t + 3; }));
}

TEST(SeldomForms, ElementsAsAddresses) {
  const char* const before =
      ".global .u32 list[4] = {5, 6, 7, 8};\n.global .v2 .u32 pairs[2] = {{1, 2}, {3, 4}};\n"
      ".global .u32 rows[2][3] = {{1, 2, 3}, {40, 50, 60}};\n.shared .u32 sum[2];\n";
  EXPECT_THAT(left_by(R"(
  ld.global.u32 %r1, list[3];
  ld.global.v2.u32 {%r2, %r3}, pairs[1];
  ld.global.u32 %r4, rows[1];
  st.shared.u32 sum[1], 0;
  bar.sync 0;
  atom.shared.add.u32 %r5, sum[1], 1;
  red.shared.add.u32 sum[1], 1;
  bar.sync 0;
  ld.shared.u32 %r6, [sum[1]];
  add.u32 %r0, %r1, %r2;
  add.u32 %r0, %r0, %r3;
  add.u32 %r0, %r0, %r4;
  add.u32 %r0, %r0, %r6;
)",
                      before),
              Each(8u + 3 + 4 + 40 + 64));
}

TEST(SeldomForms, VariablesByTheDozen) {
  EXPECT_THAT(left_by(R"(
  .local .align 4 .b16 part<3>;
  .local .b32 after;
  st.local.u32 [after], 9;
  st.local.u16 [part2], 7;
  st.local.u16 [part1], 6;
  ld.local.u16 %r1, [part2];
  ld.local.u32 %r2, [after];
  ld.global.u32 %r3, [word1];
  add.u32 %r0, %r1, %r2;
  add.u32 %r0, %r0, %r3;
)",
                      ".global .align 8 .u32 word<2>;\n"),
              Each(16u));
}

/// A register can be wider than the element that it takes or gives, each one of a vector by itself; then the lanes of
/// one lie further apart than those of another.
TEST(SeldomForms, VectorsOfRegistersOfDifferentWidths) {
  const std::string given = "cvt.u16.u32 %s1, %t;\ncvt.u64.u32 %d1, %t;\nsub.u32 %r1, 0, %t;\n";
  const Words pairs = each([](std::uint32_t t) { return (0x10000 - t) << 16 | t; });
  EXPECT_EQ(left_by(given + "st.global.v2.u16 [%at], {%s1, %r1};\nld.global.u32 %r0, [%at];"), pairs);
  EXPECT_EQ(left_by(given + "st.global.v2.b16 [%at], {%d1, %r1};\nld.global.u32 %r0, [%at];"), pairs);
  EXPECT_EQ(left_by(given + "st.global.v4.u8 [%at], {%d1, %r1, 7, %s1};\nld.global.u32 %r0, [%at];"),
            each([](std::uint32_t t) { return t << 24 | 7 << 16 | (-t & 0xFF) << 8 | t; }));
  const Words sums = each([](std::uint32_t t) { return t - 100 * t; });
  for (const char* at : {"global", "param"}) {
    const std::string place = at == std::string("global") ? "[%at]" : "[box]";
    const std::string pair = given + ".param .align 4 .b8 box[4];\nst." + at + ".v2.u16 " + place + ", {%s1, %r1};\n";
    const std::string load = "ld." + std::string(at) + ".v2.s16 ";
    const std::string sum = "mad.lo.s32 %r0, %r4, 100, %r3;";
    EXPECT_EQ(left_by(pair + load + "{%r3, %s3}, " + place + ";\ncvt.s32.s16 %r4, %s3;\n" + sum), sums);
    EXPECT_EQ(left_by(pair + load + "{%s3, %r4}, " + place + ";\ncvt.s32.s16 %r3, %s3;\n" + sum), sums);
    EXPECT_EQ(left_by(pair + load + "{%d3, %r4}, " + place + ";\ncvt.u32.u64 %r3, %d3;\n" + sum), sums);
  }
}

/// Bytes lie in registers of 16 bits or more, and so do those of one vector side by side.
TEST(SeldomForms, BytesInRegistersOfDifferentWidths) {
  const std::string given = "cvt.u16.u32 %s1, %t;\ncvt.u64.u32 %d1, %t;\nmul.lo.u32 %r1, %t, 0x101;\n";
  EXPECT_EQ(left_by(given + "mov.b32 %r0, {%s1, %t, %d1, 3};"),
            each([](std::uint32_t t) { return t * 0x10101 + 0x3000000; }));
  EXPECT_EQ(left_by(given + "mov.b16 %s2, {%t, %t};\ncvt.u32.u16 %r0, %s2;"),
            each([](std::uint32_t t) { return t * 0x101; }));
  for (const char* parts : {"{%r2, %s3}", "{%d2, %s3}", "{%s3, %r2}"})
    EXPECT_EQ(
        left_by(given + "cvt.u16.u32 %s2, %r1;\nmov.u32 %r2, -1;\nmov.u64 %d2, -1;\nmov.b16 " + parts + ", %s2;\n" +
                (parts[2] == 'd' ? "cvt.u32.u64 %r2, %d2;\n" : "") + "cvt.u32.u16 %r0, %s3;\nadd.u32 %r0, %r0, %r2;"),
        each([](std::uint32_t t) { return 2 * t; }));
}

/// A vector is passed as such between registers and .param space, in all four combinations.
TEST(SeldomForms, VectorsAsArguments) {
  const char* const before = R"(
.func (.reg .v2 .u32 swapped) by_register (.reg .v2 .u32 in, .reg .u32 more)
{
  add.u32 swapped.x, in.y, more;
  mov.u32 swapped.y, in.x;
  ret;
}
.func (.param .align 8 .v2 .u32 swapped) by_memory (.param .align 8 .v2 .u32 in, .param .u32 more)
{
  .reg .u32 a<2>, m;
  ld.param.v2.u32 {a0, a1}, [in];
  ld.param.u32 m, [more];
  add.u32 a1, a1, m;
  st.param.v2.u32 [swapped], {a1, a0};
  ret;
}
)";
  for (const char* callee : {"by_register", "by_memory"}) {
    const std::string name(callee);
    EXPECT_EQ(left_by(".reg .v2 .u32 pair;\nmov.v2.u32 pair, {%t, 7};\ncall (pair), " + name + ", (pair, 100);\n" +
                          "call ({%r1, _}), " + name + ", ({pair.x, 3}, %t);\nmad.lo.u32 %r0, pair.x, 1000, pair.y;\n" +
                          "mad.lo.u32 %r0, %r1, 1000000, %r0;",
                      before),
              each([](std::uint32_t t) { return (3 + t) * 1000000 + 107 * 1000 + t; }))
        << name;
    EXPECT_EQ(left_by(".param .align 8 .v2 .u32 given, taken;\nst.param.v2.u32 [given], {%t, 7};\ncall (taken), " +
                          name + ", (given, 1);\nld.param.v2.u32 {%r1, %r2}, [taken];\nmad.lo.u32 %r0, %r1, 1000, %r2;",
                      before),
              each([](std::uint32_t t) { return 8000 + t; }))
        << name;
  }
}

TEST(SeldomForms, APrototypeWithoutEnd) {
  EXPECT_THAT(left_by("call (%r0), seven, ();", R"(
.extern .func (.param .b32 r) unused (.param .b64 a)
.visible .func (.param .b32 r) seven ()
.global .u32 between;
.visible .func (.param .b32 r) seven ()
{
  st.param.b32 [r], 7;
  ret;
}
)"),
              Each(7u));
}

/// Registers outside functions: of each thread, for all functions.
TEST(SeldomForms, RegistersOfTheModule) {
  EXPECT_EQ(left_by(R"(.version 2.3
.target sm_20
.reg .u32 depth, last;
.reg .u64 address;
.reg .pred again<2>;
.func step ()
{
  .reg .u32 local;
  add.u32 depth, depth, 1;
  mov.u32 local, depth;
  setp.lt.u32 again1, depth, last;
  @again1 call step;
  st.global.u32 [address], depth;
  // its own register is its own: the deepest call has written last
  @!again1 mov.u32 last, local;
  ret;
}
.entry k (.param .u64 out)
{
  .reg .u32 last2;
  ld.param.u64 address, [out];
  mov.u32 depth, 0;
  mov.u32 last2, %tid.x;
  mov.u32 last, last2;
  mad.wide.u32 address, last2, 4, address;
  call step;
  exit;
}
)",
                    "k", 32, 32),
            each([](std::uint32_t t) { return t == 0 ? 1 : t; }));
}

TEST(SeldomForms, TogetherInOneFile) {
  const std::string text = test::text_of("tests/data/ptx/seldom_forms.ptx");
  constexpr unsigned cta_threads = 80, words = 12;  // not whole warps, whatever a warp is
  for (const unsigned lanes : {32u, 64u}) {
    isa::EmulatorConfig config;
    config.warp_lanes = lanes;
    const Words got = left_by(text, "seldom", cta_threads, cta_threads * words, config);
    for (std::uint32_t t = 0; t < cta_threads; ++t) {
      const bool odd = t % 2 != 0;
      const std::uint32_t voted = t < 32 ? 0x10000055 : 0x20000000;
      const Words want = {2 * t + (odd ? 1000 : 0),
                          t + (odd ? 2 : 1),
                          t + 3,
                          t - 3,
                          4,
                          odd ? 0 : voted,
                          odd ? 99u : 3u,
                          t,
                          15,
                          t - 1 + (odd ? 100 : 0),
                          1,
                          t};
      EXPECT_EQ(Words(got.begin() + words * t, got.begin() + words * (t + 1)), want)
          << "thread " << t << " of " << lanes;
    }
  }
}

}  // namespace
}  // namespace syncline::test
