#include "isa/ptx/lexer.h"

#include <fmt/format.h>

#include <array>

namespace syncline::isa {
namespace {

enum CharClass : std::uint8_t { other = 0, blank = 1, letter = 2, digit = 4, punctuation = 8 };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (unsigned c = 'a'; c <= 'z'; ++c) classes[c] = letter;
  for (unsigned c = 'A'; c <= 'Z'; ++c) classes[c] = letter;
  for (unsigned c = '0'; c <= '9'; ++c) classes[c] = digit;
  for (const char c : {'_', '$', '%'}) classes[static_cast<unsigned char>(c)] = letter;
  for (const char c : {' ', '\t', '\r', '\n', '\f', '\v'}) classes[static_cast<unsigned char>(c)] = blank;
  for (const char c : std::string_view("{}[](),;:|&!<>=+-*/~^?@")) classes[static_cast<unsigned char>(c)] = punctuation;
  return classes;
}

constexpr auto classes = make_classes();

bool is_class(char c, unsigned mask) {
  return (classes[static_cast<unsigned char>(c)] & mask) != 0;
}

bool is_double(char a, char b) {
  switch (a) {
    case '|':
      return b == '|';
    case '&':
      return b == '&';
    case '=':
      return b == '=';
    case '!':
      return b == '=';
    case '<':
      return b == '=' || b == '<';
    case '>':
      return b == '=' || b == '>';
    default:
      return false;
  }
}

}  // namespace

std::string describe(const Token& token) {
  if (token.kind == TokenKind::end) return "the end of the file";
  if (token.kind == TokenKind::string) return fmt::format("the string {}", quoted(token.text));
  return quoted(token.text);
}

Lexer::Lexer(std::string_view text, const std::string& source, unsigned warp_sz)
    : text_(text), source_(source), warp_sz_(warp_sz) {
  // Text taken out of a fat binary ends in NUL bytes, and tools add the end of a line to them.
  std::size_t end = text_.size();
  while (end > 0 && (text_[end - 1] == '\0' || is_class(text_[end - 1], blank))) --end;
  text_ = text_.substr(0, text_.find('\0', end));
  current_ = scan();
}

void Lexer::fail(const Token& token, const std::string& message) const {
  fail_at(source_, token.place(), message);
}

void Lexer::fail_found(const std::string& expected) const {
  fail(current_, fmt::format("expected {}, found {}", expected, describe(current_)));
}

Token Lexer::take() {
  Token taken = current_;
  current_ = scan();
  return taken;
}

bool Lexer::accept(char c) {
  if (!current_.is(c)) return false;
  current_ = scan();
  return true;
}

bool Lexer::accept(std::string_view text) {
  if (!current_.is(text)) return false;
  current_ = scan();
  return true;
}

Token Lexer::expect(char c, const char* why) {
  if (!current_.is(c)) fail_found(fmt::format("`{}` {}", c, why));
  return take();
}

void Lexer::skip_statement() {
  for (unsigned open = 0; current_.kind != TokenKind::end; take()) {
    if (current_.is('{')) ++open;
    if (current_.is('}') && open-- == 0) return;
    if (accept(';')) return;
  }
}

void Lexer::skip_line() {
  while (pos_ < text_.size() && text_[pos_] != '\n') ++pos_;
}

void Lexer::skip_comment() {
  const TextPlace start = here();
  for (pos_ += 2; pos_ + 1 < text_.size(); ++pos_) {
    if (text_[pos_] == '*' && text_[pos_ + 1] == '/') {
      pos_ += 2;
      return;
    }
    if (text_[pos_] == '\n') {
      ++line_;
      line_start_ = pos_ + 1;
    }
  }
  fail_at(source_, start, "this comment has no end: expected `*/` before the end of the file");
}

void Lexer::skip_hash_line() {
  const TextPlace start = here();
  std::size_t word = pos_ + 1;
  while (word < text_.size() && (text_[word] == ' ' || text_[word] == '\t')) ++word;
  const std::string_view rest = text_.substr(word);
  const bool line_mark =
      !rest.empty() && (is_class(rest[0], digit) || rest.substr(0, 4) == "line" || rest.substr(0, 4) == "file");
  if (!line_mark)
    fail_at(source_, start,
            "the text has to be preprocessed first: only line marks (`# 12 \"file\"`, `#line`) may start "
            "with `#`");
  skip_line();
}

void Lexer::skip_blank() {
  while (pos_ < text_.size()) {
    const char c = text_[pos_];
    if (c == '\n') {
      ++line_;
      line_start_ = ++pos_;
    } else if (is_class(c, blank)) {
      ++pos_;
    } else if (c == '/' && pos_ + 1 < text_.size() && text_[pos_ + 1] == '/') {
      skip_line();
    } else if (c == '/' && pos_ + 1 < text_.size() && text_[pos_ + 1] == '*') {
      skip_comment();
    } else if (c == '#') {
      skip_hash_line();
    } else if (c == '@' && text_.substr(pos_, 7) == "@@DWARF") {
      skip_line();
    } else {
      return;
    }
  }
}

std::size_t Lexer::scan_number(std::size_t pos) const {
  const auto more = [&](std::size_t at, unsigned mask) {
    return at < text_.size() && is_class(text_[at], mask) && text_[at] != '%';
  };
  const std::size_t start = pos;
  while (more(pos, digit)) ++pos;
  const bool plain = pos == start || !more(pos, letter) || text_[pos] == 'e' || text_[pos] == 'E';
  if (!plain) {  // 0x 0b 0f 0d prefixes, U suffix, and whatever does not belong there: told by the literal reader
    while (more(pos, letter | digit)) ++pos;
    return pos;
  }
  if (pos < text_.size() && text_[pos] == '.' && (more(pos + 1, digit) || !more(pos + 1, letter))) {
    ++pos;
    while (more(pos, digit)) ++pos;
  }
  if (pos < text_.size() && (text_[pos] == 'e' || text_[pos] == 'E')) {
    std::size_t exponent = pos + 1;
    if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
    if (more(exponent, digit)) {
      pos = exponent;
      while (more(pos, digit)) ++pos;
    }
  }
  while (more(pos, letter | digit)) ++pos;
  return pos;
}

Token Lexer::scan() {
  skip_blank();
  Token token;
  token.line = line_;
  token.column = here().column;
  if (pos_ >= text_.size()) return token;
  const std::size_t start = pos_;
  const char c = text_[pos_];
  const char next = pos_ + 1 < text_.size() ? text_[pos_ + 1] : ' ';
  const bool glued = start > 0 && is_class(text_[start - 1], letter | digit);
  // Behind a number `%` is the operator of constant expressions, whatever follows; else it begins most names.
  if (c == '%' && (current_.kind == TokenKind::number || !is_class(next, letter | digit))) {
    ++pos_;
    token.kind = TokenKind::punct;
  } else if (is_class(c, letter)) {
    do ++pos_;
    while (pos_ < text_.size() && is_class(text_[pos_], letter | digit));
    token.kind = TokenKind::word;
  } else if (is_class(c, digit) || (c == '.' && is_class(next, digit) && !glued)) {
    pos_ = scan_number(pos_);
    token.kind = TokenKind::number;
  } else if (c == '.' && is_class(next, letter | digit)) {
    ++pos_;
    for (;;) {
      while (pos_ < text_.size() && is_class(text_[pos_], letter | digit)) ++pos_;
      if (text_.substr(pos_, 2) != "::" || pos_ + 2 >= text_.size() || !is_class(text_[pos_ + 2], letter | digit))
        break;
      pos_ += 2;
    }
    token.kind = TokenKind::dot;
  } else if (c == '"') {
    const std::size_t close = text_.find_first_of("\"\n", start + 1);
    if (close == std::string_view::npos || text_[close] == '\n')
      fail_at(source_, token.place(), "this string has no end: expected `\"` before the end of the line");
    token.kind = TokenKind::string;
    token.text = text_.substr(start + 1, close - start - 1);
    pos_ = close + 1;
    return token;
  } else if (is_class(c, punctuation)) {
    pos_ += is_double(c, next) ? 2 : 1;
    token.kind = TokenKind::punct;
  } else {
    fail_at(source_, token.place(), fmt::format("{} cannot stand in PTX text", quoted(text_.substr(start, 1))));
  }
  token.text = text_.substr(start, pos_ - start);
  return token;
}

}  // namespace syncline::isa
