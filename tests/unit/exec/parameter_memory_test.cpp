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

}  // namespace
}  // namespace syncline::test
