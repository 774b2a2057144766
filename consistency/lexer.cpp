#include "consistency/lexer.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace syncline::consistency {
namespace {

bool begins_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%';
}
bool continues_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

constexpr std::string_view symbols[] = {"/\\", "\\/", "==", "!=", "<=", ">=", "{", "}", "(", ")", "[", "]",
                                        ";",   "|",   ",",  ":",  "@",  "=",  "~", ".", "+", "<", ">", "&"};

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// The next place from `at` on that is neither blank nor in a comment.
std::size_t behind_blanks(std::string_view text, std::size_t at) {
  for (;;) {
    while (at < text.size() && is_blank(text[at])) ++at;
    if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.compare(at, 2, "(*") == 0) {
      const std::size_t end = text.find("*)", at);
      if (end == std::string_view::npos) return text.size();
      at = end + 2;
    } else {
      return at;
    }
  }
}

/// The quote that ends the description which the one at `open` begins: the first that the `{` of the initial values
/// follows. Quotes inside are part of the text.
std::size_t closing_quote(std::string_view text, std::size_t open) {
  std::size_t quote = open;
  do {
    quote = text.find('"', quote + 1);
  } while (quote != std::string_view::npos && text.substr(behind_blanks(text, quote + 1), 1) != "{");
  return quote;
}

/// Blanks folded to one, and two strings that follow each other made one.
std::string folded(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      const std::size_t next = behind_blanks(text, at + 1);
      if (next != at + 1 && text.substr(next, 1) == "\"") {
        if (!result.empty() && result.back() != ' ') result += ' ';
        at = next;
        continue;
      }
    }
    if (!is_blank(text[at])) {
      result += text[at];
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

}  // namespace

std::string Token::shown() const {
  return kind == Kind::end ? "the end of the file" : "`" + text + "`";
}

TokenStream::TokenStream(std::string_view text, const std::string& file) : text_(text) {
  lex(file);
}

void TokenStream::lex(const std::string& file) {
  std::size_t at = 0;
  base::SourceLocation here{file, 1, 1};
  const auto step = [&](std::size_t count) {
    for (; count != 0 && at < text_.size(); --count, ++at) {
      if (text_[at] == '\n') {
        ++here.line;
        here.column = 1;
      } else {
        ++here.column;
      }
    }
  };
  const auto starts = [&](std::string_view what) { return text_.compare(at, what.size(), what) == 0; };
  const auto add = [&](Token::Kind kind, std::size_t length, std::string shown) {
    Token token;
    token.kind = kind;
    token.text = std::move(shown);
    token.where = here;
    if (kind == Token::Kind::number) {
      const long long value = std::strtoll(token.text.c_str(), nullptr, 0);
      if (value < INT32_MIN || value > INT32_MAX)
        throw base::UserError(here, "`" + token.text + "` does not fit a word of 32 bits, which is " +
                                        std::to_string(INT32_MIN) + " to " + std::to_string(INT32_MAX) + " here");
      token.value = static_cast<Value>(value);
    }
    tokens_.push_back(std::move(token));
    offsets_.push_back(at);
    step(length);
  };

  while (at < text_.size()) {
    const char c = text_[at];
    if (tokens_.size() == 1 && (tokens_[0].text == "PTX" || tokens_[0].text == "ptx") &&
        here.line == tokens_[0].where.line && c != '\n' &&
        !is_blank(c)) {  // the name is the rest of the line, whatever it holds
      std::size_t end = std::min(text_.find('\n', at), text_.size());
      while (is_blank(text_[end - 1])) --end;
      add(Token::Kind::word, end - at, text_.substr(at, end - at));
      continue;
    }
    if (is_blank(c)) {
      step(1);
    } else if (starts("//")) {
      step(std::min(text_.find('\n', at), text_.size()) - at);
    } else if (starts("(*")) {
      const std::size_t end = text_.find("*)", at);
      if (end == std::string::npos) throw base::UserError(here, "the comment that begins here has no `*)`");
      step(end + 2 - at);
    } else if (c == '"') {
      const std::size_t end = closing_quote(text_, at);
      if (end == std::string::npos)
        throw base::UserError(here,
                              "the string that begins here has no closing `\"` before the `{` of the initial values");
      add(Token::Kind::string, end + 1 - at, folded(std::string_view(text_).substr(at + 1, end - at - 1)));
    } else if (is_digit(c) || (c == '-' && at + 1 < text_.size() && is_digit(text_[at + 1]))) {
      std::size_t end = at + 1;
      while (end < text_.size() && continues_word(text_[end])) ++end;
      const std::string digits = text_.substr(at, end - at);
      char* stopped = nullptr;
      std::strtoll(digits.c_str(), &stopped, 0);
      if (*stopped != '\0') throw base::UserError(here, "`" + digits + "` is no number");
      add(Token::Kind::number, end - at, digits);
    } else if (begins_word(c)) {
      std::size_t end = at + 1;
      while (end < text_.size() && continues_word(text_[end])) ++end;
      add(Token::Kind::word, end - at, text_.substr(at, end - at));
    } else {
      const auto* const symbol = std::find_if(std::begin(symbols), std::end(symbols), starts);
      if (symbol == std::end(symbols))
        throw base::UserError(here, "`" + std::string(1, c) + "` means nothing in a litmus test");
      add(Token::Kind::symbol, symbol->size(), std::string(*symbol));
    }
  }
  Token end;
  end.where = here;
  tokens_.push_back(end);
  offsets_.push_back(text_.size());
}

const Token& TokenStream::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token TokenStream::next() {
  Token token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool TokenStream::accept(std::string_view spelling) {
  if (!peek().is(spelling)) return false;
  next();
  return true;
}

void TokenStream::fail(const Token& at, const std::string& message) {
  throw base::UserError(at.where, message);
}

Token TokenStream::expect(std::string_view spelling, std::string_view purpose) {
  if (!peek().is(spelling))
    fail(peek(), "expected `" + std::string(spelling) + "` " + std::string(purpose) + ", found " + peek().shown());
  return next();
}

Token TokenStream::expect_word(std::string_view what) {
  if (peek().kind != Token::Kind::word) fail(peek(), "expected " + std::string(what) + ", found " + peek().shown());
  return next();
}

Token TokenStream::expect_number(std::string_view what) {
  if (peek().kind != Token::Kind::number) fail(peek(), "expected " + std::string(what) + ", found " + peek().shown());
  return next();
}

std::string TokenStream::text_between(const Token& first, const Token& behind) const {
  const auto offset = [&](const Token& token) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].where.line == token.where.line && tokens_[i].where.column == token.where.column)
        return offsets_[i];
    }
    return text_.size();
  };
  const std::size_t from = offset(first);
  return folded(std::string_view(text_).substr(from, offset(behind) - from));
}

}  // namespace syncline::consistency
