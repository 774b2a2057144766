// Masks, permutations and signs in the operands of video instructions.
#include "isa/ptx/video_selector.h"

#include <gmock/gmock.h>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using test::kernel_error;
using ::testing::HasSubstr;

std::uint32_t selection(const std::string& line) {
  const auto module = test::parse_kernel(line);
  return video_selection(test::first_instruction(*module));
}

TEST(VideoSelector, ScalarParts) {
  EXPECT_EQ(selection("vadd.u32.u32.u32 %u1, %u2, %u3;"), 0u);
  EXPECT_EQ(selection("vadd.u32.u32.u32 %u1.h1, %u2.b3, %u3.h0, %u4;"), 0x546u);
  EXPECT_EQ(selection("vmad.u32.u32.u32 %u1, -%u2, %u3, %u4;"), 0x1000u);
  EXPECT_EQ(selection("vmad.u32.u32.u32 %u1, %u2, -%u3.b0, %u4;"), 0x1100u);
  EXPECT_EQ(selection("vmad.u32.u32.u32 %u1, -%u2, -%u3, -%u4;"), 0x2000u);
}

TEST(VideoSelector, MasksAndPermutations) {
  EXPECT_EQ(selection("vadd2.u32.u32.u32 %u1, %u2, %u3, %u4;"), 0x3u | 010u << 4 | 032u << 16);
  EXPECT_EQ(selection("vadd2.u32.u32.u32 %u1.h1, %u2.h03, %u3.h22, %u4;"), 0x2u | 003u << 4 | 022u << 16);
  EXPECT_EQ(selection("vadd2.u32.u32.u32 %u1.h10, %u2, %u3, %u4;"), 0x3u | 010u << 4 | 032u << 16);
  EXPECT_EQ(selection("vset4.u32.s32.gt %u1.b20, %u2.b7531, %u3, %u4;"), 0x5u | 07531u << 4 | 07654u << 16);
  EXPECT_EQ(selection("vmin4.u32.u32.u32 %u1.b3, %u2, %u3.b0123, %u4;"), 0x8u | 03210u << 4 | 00123u << 16);
}

TEST(VideoSelector, WhatDoesNotFitIsAnError) {
  EXPECT_THAT(
      kernel_error("vadd.u32.u32.u32 %u1, %u2.h10, %u3;"),
      HasSubstr("operand 2 of `vadd.u32.u32.u32`: `vadd` works on one part of a register: .b0 to .b3, .h0 or .h1"));
  EXPECT_THAT(kernel_error("vadd2.u32.u32.u32 %u1.b0, %u2, %u3, %u4;"),
              HasSubstr("the mask of `vadd2` is .h0, .h1 or .h10"));
  EXPECT_THAT(kernel_error("vadd2.u32.u32.u32 %u1.h01, %u2, %u3, %u4;"), HasSubstr("the mask of `vadd2` is .h0"));
  EXPECT_THAT(kernel_error("vadd4.u32.u32.u32 %u1.b02, %u2, %u3, %u4;"),
              HasSubstr("the mask of `vadd4` is bytes in falling order, as .b0, .b20 or .b3210"));
  EXPECT_THAT(kernel_error("vadd4.u32.u32.u32 %u1.b4, %u2, %u3, %u4;"), HasSubstr("the mask of `vadd4`"));
  EXPECT_THAT(kernel_error("vadd4.u32.u32.u32 %u1, %u2.b10, %u3, %u4;"),
              HasSubstr("a source of `vadd4` is a permutation of four of the bytes 0 to 7, as .b3210"));
  EXPECT_THAT(kernel_error("vadd2.u32.u32.u32 %u1, %u2, %u3.h1, %u4;"),
              HasSubstr("a source of `vadd2` is a permutation of two of the halves 0 to 3, as .h10"));
  EXPECT_THAT(kernel_error("vadd4.u32.u32.u32 %u1, %u2.b8888, %u3, %u4;"),
              HasSubstr("a register has no part `.b8888`"));
}

TEST(VideoSelector, SignsBelongToTheProductOrTheSum) {
  EXPECT_THAT(kernel_error("vmad.u32.u32.u32 %u1, -%u2, %u3, -%u4;"),
              HasSubstr("`vmad.u32.u32.u32`: either the product or the last operand can be negated, not both"));
  EXPECT_THAT(kernel_error("vmad.u32.u32.u32.po %u1, -%u2, %u3, %u4;"),
              HasSubstr("operand 2 of `vmad.u32.u32.u32.po`: `-` before a register stands only in vmad without .po"));
  EXPECT_THAT(kernel_error("add.u32 %u1, -%u2, %u3;"), HasSubstr("`-` before a register stands only in vmad"));
  EXPECT_THAT(kernel_error("add.u32 %u1, -gvar, %u3;"), HasSubstr("`-` in an operand needs a register or a constant"));
  const auto module = test::parse_kernel("add.u32 %u1, -2+3, -WARP_SZ;");
  EXPECT_EQ(test::first_instruction(*module).operands[1].bits, 1u);
  EXPECT_EQ(test::first_instruction(*module).operands[2].bits, 0xffffffe0u);
}

TEST(VideoSelector, PrintedAsWritten) {
  for (const char* line :
       {"vadd2.u32.u32.u32 %u1.h1, %u2.h03, %u3.h22, %u4;", "vset4.u32.u32.eq %u1.b20, %u2.b7531, %u3.b3210, %u4;",
        "vmad.s32.u32.s32.sat.shr15 %s1, -%u2.b0, %s3.h1, %s4;", "vmad.u32.u32.u32.po.shr7 %u1, %u2, %u3, %u4;"}) {
    const auto module = test::parse_kernel(line);
    EXPECT_EQ(to_string(*module, *module->find_function("k"), test::first_instruction(*module)), line);
  }
}

}  // namespace
}  // namespace syncline::isa
