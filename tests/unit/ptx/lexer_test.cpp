#include "isa/ptx/lexer.h"

#include <gmock/gmock.h>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> texts(const std::string& text) {
  const std::string source = "lexer";
  Lexer lexer(text, source);
  std::vector<std::string> result;
  while (lexer.current().kind != TokenKind::end) result.emplace_back(lexer.take().text);
  return result;
}

TEST(Lexer, CutsInstructions) {
  EXPECT_THAT(texts("@!%p1 ld.global.L2::128B.v2.f32 {%f1,_}, [%rd1+-4];"),
              ElementsAre("@", "!", "%p1", "ld", ".global", ".L2::128B", ".v2", ".f32", "{", "%f1", ",", "_", "}", ",",
                          "[", "%rd1", "+", "-", "4", "]", ";"));
}

TEST(Lexer, TellsNumbersFromDotWords) {
  EXPECT_THAT(texts("tex.1d 1.5 .5 2e-3 0x1FU 7.8"), ElementsAre("tex", ".1d", "1.5", ".5", "2e-3", "0x1FU", "7.8"));
}

TEST(Lexer, TellsTheRemainderFromNames) {
  EXPECT_THAT(texts("10%3, %3 %r1, 0x1F%b 2 %4 (8)% 5"), ElementsAre("10", "%", "3", ",", "%3", "%r1", ",", "0x1F", "%",
                                                                     "b", "2", "%", "4", "(", "8", ")", "%", "5"));
}

TEST(Lexer, SkipsCommentsLineMarksAndDwarfLines) {
  EXPECT_THAT(texts("a // b\n/* c\n d */ e\n# 1 \"x.cu\"\n#line 4\n@@DWARF .byte 1\nf"), ElementsAre("a", "e", "f"));
}

TEST(Lexer, CountsLinesAndColumns) {
  const std::string source = "lexer";
  Lexer lexer("a\n  /* \n */ b", source);
  lexer.take();
  EXPECT_EQ(lexer.current().line, 3u);
  EXPECT_EQ(lexer.current().column, 5u);
}

TEST(Lexer, AcceptsTrailingNulBytesOnly) {
  const std::string good = test::kernel("") + std::string(3, '\0');
  EXPECT_NO_THROW(test::parse(good));
  EXPECT_THAT(test::error_of(test::kernel("") + std::string(1, '\0') + ".entry"), HasSubstr("`\\x00` cannot stand"));
}

TEST(Lexer, RefusesBinaryGarbage) {
  EXPECT_EQ(test::error_of("\x7f\x02"), "test.ptx:1:1: error: `\\x7f` cannot stand in PTX text");
  EXPECT_THAT(test::error_of(test::header() + "\xc3\xa9"), HasSubstr("test.ptx:4:1: error: `\\xc3` cannot stand"));
}

TEST(Lexer, TellsWhatHasNoEnd) {
  EXPECT_THAT(test::error_of(test::header() + "/* x"), HasSubstr("test.ptx:4:1: error: this comment has no end"));
  EXPECT_THAT(test::error_of(test::header() + ".file 1 \"x\n\""), HasSubstr("this string has no end"));
}

TEST(Lexer, WantsPreprocessedText) {
  EXPECT_THAT(test::error_of("#include <x>\n"), HasSubstr("has to be preprocessed first"));
}

}  // namespace
}  // namespace syncline::isa
