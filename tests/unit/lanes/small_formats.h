// Formats of 4, 6 and 8 bits by their definition: the value of every code, and rounding as a search among the codes.
// Shares nothing with the kernels.
#pragma once

#include "tests/unit/lanes/float_formats.h"

namespace syncline::isa::test {

/// A format of the OCP's 8-bit and microscaling specifications. Codes above `largest` are no numbers.
struct E4m3 {
  static constexpr Type type = Type::e4m3x2, quadruple = Type::e4m3x4;
  using Pair = std::uint16_t;
  using Quadruple = std::uint32_t;
  static constexpr int exponent = 4, fraction = 3, slot = 8;
  static constexpr unsigned largest = 0x7e, nan = 0x7f, sign = 0x80;
};
struct E5m2 {
  static constexpr Type type = Type::e5m2x2, quadruple = Type::e5m2x4;
  using Pair = std::uint16_t;
  using Quadruple = std::uint32_t;
  static constexpr int exponent = 5, fraction = 2, slot = 8;
  static constexpr unsigned largest = 0x7b, nan = 0x7f, sign = 0x80;
};
struct E2m3 {
  static constexpr Type type = Type::e2m3x2, quadruple = Type::e2m3x4;
  using Pair = std::uint16_t;
  using Quadruple = std::uint32_t;
  static constexpr int exponent = 2, fraction = 3, slot = 8;
  static constexpr unsigned largest = 0x1f, nan = 0x1f, sign = 0x20;
};
struct E3m2 {
  static constexpr Type type = Type::e3m2x2, quadruple = Type::e3m2x4;
  using Pair = std::uint16_t;
  using Quadruple = std::uint32_t;
  static constexpr int exponent = 3, fraction = 2, slot = 8;
  static constexpr unsigned largest = 0x1f, nan = 0x1f, sign = 0x20;
};
struct E2m1 {
  static constexpr Type type = Type::e2m1x2, quadruple = Type::e2m1x4;
  using Pair = std::uint8_t;
  using Quadruple = std::uint16_t;
  static constexpr int exponent = 2, fraction = 1, slot = 4;
  static constexpr unsigned largest = 0x7, nan = 0x7, sign = 0x8;
};
/// Without a sign; the PTX ISA converts magnitudes.
struct Ue5m3 {
  static constexpr Type type = Type::ue5m3x2;
  using Pair = std::uint16_t;
  static constexpr int exponent = 5, fraction = 3, slot = 8;
  static constexpr unsigned largest = 0xfe, nan = 0xff, sign = 0;
};

/// The number that a code without sign stands for.
template <class F>
long double number(unsigned code) {
  const int bias = (1 << (F::exponent - 1)) - 1;
  const int exponent = static_cast<int>(code >> F::fraction);
  const long double fraction = (code & ((1u << F::fraction) - 1)) / static_cast<long double>(1 << F::fraction);
  return exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
}

/// The modifiers that all conversions to small formats have.
struct Choice {
  Rounding rounding = Rounding::rn;
  bool relu = false, pzo = false, finite = true;
};

/// The code of a magnitude that lies below the next one, which may be the one behind the largest.
template <class F>
unsigned code_below(long double magnitude) {
  unsigned below = 0;
  while (below < F::largest && number<F>(below + 1) <= magnitude) ++below;
  return below;
}

/// The code of a value. `random`, with .rs: 16 bits of chance.
template <class F>
unsigned rounded(long double value, const Choice& choice, unsigned random = 0) {
  if (std::isnan(value)) return F::nan;
  const long double magnitude = std::fabs(value);
  unsigned code = F::largest + 1;
  if (std::isfinite(magnitude)) {
    const unsigned below = code_below<F>(magnitude);
    // The place between two neighbours, 0 to 1; behind the last number the distance stays what it was.
    const long double step =
        below < F::largest ? number<F>(below + 1) - number<F>(below) : number<F>(below) - number<F>(below - 1);
    const long double place = (magnitude - number<F>(below)) / step;
    bool up = false;
    switch (choice.rounding) {
      case Rounding::rn:
        up = place > 0.5L || (place == 0.5L && below % 2 != 0);
        break;
      case Rounding::rp:
        up = place > 0;
        break;
      case Rounding::rs:
        up = place >= 1 - static_cast<long double>(random) / 65536;
        break;
      default:
        break;
    }
    code = below + (up ? 1 : 0);
  }
  if (code > F::largest) code = choice.finite ? F::largest : F::nan;
  if (F::sign == 0 || !std::signbit(value)) return code;
  if (choice.relu || (choice.pzo && code == 0)) return 0;
  return code | F::sign;
}

/// The power of two that a ue8m0 is.
inline long double power_of(unsigned code) {
  return code == 0xff ? std::numeric_limits<long double>::quiet_NaN() : std::ldexp(1.0L, static_cast<int>(code) - 127);
}

/// A half of a register of two f16 or bf16.
inline long double half_value(std::uint32_t pair, bool upper, bool bf16) {
  return decode((upper ? pair >> 16 : pair) & 0xffff, bf16 ? format_bf16 : format_f16);
}

/// f16 or bf16 of a value, with .relu and .satfinite.
inline std::uint32_t half_code(long double value, bool bf16, bool relu, bool finite) {
  if (std::isnan(value)) return 0x7fff;
  if (relu && std::signbit(value)) return 0;
  const auto bits = static_cast<std::uint32_t>(encode(value, bf16 ? format_bf16 : format_f16, Rounding::rn));
  return finite && (bits & 0x7fff) == (bf16 ? 0x7f80u : 0x7c00u) ? bits - 1 : bits;
}

inline Modifiers cvt(Type to, Type from, const Choice& choice, bool scaled = false) {
  Modifiers m = mods(to, from);
  m.rounding = choice.rounding;
  m.relu = choice.relu;
  m.pzo = choice.pzo;
  m.satfinite = choice.finite;
  m.scaled = scaled;
  return m;
}

}  // namespace syncline::isa::test
