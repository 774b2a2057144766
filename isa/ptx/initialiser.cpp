// Initial values of variables (PTX ISA, "Initializers"): numbers, addresses of variables and functions, mask().
#include <fmt/format.h>

#include <cstring>

#include "isa/ptx/constant.h"
#include "isa/ptx/declarations.h"

namespace syncline::isa {
namespace {

constexpr std::uint64_t largest_initialised = std::uint64_t{64} << 20;

class InitialiserReader {
 public:
  InitialiserReader(Lexer& lexer, Variable& variable, std::vector<PendingRelocation>& pending)
      : lexer_(lexer), v_(variable), pending_(pending), element_(type_bytes(variable.type)) {
    // The vector of `.v4 .f32` is one more, innermost, dimension.
    shape_ = v_.dims;
    if (v_.vector > 1) shape_.push_back(v_.vector);
  }

  void read() {
    if (v_.unsized) return read_unsized();
    if (v_.bytes > largest_initialised)
      lexer_.fail(lexer_.current(), fmt::format("`{}` is too large to be initialised: {} bytes", v_.name, v_.bytes));
    level(0, 0, v_.bytes / element_);
  }

 private:
  void read_unsized() {
    std::uint64_t row = 1;
    for (std::size_t i = 1; i < shape_.size(); ++i) row *= shape_[i];
    const Token open = lexer_.expect('{', "before the values of an array without size");
    std::uint64_t count = 0;
    while (!lexer_.current().is('}')) {
      if ((count + 1) * row * element_ > largest_initialised)
        lexer_.fail(open, fmt::format("`{}` is too large to be initialised", v_.name));
      level(1, count * row, row);
      ++count;
      if (!lexer_.accept(',')) break;
    }
    lexer_.expect('}', "after the last value");
    v_.unsized = false;
    v_.dims[0] = count;
    v_.bytes = count * row * element_;
  }

  /// Values of one dimension: `count` elements from element `first` on.
  void level(std::size_t depth, std::uint64_t first, std::uint64_t count) {
    if (!lexer_.current().is('{')) {
      if (depth < shape_.size() && depth == 0) lexer_.fail_found("`{` before the values of an array");
      scalar(first);
      return;
    }
    const Token open = lexer_.take();
    if (depth >= shape_.size() && count <= 1 && depth > 0)
      lexer_.fail(open, fmt::format("more nested braces than dimensions in the initialiser of `{}`", v_.name));
    const std::uint64_t rows = depth < shape_.size() ? shape_[depth] : 1;
    const std::uint64_t row = rows == 0 ? 0 : count / rows;
    // Inner braces may be left out: then the values fill the whole rest in order.
    std::uint64_t at = first;
    while (!lexer_.current().is('}')) {
      if (at >= first + count)
        lexer_.fail_found(fmt::format("`}}`: more values than the {} elements of `{}`", count, v_.name));
      if (lexer_.current().is('{')) {
        if (row == 0 || (at - first) % row != 0) lexer_.fail_found("a value: this `{` does not start a new row");
        level(depth + 1, at, row);
        at += row;
      } else {
        scalar(at++);
      }
      if (!lexer_.accept(',')) break;
    }
    lexer_.expect('}', "after the last value");
  }

  void scalar(std::uint64_t index) {
    const std::uint64_t offset = index * element_;
    const Token start = lexer_.current();
    if (start.kind == TokenKind::word && start.text != "WARP_SZ") return address(offset, 0, element_, false);
    const Constant constant = read_constant(lexer_);
    if (lexer_.current().is('(')) return masked(start, constant, offset);
    std::uint64_t bits = 0;
    if (!constant_bits(constant, v_.type, bits) && !integer_for_float(constant, bits))
      lexer_.fail(start, fmt::format("expected a value of type .{}, found {}", name(v_.type), describe(start)));
    store(offset, bits, element_);
  }

  /// Old compilers write 0 where a float is meant.
  bool integer_for_float(const Constant& constant, std::uint64_t& bits) const {
    if (constant.kind != ImmediateKind::integer || !is_float(v_.type)) return false;
    Constant value;
    value.kind = ImmediateKind::f64;
    const double number = constant.as_double();
    static_assert(sizeof number == sizeof value.bits);
    std::memcpy(&value.bits, &number, sizeof number);
    return constant_bits(value, v_.type, bits);
  }

  /// 0xFF00(symbol): one byte of an address.
  void masked(const Token& start, const Constant& mask, std::uint64_t offset) {
    unsigned shift = 0;
    while (shift < 64 && mask.bits != std::uint64_t{0xFF} << shift) shift += 8;
    if (shift == 64 || mask.kind != ImmediateKind::integer)
      lexer_.fail(start, fmt::format("expected a mask of one byte, as in 0xFF00(symbol), found {}", describe(start)));
    if (element_ != 1) lexer_.fail(start, "a mask of one byte needs a variable of 8-bit elements");
    lexer_.expect('(', "after the mask");
    address(offset, shift, 1, true);
    lexer_.expect(')', "after the masked symbol");
  }

  /// symbol, symbol+4, generic(symbol), generic(symbol+4)+8
  void address(std::uint64_t offset, unsigned shift, unsigned size, bool masked_byte) {
    Relocation relocation;
    relocation.offset = offset;
    relocation.size = static_cast<std::uint8_t>(size);
    relocation.shift = static_cast<std::uint8_t>(shift);
    Token symbol = lexer_.take();
    if (size < 4 && !masked_byte)
      lexer_.fail(symbol, fmt::format("an address does not fit in an element of type .{}", name(v_.type)));
    if (is_float(v_.type)) lexer_.fail(symbol, "expected a floating-point value, found the name of a symbol");
    if (symbol.is_word("generic") && lexer_.current().is('(')) {
      lexer_.take();
      relocation.generic = true;
      if (lexer_.current().kind != TokenKind::word) lexer_.fail_found("the name of a variable inside `generic()`");
      symbol = lexer_.take();
      relocation.addend += addend();
      lexer_.expect(')', "after the symbol of `generic()`");
    }
    if (symbol.kind != TokenKind::word) lexer_.fail(symbol, "expected the name of a variable or function");
    relocation.addend += addend();
    pending_.push_back({no_index, no_index, v_.relocations.size(), symbol});
    v_.relocations.push_back(relocation);
    store(offset, 0, size);
  }

  std::int64_t addend() {
    std::uint64_t sum = 0;
    while (lexer_.current().is('+') || lexer_.current().is('-')) {
      const Token sign = lexer_.take();
      const Constant term = read_offset_term(lexer_);
      if (term.kind != ImmediateKind::integer) lexer_.fail(sign, "an offset is an integer constant");
      sum = sign.is('-') ? sum - term.bits : sum + term.bits;
    }
    return static_cast<std::int64_t>(sum);
  }

  void store(std::uint64_t offset, std::uint64_t bits, unsigned size) {
    if (v_.init.size() < offset + size) v_.init.resize(offset + size, 0);
    for (unsigned i = 0; i < size; ++i)
      v_.init[offset + i] = i < 8 ? static_cast<std::uint8_t>(bits >> (8 * i)) : std::uint8_t{0};
  }

  Lexer& lexer_;
  Variable& v_;
  std::vector<PendingRelocation>& pending_;
  unsigned element_;
  std::vector<std::uint64_t> shape_;
};

}  // namespace

void read_initialiser(Lexer& lexer, Variable& variable, std::vector<PendingRelocation>& pending) {
  const Token equals = lexer.current();
  if (!lexer.accept('=')) return;
  if (variable.space != Space::global && variable.space != Space::const_)
    lexer.fail(equals, fmt::format("`{}` is in .{} space: only .global and .const variables have initial values",
                                   variable.name, name(variable.space)));
  if (variable.linkage == Linkage::external)
    lexer.fail(equals,
               fmt::format("`{}` is .extern: the module that defines it gives the initial value", variable.name));
  variable.initialised = true;
  InitialiserReader(lexer, variable, pending).read();
}

}  // namespace syncline::isa
