// The manual's tables of which register may stand where (PTX ISA, "Operand Type Checking").
#include <gtest/gtest.h>

#include "isa/ptx/verifier.h"

namespace syncline::isa {
namespace {

TEST(RegisterFits, SameSizeRules) {
  EXPECT_TRUE(register_fits(Type::u32, Type::s32, false)) << "signedness does not matter";
  EXPECT_TRUE(register_fits(Type::b32, Type::f32, false)) << "untyped registers take everything of their size";
  EXPECT_TRUE(register_fits(Type::f32, Type::b32, false)) << "untyped instructions take everything of their size";
  EXPECT_FALSE(register_fits(Type::f32, Type::s32, false));
  EXPECT_FALSE(register_fits(Type::u32, Type::f32, false));
  EXPECT_FALSE(register_fits(Type::u64, Type::u32, false));
  EXPECT_FALSE(register_fits(Type::pred, Type::b32, false));
  EXPECT_FALSE(register_fits(Type::b32, Type::pred, false));
  EXPECT_TRUE(register_fits(Type::pred, Type::pred, false));
}

TEST(RegisterFits, WiderRegistersOfLoadsStoresAndConversions) {
  EXPECT_TRUE(register_fits(Type::u32, Type::u8, true));
  EXPECT_TRUE(register_fits(Type::s64, Type::u16, true));
  EXPECT_TRUE(register_fits(Type::f64, Type::b32, true));
  EXPECT_TRUE(register_fits(Type::b64, Type::f32, true));
  EXPECT_FALSE(register_fits(Type::f64, Type::f32, true));
  EXPECT_FALSE(register_fits(Type::f32, Type::u8, true));
  EXPECT_FALSE(register_fits(Type::u16, Type::u32, true)) << "never narrower";
}

TEST(RegisterFits, PackedHalves) {
  EXPECT_TRUE(register_fits(Type::b32, Type::f16x2, false));
  EXPECT_TRUE(register_fits(Type::u32, Type::f16x2, false));
  EXPECT_TRUE(register_fits(Type::f16x2, Type::f16x2, false));
  EXPECT_FALSE(register_fits(Type::f32, Type::f16x2, false));
  EXPECT_TRUE(register_fits(Type::b16, Type::f16, false));
  EXPECT_FALSE(register_fits(Type::u16, Type::f16, false));
}

}  // namespace
}  // namespace syncline::isa
