// Literals and constant expressions (PTX ISA, "Constants" and "Constant Expressions").
#pragma once

#include <cstdint>

#include "isa/ptx/ast.h"
#include "isa/ptx/lexer.h"

namespace syncline::isa {

/// The value of a literal or of a constant expression, before it is brought to the type of its place.
struct Constant {
  ImmediateKind kind = ImmediateKind::integer;
  bool is_unsigned = false;  ///< integer: .u64, else .s64
  std::uint64_t bits = 0;    ///< integer: two's complement; f32: 32 raw bits of a 0f literal; f64: raw bits
  double as_double() const;
  bool is_negative() const { return kind == ImmediateKind::integer && !is_unsigned && (bits >> 63) != 0; }
  bool is_true() const { return kind == ImmediateKind::integer ? bits != 0 : as_double() != 0.0; }
};

/// Reads one literal: 12 0x1F 017 0b101 (each with an optional U), 1.5 2e-3, 0fXXXXXXXX, 0dXXXXXXXXXXXXXXXX.
Constant read_literal(const Lexer& lexer, const Token& token);

/// Reads a whole expression with the operators of C, casts (.s64) (.u64), the conditional operator and WARP_SZ.
Constant read_constant(Lexer& lexer);

/// The same where the caller has taken a `-` in front: `-2+3` is 1.
Constant read_constant_behind_minus(Lexer& lexer);

/// One term of a sum: what may stand behind `+` or `-` in an address.
Constant read_offset_term(Lexer& lexer);

/// A constant integer, with a name for the message: "expected the alignment, an integer constant".
std::int64_t read_integer(Lexer& lexer, const char* what);

/// True when the current token can start a constant.
bool starts_constant(const Token& token);

/// The value in the bits of `type` (integers cut to size; floating-point constants rounded to nearest even).
/// Returns false when the constant is of the wrong kind: a float for .u32 or .s32, an integer for .f32.
bool constant_bits(const Constant& constant, Type type, std::uint64_t& bits);

}  // namespace syncline::isa
