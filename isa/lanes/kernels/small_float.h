// Numbers of 4, 6 and 8 bits (PTX ISA, "Alternate Floating-Point Data Formats" and "Fixed-point Data format"): what a
// code stands for, and rounding into codes.
//
// All of them fit f32 with room to spare: a value passes through it exactly on the way up, and on the way down by
// counting units of the last place of its binade.
#pragma once

#include "isa/lanes/kernels/convert_ops.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

/// A format of `Exponent` and `Fraction` bits, by the names of its pair and its quadruple in instructions. e5m2 alone
/// has infinities; e4m3 has one NaN a sign, of all ones, and the unsigned ue5m3 one; the smaller ones have none.
template <Type Pair, Type Quad, bool Signed, int Exponent, int Fraction, u32 MaxNorm, u32 Nan>
struct Small {
  static constexpr Type pair = Pair, quad = Quad;
  static constexpr int fraction = Fraction, bias = (1 << (Exponent - 1)) - 1;
  static constexpr int bits = (Signed ? 1 : 0) + Exponent + Fraction;
  static constexpr u32 sign = Signed ? 1u << (Exponent + Fraction) : 0;
  static constexpr u32 max_norm = MaxNorm;
  static constexpr u32 nan = Nan;  ///< what a NaN becomes
  /// What is too large becomes, without .satfinite: the infinity of e5m2, the NaN of the others.
  static constexpr u32 overflow = Pair == Type::e5m2x2 ? 0x7c : Nan;
  static constexpr u32 slot = bits == 4 ? 4 : 8;  ///< distance of the numbers in a register
};
using E4m3 = Small<Type::e4m3x2, Type::e4m3x4, true, 4, 3, 0x7e, 0x7f>;
using E5m2 = Small<Type::e5m2x2, Type::e5m2x4, true, 5, 2, 0x7b, 0x7f>;
using E2m3 = Small<Type::e2m3x2, Type::e2m3x4, true, 2, 3, 0x1f, 0x1f>;
using E3m2 = Small<Type::e3m2x2, Type::e3m2x4, true, 3, 2, 0x1f, 0x1f>;
using E2m1 = Small<Type::e2m1x2, Type::e2m1x4, true, 2, 1, 0x07, 0x07>;
using Ue5m3 = Small<Type::ue5m3x2, Type::none, false, 5, 3, 0xfe, 0xff>;

/// A count of units without its fraction, rounded; `random` holds 16 bits that .rs adds behind the point.
template <Rounding Mode>
u32 whole_units(f32 units, u32 random) {
  switch (Mode) {
    case Rounding::rz:
      return static_cast<u32>(static_cast<s32>(units));
    case Rounding::rp: {
      const s32 below = static_cast<s32>(units);
      return static_cast<u32>(below) + (static_cast<f32>(below) < units ? 1u : 0u);
    }
    case Rounding::rs:
      return static_cast<u32>(static_cast<s32>(static_cast<f64>(units) + static_cast<f64>(random) * 0x1p-16));
    default:  // to nearest even: 1.5 * 2^23 has no room for fractions
      return bits_of(units + 0x1.8p23f) - bits_of(0x1.8p23f);
  }
}

/// The code of a value: a sign apart, its magnitude rounded. `Finite`: overflow gives the largest number; otherwise it
/// gives an infinity or a NaN.
template <class S, Rounding Mode, bool Relu, bool Pzo, bool Finite = true>
u32 encode(f32 value, u32 random = 0) {
  const u32 pattern = bits_of(value), magnitude = pattern & 0x7fffffffu;
  // The exponent of the unit: that of the value's binade, or of the lowest one.
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  constexpr int lowest = 1 - S::bias;
  const int binade = exponent < lowest ? lowest : exponent;
  const bool beyond = binade > S::bias + 1;
  const int capped = beyond ? S::bias + 1 : binade;
  const f32 scale = bit_cast<f32>(static_cast<u32>(127 - capped + S::fraction) << 23);
  const f32 units = beyond ? 0.0f : bit_cast<f32>(magnitude) * scale;
  // Patterns are consecutive in units of the last place, across binades too.
  const u32 rounded = (static_cast<u32>(capped - lowest) << S::fraction) + whole_units<Mode>(units, random);
  const u32 overflow = Finite || (Mode == Rounding::rz && magnitude < 0x7f800000u) ? S::max_norm : S::overflow;
  const u32 finite = beyond || rounded > S::max_norm ? overflow : rounded;
  const bool is_nan = S::nan != S::max_norm && finite == S::nan;
  const bool negative = S::sign != 0 && (pattern >> 31) != 0 && !(Pzo && finite == 0) && !is_nan;
  const u32 with_sign = negative ? (Relu ? 0u : finite | S::sign) : finite;
  return magnitude > 0x7f800000u ? S::nan : with_sign;
}

template <class S>
f32 decode(u32 code) {
  const u32 magnitude = S::sign == 0 ? code : code & (S::sign - 1);
  const u32 exponent = magnitude >> S::fraction, fraction = magnitude & ((1u << S::fraction) - 1);
  const u32 significand = exponent == 0 ? fraction : fraction | 1u << S::fraction;
  const int place = static_cast<int>(exponent == 0 ? 1 : exponent) - S::bias - S::fraction;
  const f32 value =
      static_cast<f32>(static_cast<s32>(significand)) * bit_cast<f32>(static_cast<u32>(127 + place) << 23);
  const bool ieee = S::pair == Type::e5m2x2;
  const bool nan = ieee ? magnitude > 0x7cu : S::nan != S::max_norm && magnitude == S::nan;
  const f32 number = ieee && magnitude == 0x7cu ? __builtin_inff() : value;
  const f32 with_sign = (code & S::sign) != 0 ? -number : number;
  return nan ? bit_cast<f32>(nan_f32_bits) : with_sign;
}

/// One of the two ends of a pair, in f16 or bf16; .satfinite turns an infinity into the largest number.
template <class H, bool Relu, bool Finite>
u32 half_bits(f32 value) {
  const f32 rectified = Relu && (bits_of(value) >> 31) != 0 && value == value ? 0.0f : value;
  const u32 bits = Narrow<H>::template from<Rounding::rn>(rectified).bits;
  constexpr u32 infinity = __is_same(H, f16) ? 0x7c00u : 0x7f80u;
  return Finite && (bits & 0x7fffu) == infinity ? bits - 1 : bits;
}

// A ue8m0 is a power of two, 2^(code - 127); 0xff is its NaN. Products with f64 powers of two are exact.

/// value * scale, rounded to f32 once: exact unless it leaves the range of f32, which bf16 shares.
inline f32 multiplied(f32 value, u32 scale) {
  const f64 power = bit_cast<f64>(static_cast<u64>(1023 - 127 + scale) << 52);
  const f32 product = static_cast<f32>(static_cast<f64>(value) * power);
  return scale == 0xff ? bit_cast<f32>(nan_f32_bits) : product;
}
/// value / scale. What is finite stays finite: no format here reaches 2^100, and .rz tells it from an infinity.
inline f32 divided(f32 value, u32 scale) {
  const f64 power = bit_cast<f64>(static_cast<u64>(1023 + 127 - scale) << 52);
  const f64 quotient = static_cast<f64>(value) * power;
  const f64 magnitude = __builtin_fabs(quotient);
  const f64 capped = magnitude > 0x1p100 && magnitude < __builtin_inf() ? 0x1p100 : magnitude;
  const f32 result = static_cast<f32>(__builtin_copysign(capped, quotient));
  return scale == 0xff ? bit_cast<f32>(nan_f32_bits) : result;
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
