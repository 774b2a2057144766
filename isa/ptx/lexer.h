// Cuts PTX text into tokens. Comments, preprocessor line marks and the DWARF lines of old toolchains are skipped here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/ptx/errors.h"

namespace syncline::isa {

enum class TokenKind : std::uint8_t {
  end,     ///< end of the text
  word,    ///< identifier: opcode, register, symbol, label
  dot,     ///< ".word", also ".L2::128B" and ".1d"
  number,  ///< any literal, without sign
  string,  ///< "...", text without the quotes
  punct    ///< one of the operators and brackets; two characters for || && == != <= >= << >>
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  ///< part of the source text
  std::uint32_t line = 1, column = 1;
  TextPlace place() const { return {line, column}; }
  bool is(char c) const { return kind == TokenKind::punct && text.size() == 1 && text[0] == c; }
  bool is(std::string_view s) const { return (kind == TokenKind::punct || kind == TokenKind::dot) && text == s; }
  bool is_word(std::string_view s) const { return kind == TokenKind::word && text == s; }
};

/// One token of look-ahead. `warp_sz` is what WARP_SZ stands for in the text. The text must outlive the lexer and its
/// tokens. Throws base::UserError on bytes that are not PTX, and on a comment or string without end.
class Lexer {
 public:
  Lexer(std::string_view text, const std::string& source, unsigned warp_sz = 32);

  const Token& current() const { return current_; }
  Token take();                           ///< returns the current token and moves on
  bool accept(char c);                    ///< takes the token if it is this punctuation
  bool accept(std::string_view text);     ///< the same for ".directive" and longer operators
  void skip_statement();                  ///< behind the next `;`, or up to the `}` or the end before it
  Token expect(char c, const char* why);  ///< takes it or fails: "expected `;` after the operands, found `x`"

  const std::string& source() const { return source_; }
  unsigned warp_sz() const { return warp_sz_; }
  std::size_t size() const { return text_.size(); }  ///< of the text in bytes
  [[noreturn]] void fail(const Token& token, const std::string& message) const;
  [[noreturn]] void fail_found(const std::string& expected) const;  ///< "expected ..., found `current`"

 private:
  Token scan();
  void skip_blank();
  void skip_comment();
  void skip_line();
  void skip_hash_line();
  std::size_t scan_number(std::size_t pos) const;
  TextPlace here() const { return {line_, static_cast<std::uint32_t>(pos_ - line_start_ + 1)}; }

  std::string_view text_;
  const std::string& source_;
  unsigned warp_sz_;
  std::size_t pos_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  Token current_;
};

/// How a token is named in a message: `add`, or "the end of the file".
std::string describe(const Token& token);

}  // namespace syncline::isa
