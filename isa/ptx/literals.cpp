#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "isa/ptx/constant.h"

namespace syncline::isa {
namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

/// False when a character is no digit of the base or the value needs more than 64 bits.
bool read_digits(std::string_view digits, unsigned base, std::uint64_t& value, bool& overflow) {
  value = 0;
  overflow = false;
  for (const char c : digits) {
    const int d = digit_value(c);
    if (d >= static_cast<int>(base)) return false;
    const std::uint64_t next = value * base + static_cast<unsigned>(d);
    overflow = overflow || next / base != value;
    value = next;
  }
  return !digits.empty();
}

Constant hex_float(const Lexer& lexer, const Token& token, bool single) {
  const std::size_t wanted = single ? 8 : 16;
  Constant constant;
  constant.kind = single ? ImmediateKind::f32 : ImmediateKind::f64;
  bool overflow = false;
  if (token.text.size() != wanted + 2 || !read_digits(token.text.substr(2), 16, constant.bits, overflow))
    lexer.fail(token, fmt::format("expected {} hexadecimal digits after `{}`, found {}", wanted,
                                  token.text.substr(0, 2), quoted(token.text)));
  return constant;
}

Constant decimal_float(const Lexer& lexer, const Token& token) {
  const std::string text(token.text);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size())
    lexer.fail(token, fmt::format("{} is not a floating-point constant", quoted(token.text)));
  Constant constant;
  constant.kind = ImmediateKind::f64;
  std::memcpy(&constant.bits, &value, sizeof value);
  return constant;
}

}  // namespace

double Constant::as_double() const {
  switch (kind) {
    case ImmediateKind::f32: {
      float value = 0;
      const auto raw = static_cast<std::uint32_t>(bits);
      std::memcpy(&value, &raw, sizeof value);
      return value;
    }
    case ImmediateKind::f64: {
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
    case ImmediateKind::integer:
      break;
  }
  return is_unsigned ? static_cast<double>(bits) : static_cast<double>(static_cast<std::int64_t>(bits));
}

Constant read_literal(const Lexer& lexer, const Token& token) {
  std::string_view text = token.text;
  const char second = text.size() > 1 ? text[1] : ' ';
  const bool zero = text[0] == '0';
  if (zero && (second == 'f' || second == 'F')) return hex_float(lexer, token, true);
  if (zero && (second == 'd' || second == 'D')) return hex_float(lexer, token, false);
  const bool hex = zero && (second == 'x' || second == 'X');
  if (!hex && text.find_first_of(".eE") != std::string_view::npos) return decimal_float(lexer, token);

  Constant constant;
  if (text.back() == 'U' || text.back() == 'u') {
    constant.is_unsigned = true;
    text.remove_suffix(1);
  }
  unsigned base = 10;
  if (hex) {
    base = 16;
    text.remove_prefix(2);
  } else if (zero && (second == 'b' || second == 'B')) {
    base = 2;
    text.remove_prefix(2);
  } else if (zero && text.size() > 1) {
    base = 8;
    text.remove_prefix(1);
  }
  bool overflow = false;
  if (!read_digits(text, base, constant.bits, overflow))
    lexer.fail(token, fmt::format("{} is not a constant: expected digits of base {}", quoted(token.text), base));
  if (overflow) lexer.fail(token, fmt::format("{} does not fit in 64 bits", quoted(token.text)));
  // A literal is .s64 unless its value needs the 64th bit.
  constant.is_unsigned = constant.is_unsigned || (constant.bits >> 63) != 0;
  return constant;
}

}  // namespace syncline::isa
