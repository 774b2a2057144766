#include <gmock/gmock.h>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using test::error_of;
using test::header;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<const Module> parse(const std::string& text) {
  return test::parse(header() + text);
}

TEST(Initialiser, Numbers) {
  const auto module = parse(
      ".global .u16 a[4] = {1, 0x203, -1};\n.const .f32 f = 0f3F800000;\n.global .f64 d = 2.0;\n"
      ".global .f32 zero = 0;\n.global .f16 h[2] = {1.0, 0.5};");
  EXPECT_THAT(module->find_variable("a")->init, ElementsAre(1, 0, 3, 2, 0xFF, 0xFF));
  EXPECT_EQ(module->find_variable("a")->bytes, 8u);
  EXPECT_THAT(module->find_variable("f")->init, ElementsAre(0, 0, 0x80, 0x3F));
  EXPECT_THAT(module->find_variable("d")->init, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0x40));
  EXPECT_THAT(module->find_variable("zero")->init, ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(module->find_variable("h")->init, ElementsAre(0, 0x3C, 0, 0x38));
}

TEST(Initialiser, NestedBracesFillRows) {
  const auto module = parse(
      ".global .u8 a[2][3] = {{1}, {4, 5}};\n.global .u8 flat[2][3] = {1, 2, 3, 4};\n"
      ".global .v2 .u8 v[2] = {{1, 2}, {3, 4}};");
  EXPECT_THAT(module->find_variable("a")->init, ElementsAre(1, 0, 0, 4, 5));
  EXPECT_THAT(module->find_variable("flat")->init, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(module->find_variable("v")->init, ElementsAre(1, 2, 3, 4));
}

TEST(Initialiser, SizeFromTheValues) {
  const auto module = parse(".const .u32 a[] = {1, 2, 3};\n.global .u16 b[][2] = {{1, 2}, {3, 4}};");
  EXPECT_EQ(module->find_variable("a")->bytes, 12u);
  EXPECT_FALSE(module->find_variable("a")->unsized);
  EXPECT_THAT(module->find_variable("b")->dims, ElementsAre(2, 2));
}

TEST(Initialiser, Addresses) {
  const auto module = parse(
      ".func f();\n.global .u32 x[8];\n"
      ".global .u64 p[5] = {x, x+8, generic(x), generic(x+4)+12, f};\n.global .u64 q = later;\n"
      ".global .u32 later;");
  const Variable& p = *module->find_variable("p");
  ASSERT_EQ(p.relocations.size(), 5u);
  EXPECT_EQ(p.relocations[0].offset, 0u);
  EXPECT_EQ(p.relocations[1].addend, 8);
  EXPECT_FALSE(p.relocations[1].generic);
  EXPECT_TRUE(p.relocations[2].generic);
  EXPECT_EQ(p.relocations[3].addend, 16);
  EXPECT_EQ(p.relocations[4].symbol.kind, SymbolKind::function);
  EXPECT_EQ(p.relocations[4].offset, 32u);
  EXPECT_EQ(p.init.size(), 40u);
  const Symbol forward = module->find_variable("q")->relocations[0].symbol;
  EXPECT_EQ(module->variables[forward.index].name, "later");
}

TEST(Initialiser, BytesOfAnAddress) {
  const auto module = parse(".global .u32 x;\n.global .u8 b[3] = {0xFF(x), 0xFF00(generic(x)), 0xFF0000(x+4)};");
  const Variable& b = *module->find_variable("b");
  ASSERT_EQ(b.relocations.size(), 3u);
  EXPECT_EQ(b.relocations[1].shift, 8);
  EXPECT_EQ(b.relocations[1].size, 1);
  EXPECT_TRUE(b.relocations[1].generic);
  EXPECT_EQ(b.relocations[2].addend, 4);
}

TEST(Initialiser, Mistakes) {
  EXPECT_THAT(error_of(header() + ".shared .u32 x = 1;"),
              HasSubstr("only .global and .const variables have initial values"));
  EXPECT_THAT(error_of(header() + ".extern .global .u32 x = 1;"), HasSubstr("`x` is .extern"));
  EXPECT_THAT(error_of(header() + ".global .u32 x[2] = {1, 2, 3};"),
              HasSubstr("more values than the 2 elements of `x`"));
  EXPECT_THAT(error_of(header() + ".global .u32 x[2] = 1;"), HasSubstr("expected `{` before the values of an array"));
  EXPECT_THAT(error_of(header() + ".global .u32 x[2] = {{{1}}};"), HasSubstr("more nested braces than dimensions"));
  EXPECT_THAT(error_of(header() + ".global .u32 x[2][2] = {1, {2}};"), HasSubstr("does not start a new row"));
  EXPECT_THAT(error_of(header() + ".global .u32 x = 1.5;"), HasSubstr("expected a value of type .u32"));
  EXPECT_THAT(error_of(header() + ".global .u64 x = y;"),
              HasSubstr("`y` in an initial value is not declared at module scope"));
  EXPECT_THAT(error_of(header() + ".global .u64 counter; .global .u64 x = countr;"),
              HasSubstr("did you mean `counter`?"));
  EXPECT_THAT(error_of(header() + ".global .u16 y; .global .u16 x = y;"),
              HasSubstr("an address does not fit in an element of type .u16"));
  EXPECT_THAT(error_of(header() + ".global .f64 x = x;"), HasSubstr("expected a floating-point value, found the name"));
  EXPECT_THAT(error_of(header() + ".global .u8 x[1] = {0xF0(x)};"), HasSubstr("expected a mask of one byte"));
  EXPECT_THAT(error_of(header() + ".global .u32 x = 0xFF(x);"), HasSubstr("needs a variable of 8-bit elements"));
  EXPECT_THAT(error_of(header() + ".global .u64 x = generic(5);"),
              HasSubstr("expected the name of a variable inside `generic()`"));
  EXPECT_THAT(error_of(header() + ".global .u64 x = x+1.5;"), HasSubstr("an offset is an integer constant"));
  EXPECT_THAT(error_of(header() + ".global .u32 x[2] = {1, "),
              HasSubstr("expected a constant, found the end of the file"));
  EXPECT_THAT(error_of(header() + ".global .u32 x[100000000] = {1};"), HasSubstr("too large to be initialised"));
}

}  // namespace
}  // namespace syncline::isa
