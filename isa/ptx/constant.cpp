#include "isa/ptx/constant.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "isa/ptx/small_float.h"

namespace syncline::isa {
namespace {

constexpr unsigned deepest_expression = 200;

Constant integer(std::uint64_t bits, bool is_unsigned) {
  Constant c;
  c.bits = bits;
  c.is_unsigned = is_unsigned;
  return c;
}

Constant truth(bool value) {
  return integer(value ? 1 : 0, false);
}

Constant floating(double value) {
  Constant c;
  c.kind = ImmediateKind::f64;
  std::memcpy(&c.bits, &value, sizeof value);
  return c;
}

/// Precedence of C; 0 for what is no binary operator.
int precedence(const Token& token) {
  if (token.kind != TokenKind::punct) return 0;
  const std::string_view t = token.text;
  if (t == "||") return 1;
  if (t == "&&") return 2;
  if (t == "|") return 3;
  if (t == "^") return 4;
  if (t == "&") return 5;
  if (t == "==" || t == "!=") return 6;
  if (t == "<" || t == ">" || t == "<=" || t == ">=") return 7;
  if (t == "<<" || t == ">>") return 8;
  if (t == "+" || t == "-") return 9;
  if (t == "*" || t == "/" || t == "%") return 10;
  return 0;
}

class ExpressionReader {
 public:
  explicit ExpressionReader(Lexer& lexer, bool behind_minus = false) : lexer_(lexer), behind_minus_(behind_minus) {}

  Constant conditional() {
    const DepthGuard guard(*this);
    Constant condition = binary(1);
    if (!lexer_.accept('?')) return condition;
    const Constant yes = conditional();
    lexer_.expect(':', "between the two values of `? :`");
    const Constant no = conditional();
    return condition.is_true() ? yes : no;
  }

  Constant binary(int lowest) {
    const DepthGuard guard(*this);
    Constant left = unary();
    for (;;) {
      const int level = precedence(lexer_.current());
      if (level == 0 || level < lowest) return left;
      const Token op = lexer_.take();
      const Constant right = binary(level + 1);
      left = apply(op, left, right);
    }
  }

  Constant unary() {
    const DepthGuard guard(*this);
    const Token token = lexer_.current();
    if (behind_minus_) {
      behind_minus_ = false;
      return negate(unary());
    }
    if (lexer_.accept('+')) return unary();
    if (lexer_.accept('-')) return negate(unary());
    if (lexer_.accept('!')) return truth(!unary().is_true());
    if (lexer_.accept('~')) {
      Constant c = unary();
      if (c.kind != ImmediateKind::integer) lexer_.fail(token, "`~` needs an integer constant");
      c.bits = ~c.bits;
      return c;
    }
    if (lexer_.accept('(')) return parenthesised();
    if (token.kind == TokenKind::number) return read_literal(lexer_, lexer_.take());
    if (token.is_word("WARP_SZ")) {
      lexer_.take();
      return integer(lexer_.warp_sz(), false);
    }
    lexer_.fail_found("a constant");
  }

 private:
  struct DepthGuard {
    explicit DepthGuard(ExpressionReader& r) : reader(r) {
      if (++reader.depth_ > deepest_expression)
        reader.lexer_.fail(reader.lexer_.current(), "this constant expression is nested too deeply");
    }
    ~DepthGuard() { --reader.depth_; }
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;
    ExpressionReader& reader;
  };

  Constant parenthesised() {
    if (lexer_.current().is(".s64") || lexer_.current().is(".u64")) {
      const bool is_unsigned = lexer_.take().text == ".u64";
      lexer_.expect(')', "after the type of the cast");
      Constant c = unary();
      if (c.kind != ImmediateKind::integer) {
        const double v = c.as_double();
        const bool fits = is_unsigned ? v >= 0 && v < 0x1p64 : v >= -0x1p63 && v < 0x1p63;
        if (!fits) lexer_.fail(lexer_.current(), "the constant does not fit in the type of the cast");
        return is_unsigned ? integer(static_cast<std::uint64_t>(v), true)
                           : integer(static_cast<std::uint64_t>(static_cast<std::int64_t>(v)), false);
      }
      c.is_unsigned = is_unsigned;
      return c;
    }
    const Constant c = conditional();
    lexer_.expect(')', "after the constant expression");
    return c;
  }

  static Constant negate(Constant c) {
    switch (c.kind) {
      case ImmediateKind::integer:
        c.bits = 0 - c.bits;
        c.is_unsigned = false;
        break;
      case ImmediateKind::f32:
        c.bits ^= 0x8000'0000u;
        break;
      case ImmediateKind::f64:
        c.bits ^= 0x8000'0000'0000'0000u;
        break;
    }
    return c;
  }

  Constant apply(const Token& op, const Constant& a, const Constant& b) const {
    const std::string_view t = op.text;
    if (t == "||") return truth(a.is_true() || b.is_true());
    if (t == "&&") return truth(a.is_true() && b.is_true());
    if (a.kind != ImmediateKind::integer || b.kind != ImmediateKind::integer) return apply_float(op, a, b);
    return apply_integer(op, a, b);
  }

  Constant apply_float(const Token& op, const Constant& a, const Constant& b) const {
    const double x = a.as_double(), y = b.as_double();
    const std::string_view t = op.text;
    if (t == "+") return floating(x + y);
    if (t == "-") return floating(x - y);
    if (t == "*") return floating(x * y);
    if (t == "/") return floating(x / y);
    if (t == "==") return truth(x == y);
    if (t == "!=") return truth(x != y);
    if (t == "<") return truth(x < y);
    if (t == ">") return truth(x > y);
    if (t == "<=") return truth(x <= y);
    if (t == ">=") return truth(x >= y);
    lexer_.fail(op, fmt::format("`{}` needs integer constants", t));
  }

  Constant apply_integer(const Token& op, const Constant& a, const Constant& b) const {
    const std::string_view t = op.text;
    const bool u = a.is_unsigned || b.is_unsigned;
    const auto x = static_cast<std::int64_t>(a.bits), y = static_cast<std::int64_t>(b.bits);
    if (t == "+") return integer(a.bits + b.bits, u);
    if (t == "-") return integer(a.bits - b.bits, u);
    if (t == "*") return integer(a.bits * b.bits, u);
    if (t == "/" || t == "%") {
      if (b.bits == 0) lexer_.fail(op, "division by zero in a constant expression");
      if (u) return integer(t == "/" ? a.bits / b.bits : a.bits % b.bits, true);
      if (y == -1) return integer(t == "/" ? 0 - a.bits : 0, false);  // the one quotient that may not fit
      return integer(static_cast<std::uint64_t>(t == "/" ? x / y : x % y), false);
    }
    if (t == "&") return integer(a.bits & b.bits, u);
    if (t == "|") return integer(a.bits | b.bits, u);
    if (t == "^") return integer(a.bits ^ b.bits, u);
    if (t == "<<") return integer(b.bits > 63 ? 0 : a.bits << b.bits, a.is_unsigned);
    if (t == ">>") return shift_right(a, b.bits);
    if (t == "==") return truth(a.bits == b.bits);
    if (t == "!=") return truth(a.bits != b.bits);
    const bool less = u ? a.bits < b.bits : x < y;
    if (t == "<") return truth(less);
    if (t == ">=") return truth(!less);
    const bool greater = u ? a.bits > b.bits : x > y;
    return truth(t == ">" ? greater : !greater);
  }

  static Constant shift_right(const Constant& a, std::uint64_t count) {
    const bool ones = a.is_negative();
    if (count > 63) return integer(ones ? ~std::uint64_t{0} : 0, a.is_unsigned);
    std::uint64_t bits = a.bits >> count;
    if (ones && count > 0) bits |= ~std::uint64_t{0} << (64 - count);
    return integer(bits, a.is_unsigned);
  }

  Lexer& lexer_;
  bool behind_minus_;  ///< the caller took the sign in front
  unsigned depth_ = 0;
};

constexpr int above_comparison = 8;  // shifts and arithmetic only: `|`, `?` and `<` belong to what stands around
constexpr int above_sum = 10;        // the caller reads the signs: a-4+2 is (a-4)+2

}  // namespace

bool starts_constant(const Token& token) {
  return token.kind == TokenKind::number || token.is('-') || token.is('+') || token.is('(') || token.is('~') ||
         token.is('!') || token.is_word("WARP_SZ");
}

Constant read_constant(Lexer& lexer) {
  return ExpressionReader(lexer).conditional();
}

Constant read_constant_behind_minus(Lexer& lexer) {
  return ExpressionReader(lexer, true).conditional();
}

Constant read_offset_term(Lexer& lexer) {
  return ExpressionReader(lexer).binary(above_sum);
}

std::int64_t read_integer(Lexer& lexer, const char* what) {
  const Token start = lexer.current();
  if (!starts_constant(start)) lexer.fail_found(fmt::format("{}, an integer constant", what));
  const Constant c = ExpressionReader(lexer).binary(above_comparison);
  if (c.kind != ImmediateKind::integer)
    lexer.fail(start, fmt::format("expected {}, an integer constant, found a floating-point constant", what));
  return static_cast<std::int64_t>(c.bits);
}

bool constant_bits(const Constant& constant, Type type, std::uint64_t& bits) {
  if (type == Type::pred) {
    bits = constant.bits != 0 ? 1 : 0;
    return constant.kind == ImmediateKind::integer;
  }
  const unsigned width = type_bytes(type) * 8;
  if (constant.kind == ImmediateKind::integer) {
    const bool fits = !is_float(type);
    bits = width >= 64 ? constant.bits : constant.bits & ((std::uint64_t{1} << width) - 1);
    return fits;
  }
  const bool untyped = type == Type::b16 || type == Type::b32 || type == Type::b64;
  if (!untyped && !is_float(type)) return false;
  switch (width) {
    case 16:
      bits = type == Type::bf16 ? bf16_bits(constant.as_double()) : f16_bits(constant.as_double());
      return true;
    case 32: {
      if (constant.kind == ImmediateKind::f32) {
        bits = constant.bits;
        return true;
      }
      const auto single = static_cast<float>(constant.as_double());
      std::uint32_t raw = 0;
      std::memcpy(&raw, &single, sizeof raw);
      bits = raw;
      return type != Type::f16x2 && type != Type::bf16x2;
    }
    case 64: {
      if (constant.kind == ImmediateKind::f64) {
        bits = constant.bits;
        return true;
      }
      const double value = constant.as_double();
      std::memcpy(&bits, &value, sizeof bits);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace syncline::isa
