#include "isa/ptx/special_register.h"

#include <gmock/gmock.h>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using ::testing::HasSubstr;

TEST(SpecialRegister, EveryNameFindsItsValueBack) {
  for (unsigned i = 0; i < static_cast<unsigned>(SpecialRegister::count_); ++i) {
    const auto reg = static_cast<SpecialRegister>(i);
    EXPECT_EQ(find_special_register(special_register_name(reg)), reg) << special_register_name(reg);
  }
}

TEST(SpecialRegister, FamiliesEndWhereTheManualEndsThem) {
  EXPECT_EQ(special_register_name(*find_special_register("%envreg31")), "%envreg31");
  EXPECT_EQ(special_register_name(*find_special_register("%pm7_64")), "%pm7_64");
  for (const char* text : {"%envreg32", "%pm8", "%pm08", "%envreg", "%pm1_32", "%tidx", "tid", "%gridId"})
    EXPECT_FALSE(find_special_register(text)) << text;
}

TEST(SpecialRegister, IsReadByMoveAndConvert) {
  const auto module = test::parse_kernel("mov.u32 %u1, %ctaid.y; cvt.u64.u32 %q1, %nctaid.x; mov.u64 %q2, %clock64;");
  const auto& first = test::first_instruction(*module);
  EXPECT_EQ(first.operands[1].special, SpecialRegister::ctaid);
  EXPECT_EQ(first.operands[1].component, 1);
}

TEST(SpecialRegister, MistakesAreNamed) {
  EXPECT_THAT(test::kernel_error("add.u32 %u1, %tid.x, 1;"),
              HasSubstr("special registers are read by `mov` and `cvt` only"));
  EXPECT_THAT(test::kernel_error("mov.u32 %u1, %clock64;"),
              HasSubstr("`%clock64` is of type .u64, the instruction wants .u32"));
  EXPECT_THAT(test::kernel_error("mov.u32 %u1, %tid;"), HasSubstr("expected a component, as in `%tid.x`"));
  EXPECT_THAT(test::kernel_error("add.u32 %u1, %u1, %ntid;"), HasSubstr("expected a component, as in `%ntid.x`"));
  EXPECT_THAT(test::kernel_error("mov.v2.u32 {%u1, %u2}, %tid;"),
              HasSubstr("expected a vector of 2 elements, found `{%tid.x, %tid.y, %tid.z, %tid.w}`"));
  EXPECT_THAT(test::kernel_error("st.global.v4.u32 [gvar], %tid;"), HasSubstr("expected a component, as in `%tid.x`"));
  EXPECT_THAT(test::kernel_error("st.global.v4.u32 [gvar], {%tid.x, 1, 2, 3};"),
              HasSubstr("special registers are read by `mov` and `cvt` only"));
  EXPECT_THAT(test::kernel_error("mov.v2.u32 {%u1, %u2}, {%u1, %laneid};"),
              HasSubstr("`%laneid` is read by a `mov` of its own"));
  EXPECT_THAT(test::kernel_error("mov.v4.f32 {%f1, %f1, %f1, %f1}, %tid;"), HasSubstr("is of type .u32"));
  EXPECT_THAT(test::kernel_error("mov.u32 %u1, %laneid.x;"), HasSubstr("`%laneid` has no component `.x`"));
  EXPECT_THAT(test::kernel_error("mov.u32 %u1, %ntdi.x;"), HasSubstr("`%ntdi` is not declared; did you mean `%ntid`?"));
  EXPECT_THAT(test::kernel_error("mov.u32 %tid.x, %u1;"), HasSubstr("special registers are read-only"));
}

}  // namespace
}  // namespace syncline::isa
