#include "isa/ptx/constant.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "isa/ptx/small_float.h"
#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using ::testing::HasSubstr;

Constant value(const std::string& text) {
  const std::string source = "constant";
  Lexer lexer(text, source);
  const Constant constant = read_constant(lexer);
  EXPECT_EQ(lexer.current().kind, TokenKind::end) << text;
  return constant;
}

std::int64_t integer(const std::string& text) {
  const Constant constant = value(text);
  EXPECT_EQ(constant.kind, ImmediateKind::integer) << text;
  return static_cast<std::int64_t>(constant.bits);
}

TEST(Constant, ReadsIntegersInEveryBase) {
  EXPECT_EQ(integer("1234"), 1234);
  EXPECT_EQ(integer("0x7FffU"), 0x7FFF);
  EXPECT_EQ(integer("017"), 15);
  EXPECT_EQ(integer("0b1011"), 11);
  EXPECT_EQ(integer("0"), 0);
  EXPECT_EQ(integer("-1"), -1);
  EXPECT_EQ(static_cast<std::uint64_t>(integer("0xFFFFFFFFFFFFFFFF")), ~std::uint64_t{0});
  EXPECT_EQ(integer("WARP_SZ"), 32);
}

TEST(Constant, ReadsFloatsByBits) {
  EXPECT_EQ(value("0f3F800000").bits, 0x3F800000u);
  EXPECT_EQ(value("0f3F800000").as_double(), 1.0);
  EXPECT_EQ(value("0d400921FB54442D18").as_double(), 3.141592653589793);
  EXPECT_EQ(value("1.5").as_double(), 1.5);
  EXPECT_EQ(value("2e-3").as_double(), 2e-3);
  EXPECT_EQ(value("-0f3F800000").as_double(), -1.0);
}

TEST(Constant, EvaluatesExpressionsLikeC) {
  EXPECT_EQ(integer("1+2*3"), 7);
  EXPECT_EQ(integer("(1+2)*3"), 9);
  EXPECT_EQ(integer("10-4-3"), 3);
  EXPECT_EQ(integer("7 % 4"), 3);
  EXPECT_EQ(integer("7%4"), 3);
  EXPECT_EQ(integer("0xF%7 %4"), 1);
  EXPECT_EQ(integer("1<<4|3"), 19);
  EXPECT_EQ(integer("~0 & 0xF0 ^ 0x30"), 0xC0);
  EXPECT_EQ(integer("-8>>1"), -4);
  EXPECT_EQ(integer("(.u64)-8>>1"), 0x7FFFFFFFFFFFFFFC);
  EXPECT_EQ(integer("3<4 && 4>=4 || 0"), 1);
  EXPECT_EQ(integer("!5"), 0);
  EXPECT_EQ(integer("1 ? 2 : 3"), 2);
  EXPECT_EQ(integer("0 ? 2 : 0 ? 4 : 5"), 5);
  EXPECT_EQ(integer("(.s64)2.9"), 2);
  EXPECT_EQ(integer("-1 < 1U"), 0) << "a mixed comparison is unsigned";
  EXPECT_EQ(integer("1 << 64"), 0);
  EXPECT_EQ(value("1.5*2.0+1.0").as_double(), 4.0);
}

TEST(Constant, BringsValuesToTypes) {
  std::uint64_t bits = 0;
  EXPECT_TRUE(constant_bits(value("-1"), Type::u16, bits));
  EXPECT_EQ(bits, 0xFFFFu);
  EXPECT_TRUE(constant_bits(value("1.0"), Type::f32, bits));
  EXPECT_EQ(bits, 0x3F800000u);
  EXPECT_TRUE(constant_bits(value("0f3F800000"), Type::f64, bits));
  EXPECT_EQ(bits, 0x3FF0000000000000u);
  EXPECT_TRUE(constant_bits(value("0f3F800000"), Type::b32, bits));
  EXPECT_EQ(bits, 0x3F800000u);
  EXPECT_FALSE(constant_bits(value("0f3F800000"), Type::u32, bits));
  EXPECT_FALSE(constant_bits(value("1"), Type::f32, bits));
  EXPECT_TRUE(constant_bits(value("-1"), Type::pred, bits));
  EXPECT_EQ(bits, 1u);
}

TEST(Constant, RoundsHalfPrecisionToNearestEven) {
  EXPECT_EQ(f16_bits(1.0), 0x3C00);
  EXPECT_EQ(f16_bits(-2.0), 0xC000);
  EXPECT_EQ(f16_bits(65504.0), 0x7BFF);
  EXPECT_EQ(f16_bits(65520.0), 0x7C00) << "halfway to the next step is infinity";
  EXPECT_EQ(f16_bits(0x1p-24), 0x0001) << "smallest subnormal";
  EXPECT_EQ(f16_bits(0x1p-25), 0x0000) << "half of it, ties to even";
  EXPECT_EQ(f16_bits(0x1.8p-24), 0x0002);
  EXPECT_EQ(f16_bits(0x1.ff8p-15), 0x03FF) << "largest subnormal";
  EXPECT_EQ(f16_bits(0x1.ffcp-15), 0x0400) << "carries into the exponent";
  EXPECT_EQ(f16_bits(1.0 + 0x1p-11), 0x3C00);
  EXPECT_EQ(f16_bits(1.0 + 0x3p-11), 0x3C02);
  EXPECT_EQ(f16_bits(std::numeric_limits<double>::infinity()), 0x7C00);
  EXPECT_EQ(f16_bits(std::nan("")), 0x7FFF);
  EXPECT_EQ(bf16_bits(1.0), 0x3F80);
  EXPECT_EQ(bf16_bits(1.0 + 0x1p-8), 0x3F80);
  EXPECT_EQ(bf16_bits(1e39), 0x7F80);
  EXPECT_EQ(bf16_bits(-0.0), 0x8000);
}

TEST(Constant, RefusesBrokenLiterals) {
  EXPECT_THAT(test::kernel_error("mov.f32 %f1, 0f3F8;"), HasSubstr("expected 8 hexadecimal digits after `0f`"));
  EXPECT_THAT(test::kernel_error("mov.f64 %d1, 0d3F80000Z00000000;"), HasSubstr("expected 16 hexadecimal digits"));
  EXPECT_THAT(test::kernel_error("mov.u32 %b1, 12ab;"),
              HasSubstr("`12ab` is not a constant: expected digits of base 10"));
  EXPECT_THAT(test::kernel_error("mov.u32 %b1, 089;"), HasSubstr("digits of base 8"));
  EXPECT_THAT(test::kernel_error("mov.u64 %q1, 99999999999999999999;"), HasSubstr("does not fit in 64 bits"));
  EXPECT_THAT(test::kernel_error("mov.u32 %b1, 5/0;"), HasSubstr("division by zero"));
  EXPECT_THAT(test::kernel_error("mov.u32 %b1, 1.5 & 2;"), HasSubstr("`&` needs integer constants"));
  EXPECT_THAT(test::kernel_error("mov.u32 %b1, ~1.5;"), HasSubstr("`~` needs an integer constant"));
  EXPECT_THAT(test::kernel_error("mov.u32 %b1, (.s64)1e30;"), HasSubstr("does not fit in the type of the cast"));
  EXPECT_THAT(test::kernel_error("mov.u32 %b1, " + std::string(5000, '(') + "1;"), HasSubstr("nested too deeply"));
  EXPECT_THAT(test::kernel_error("mov.u32 %b1, " + std::string(5000, '-') + "1;"), HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace syncline::isa
