// Words, numbers and symbols of a .litmus file, each with its place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "consistency/vocabulary.h"

namespace syncline::consistency {

struct Token {
  enum class Kind : std::uint8_t { word, number, string, symbol, end };
  Kind kind = Kind::end;
  std::string text;
  Value value = 0;  ///< of a number
  base::SourceLocation where;

  bool is(std::string_view spelling) const { return (kind == Kind::word || kind == Kind::symbol) && text == spelling; }
  std::string shown() const;  ///< "`x`" or "the end of the file"
};

/// The tokens of a text, read one after the other. Behind a leading `PTX`, the rest of the line is one word. A string
/// ends at the first quote that a `{` follows: it is a test's description, which may hold quotes. Comments are `(* *)`
/// and from `//` to the end of the line.
class TokenStream {
 public:
  /// `file` stands in error messages. Throws UserError for what is no token.
  TokenStream(std::string_view text, const std::string& file);

  const Token& peek(std::size_t ahead = 0) const;
  Token next();
  bool accept(std::string_view spelling);
  /// Throws UserError "expected `spelling` PURPOSE, found ...".
  Token expect(std::string_view spelling, std::string_view purpose);
  Token expect_word(std::string_view what);
  Token expect_number(std::string_view what);
  [[noreturn]] static void fail(const Token& at, const std::string& message);

  /// The text between two tokens, blanks folded.
  std::string text_between(const Token& first, const Token& behind) const;

 private:
  void lex(const std::string& file);

  std::string text_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> offsets_;  ///< of each token in the text
  std::size_t at_ = 0;
};

}  // namespace syncline::consistency
