#include "isa/ptx/location.h"

#include <fmt/format.h>

#include "isa/ptx/constant.h"
#include "isa/ptx/declarations.h"

namespace syncline::isa {
namespace {

constexpr std::int64_t most_files = 1 << 20;

std::uint32_t read_number(Lexer& lexer, const char* what) {
  const Token place = lexer.current();
  const std::int64_t value = read_integer(lexer, what);
  if (value < 0 || value > 0xFFFF'FFFFll) lexer.fail(place, fmt::format("{} is out of range: {}", what, value));
  return static_cast<std::uint32_t>(value);
}

SourceLine read_position(Lexer& lexer) {
  SourceLine source;
  source.file = read_number(lexer, "the file number");
  source.line = read_number(lexer, "the line");
  source.column = read_number(lexer, "the column");
  return source;
}

}  // namespace

SourceLine read_location(Lexer& lexer) {
  lexer.take();
  const SourceLine source = read_position(lexer);
  while (lexer.accept(',')) {
    const Token word = lexer.current();
    if (word.is_word("function_name")) {
      lexer.take();
      if (lexer.current().kind != TokenKind::word) lexer.fail_found("a label behind `function_name`");
      lexer.take();
      if (lexer.accept('+')) read_offset_term(lexer);
    } else if (word.is_word("inlined_at")) {
      lexer.take();
      read_position(lexer);
    } else {
      lexer.fail_found("`function_name` or `inlined_at`");
    }
  }
  lexer.accept(';');
  return source;
}

void read_file_entry(Lexer& lexer, Module& module) {
  const Token directive = lexer.take();
  const std::int64_t number = read_integer(lexer, "the file number");
  if (number < 0 || number > most_files) lexer.fail(directive, fmt::format("file number {} is out of range", number));
  if (lexer.current().kind != TokenKind::string) lexer.fail_found("the name of the file in quotes");
  const Token name = lexer.take();
  while (lexer.accept(',')) read_integer(lexer, "the time or size of the file");
  lexer.accept(';');
  const auto index = static_cast<std::size_t>(number);
  if (module.files.size() <= index) module.files.resize(index + 1);
  module.files[index] = std::string(name.text);
}

void skip_section(Lexer& lexer) {
  lexer.take();
  if (lexer.current().kind == TokenKind::dot || lexer.current().kind == TokenKind::word ||
      lexer.current().kind == TokenKind::string)
    lexer.take();
  else
    lexer.fail_found("the name of the section");
  if (!lexer.current().is('{')) lexer.fail_found("`{` before the contents of the section");
  skip_balanced(lexer, '{', '}');
}

void read_pragma(Lexer& lexer, std::vector<Pragma>& pragmas) {
  lexer.take();
  do {
    if (lexer.current().kind != TokenKind::string) lexer.fail_found("the text of the pragma in quotes");
    const Token token = lexer.take();
    pragmas.push_back({std::string(token.text), token.line, token.column});
  } while (lexer.accept(','));
  lexer.expect(';', "after the pragma");
}

}  // namespace syncline::isa
