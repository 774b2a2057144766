// Parameters in memory: of kernels and of functions, by address and as vectors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

TEST(ParameterMemory, KernelParametersByAddressAndOfAllSizes) {
  // Census traps 3 and 4: the address of a parameter; structs by value; narrow parameters.
  const std::string ptx = module_header() + R"(
.visible .entry k(.param .u64 out, .param .align 8 .b8 box[24], .param .s8 small, .param .u16 middle)
{
  .reg .b64 %d<16>; .reg .b32 %r<8>; .reg .b16 %s<4>;
  ld.param.u64 %d1, [out];
  mov.b64 %d2, box;
  ld.param.u64 %d3, [%d2+8];
  ld.param.v2.u32 {%r1, %r2}, [box+16];
  ld.param.s8 %s1, [small];
  cvt.s64.s16 %d4, %s1;
  ld.param.u16 %s2, [middle];
  cvt.u64.u16 %d5, %s2;
  cvta.param.u64 %d6, %d2;
  ld.u64 %d7, [%d6];
  st.global.u64 [%d1], %d3;
  mov.b64 %d8, {%r2, %r1};
  st.global.u64 [%d1+8], %d8;
  st.global.u64 [%d1+16], %d4;
  st.global.u64 [%d1+24], %d5;
  st.global.u64 [%d1+32], %d7;
}
)";
  Machine machine(ptx);
  const std::uint64_t out = machine.allocate(40);
  std::vector<std::uint8_t> block(36, 0);
  const std::uint64_t box[3] = {0x1111222233334444, 0x5555666677778888, 0x00000002'00000001};
  std::memcpy(block.data(), &out, 8);
  std::memcpy(block.data() + 8, box, 24);
  block[32] = 0xFD;
  block[34] = 0xFE;
  block[35] = 0xCA;
  machine.launch("k", {1, 1, 1}, {1, 1, 1}, block);
  EXPECT_EQ(machine.download<std::uint64_t>(out, 5),
            (std::vector<std::uint64_t>{box[1], 0x00000001'00000002, 0xFFFFFFFF'FFFFFFFD, 0xCAFE, box[0]}));
}

TEST(ParameterMemory, ParametersOfFunctionsWhoseAddressIsTaken) {
  const auto got = results_of(R"(
  { .param .align 8 .b8 a[16]; .param .b32 b;
  st.param.b32 [a], %t;
  st.param.b32 [a+12], 1000;
  call (b), second, (a);
  ld.param.b32 %r0, [b]; }
)",
                              32, R"(
.func (.param .b32 result) second(.param .align 8 .b8 box[16])
{
  .reg .b64 %d<4>; .reg .b32 %r<8>;
  mov.b64 %d1, box;
  ld.local.u32 %r1, [%d1+12];
  cvta.local.u64 %d2, %d1;
  ld.u32 %r2, [%d2];
  ld.param.u32 %r3, [box];
  add.u32 %r1, %r1, %r2;
  add.u32 %r1, %r1, %r3;
  st.param.b32 [result], %r1;
  ret;
}
)");
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got[t], 1000 + 2 * t);
}

TEST(ParameterMemory, VectorsInParameterSpaceOfCalls) {
  const auto got = results_of(R"(
  { .param .align 16 .b8 a[16]; .param .align 8 .b8 b[8];
  add.u32 %r1, %t, 1; add.u32 %r2, %t, 2; add.u32 %r3, %t, 3;
  st.param.v4.b32 [a], {%t, %r1, %r2, %r3};
  call (b), swap_sum, (a);
  ld.param.v2.b32 {%r4, %r5}, [b]; }
  mad.lo.u32 %r0, %r4, 256, %r5;
)",
                              32, R"(
.func (.param .align 8 .b8 result[8]) swap_sum(.param .align 16 .b8 box[16])
{
  .reg .b32 %r<8>;
  ld.param.v4.u32 {%r1, %r2, %r3, %r4}, [box];
  add.u32 %r1, %r1, %r2;
  add.u32 %r3, %r3, %r4;
  st.param.v2.b32 [result], {%r3, %r1};
  ret;
}
)");
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got[t], (2 * t + 5) * 256 + 2 * t + 1);
}

/// Each call passes as much as it likes; of what it does not pass there are zeros.
TEST(ParameterMemory, ArraysWithoutSizeTakeWhatACallPasses) {
  const std::string sum = R"(
.func (.param .b32 r) sum(.param .b32 n, .param .align 8 .b8 list[])
{
  .reg .b32 %r<4>; .reg .b64 %d<3>; .reg .pred %p;
  ld.param.u32 %r1, [n];
  ld.param.u32 %r2, [list+20];
  mov.b64 %d1, list;
NEXT:
  ld.local.u32 %r3, [%d1];
  add.u32 %r2, %r2, %r3;
  add.u64 %d1, %d1, 4;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra NEXT;
  st.param.b32 [r], %r2;
  ret;
}
.func (.param .b32 r) last(.param .b32 n, .param .align 8 .b8 list[])
{ .reg .b32 %r1; ld.param.u32 %r1, [list+12]; st.param.b32 [r], %r1; ret; }
.func (.param .b32 r) hands_on(.param .b32 n, .param .align 8 .b8 list[])
{ .reg .b32 %r1; .param .b32 a; call (a), sum, (n, list); ld.param.b32 %r1, [a]; st.param.b32 [r], %r1; ret; }
)";
  const std::string call = R"(
  .param .b32 n, r; .param .align 8 .b8 two[8], four[16]; .reg .b64 %f;
  st.param.v2.b32 [two], {%t, 3};
  st.param.v4.b32 [four], {%t, 5, 7, 1000};
  P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[]);
)";
  const auto left = [&](const std::string& what) {
    return results_of(call + what + "\nld.param.b32 %r0, [r];\n", 32, sum);
  };
  const auto each = [](std::uint32_t more) {
    std::vector<std::uint32_t> values(32);
    for (std::uint32_t t = 0; t < 32; ++t) values[t] = t + more;
    return values;
  };
  EXPECT_EQ(left("st.param.b32 [n], 2; call (r), sum, (n, two);"), each(3));
  EXPECT_EQ(left("st.param.b32 [n], 4; call (r), sum, (n, two);"), each(3));
  EXPECT_EQ(left("st.param.b32 [n], 4; call (r), sum, (n, two); call (r), sum, (n, four);"), each(1012));
  EXPECT_EQ(left("st.param.b32 [n], 3; call (r), hands_on, (n, four);"), each(12));
  EXPECT_EQ(left("mov.b64 %f, last; call (r), %f, (n, four), P;"), std::vector<std::uint32_t>(32, 1000));
  EXPECT_EQ(left("mov.b64 %f, last; call (r), %f, (n, two), P;"), std::vector<std::uint32_t>(32, 0));
  EXPECT_NE(error_of([&] {
              results_of(call + "call f, (two);", 32,
                         ".func f(.param .b8 a[]) { .reg .b32 x; ld.param.b32 x, [a+400000]; ret; }\n");
            }).find("the parameters of `f` take 400004 bytes"),
            std::string::npos);
}

}  // namespace
}  // namespace syncline::test
