// Modules that are large, deep or repetitive on purpose: they are read in a time that grows with their text, or refused
// with a place. What is quadratic here takes minutes.
#include <gmock/gmock.h>

#include <functional>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using test::error_of;
using test::header;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr unsigned many = 50000;

std::string repeated(unsigned count, const std::function<std::string(const std::string&)>& of) {
  std::string text;
  for (unsigned n = 0; n < count; ++n) text += of(std::to_string(n));
  return text;
}

std::string entry(const std::string& body) {
  return header() + ".visible .entry k() {\n" + body + "\nret;\n}\n";
}

TEST(HugeModule, ManyRangesAndNames) {
  const auto module = test::parse(
      entry(repeated(many, [](const std::string& n) { return ".reg .b32 x" + n + ", r" + n + "_<2>;\n"; }) +
            repeated(many, [](const std::string& n) { return "add.u32 x" + n + ", r" + n + "_1, r" + n + "_0;\n"; })));
  EXPECT_EQ(module->functions[0].registers.size(), 3 * many);
}

TEST(HugeModule, ManyLabelsThroughDeepScopes) {
  constexpr unsigned depth = 250;
  const auto module = test::parse(
      entry(std::string(depth, '{') + repeated(many, [](const std::string& n) { return "bra L" + n + ";\n"; }) +
            std::string(depth, '}') + repeated(many, [](const std::string& n) { return "L" + n + ":\n"; })));
  EXPECT_EQ(module->functions[0].instructions[many - 1].operands[0].index, many - 1);
}

TEST(HugeModule, TheFirstOfManyLabelsThatAreMissingIsTold) {
  EXPECT_THAT(error_of(entry(repeated(many, [](const std::string& n) { return "bra M" + n + ";\n"; }))),
              HasSubstr("test.ptx:5:5: error: there is no label `M0`"));
  EXPECT_THAT(error_of(entry("{ t: .branchtargets a, b; a: b: {\nbra a;\nbra t;\nbra t; } bra t; }")),
              HasSubstr("test.ptx:7:5: error: expected a label, but `t` is a `.branchtargets` table"));
}

TEST(HugeModule, ManyParametersFunctionsAndAliases) {
  test::parse(header() + ".func f(.param .u8 p" +
              repeated(many, [](const std::string& n) { return ", .param .u8 p_" + n; }) + ") { ret; }\n" +
              ".func target() { ret; }\n" +
              repeated(many, [](const std::string& n) { return ".func a" + n + "(); .alias a" + n + ", target;\n"; }) +
              ".entry k() {\n" + repeated(many, [](const std::string& n) { return "call a" + n + ";\n"; }) + "ret; }");
}

TEST(HugeModule, NestedBracketsHaveAnEnd) {
  for (const char* open : {"{", "[", "(", "-", "!", "~", "+", "<", "?"}) {
    std::string brackets;
    for (unsigned n = 0; n < 200000; ++n) brackets += open;
    for (const std::string& before :
         {std::string(), std::string(".global .u32 x[4] = "), std::string(".global .u32 x"), std::string(".section x "),
          std::string(".func .attribute"), std::string(".func f"), std::string(".alias ")})
      error_of(header() + before + brackets);
    for (const char* before : {"", "mov.b32 r, ", "mov.b32 r, {", "ld.global.b32 r, [", "ld.global.b32 r, [r+", "call ",
                               "call (", "call f, (", "@", "bra ", "t: .branchtargets ", "t: .callprototype ",
                               ".reg .b32 x<", ".local .b32 x[", "wmma.x ", ".loc ", ".pragma "})
      error_of(entry(std::string(".reg .b32 r; ") + before + brackets));
  }
}

TEST(HugeModule, EndlessWordsAndNumbers) {
  const std::string endless(std::size_t{1} << 22, 'a');
  EXPECT_THAT(error_of(header() + ".global .u32 " + endless + "b;\n.entry k() { mov.u32 " + endless + "; }"),
              AllOf(HasSubstr("aaa...` is not declared"), HasSubstr("test.ptx:5:22: error:")));
  EXPECT_THAT(error_of(entry(endless + ";")), HasSubstr("unknown opcode `aaaa"));
  std::string words, numbers;
  for (unsigned n = 0; n < 100000; ++n) words += ".s32";
  EXPECT_THAT(error_of(entry("add" + words + " r;")), HasSubstr("more than 32 modifiers"));
  EXPECT_THAT(error_of(entry(repeated(many, [](const std::string& n) { return "add.x" + n + " r;\n"; }))),
              HasSubstr("... and 1000 more; the rest was not read"));
}

TEST(HugeModule, RegistersAndInitialValuesAreBounded) {
  const std::string functions =
      repeated(40, [](const std::string& n) { return ".func f" + n + "() { .reg .b32 %r<1000000>; ret; }\n"; });
  EXPECT_THAT(error_of(header() + functions), HasSubstr("test.ptx:8:24: error: more than 4194"));
  EXPECT_THAT(error_of(header() + repeated(20,
                                           [](const std::string& n) {
                                             return ".global .u8 x" + n + "[2][20000000] = {{1}, {1}};\n";
                                           })),
              HasSubstr("the initial values of this module take more than 268435456 bytes"));
}

TEST(HugeModule, BranchTablesAreBounded) {
  const std::string labels = repeated(2000, [](const std::string& n) { return "L" + n + ":\n"; });
  const std::string table =
      "t: .branchtargets L0" + repeated(1999, [](const std::string& n) { return ", L" + n; }) + ";\n";
  const auto branches = [&](unsigned count) {
    return entry(".reg .u32 r;\n" + table + repeated(count, [](const std::string&) { return "brx.idx r, t;\n"; }) +
                 labels);
  };
  EXPECT_NO_THROW(test::parse(branches(500)));
  EXPECT_THAT(error_of(branches(600)), HasSubstr("the `brx.idx` instructions of one function have more than 1048576 "
                                                 "targets in their tables"));
}

}  // namespace
}  // namespace syncline::isa
