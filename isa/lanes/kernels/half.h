// f16, bf16 and tf32: exact widening to f32, and correct rounding of wider values into them in every direction.
//
// Every narrow result is rounded once: wider intermediates are either exact or rounded to odd, which keeps enough to
// round again without a double-rounding error (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums").
#pragma once

#include "isa/lanes/kernels/variant.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

/// How to round into a narrower format; `away` is .rna (nearest, ties away from zero).
enum class Round : u8 { near, zero, down, up, away };

inline f32 widen(f16 h) {
  // The exponent field keeps its bits and is rebased by a multiplication, which normalises subnormal numbers too.
  const u32 magnitude = static_cast<u32>(h.bits & 0x7fffu) << 13;
  const u32 scaled = bits_of(bit_cast<f32>(magnitude) * 0x1p112f);
  const u32 finite = magnitude >= 0x0f800000u ? magnitude | 0x7f800000u : scaled;
  return bit_cast<f32>(finite | static_cast<u32>(h.bits & 0x8000u) << 16);
}
inline f32 widen(bf16 h) {
  return bit_cast<f32>(static_cast<u32>(h.bits) << 16);
}

/// 1 if the kept part `kept` must grow, where `rest` was cut off and `half` is half a unit of the last kept place.
template <Round Mode>
inline u32 round_increment(u32 kept, u32 rest, u32 half, bool negative) {
  switch (Mode) {
    case Round::near:
      return rest > half || (rest == half && (kept & 1u) != 0);
    case Round::away:
      return rest >= half;
    case Round::down:
      return negative && rest != 0;
    case Round::up:
      return !negative && rest != 0;
    case Round::zero:
      break;
  }
  return 0;
}

/// Cuts the low `Cut` bits of an f32 pattern, rounded; overflow carries into infinity where the direction says so.
template <Round Mode, unsigned Cut>
inline u32 cut_f32(u32 bits) {
  const u32 magnitude = bits & 0x7fffffffu;
  const u32 kept = magnitude >> Cut;
  const u32 rounded = kept + round_increment<Mode>(kept, magnitude & ((1u << Cut) - 1), 1u << (Cut - 1), bits >> 31);
  return magnitude > 0x7f800000u ? nan_f32_bits >> Cut : rounded | (bits & 0x80000000u) >> Cut;
}

template <Round Mode>
inline bf16 to_bf16(f32 value) {
  return bf16{static_cast<u16>(cut_f32<Mode, 16>(bits_of(value)))};
}

/// tf32 lives in 32 bits; its low 13 bits are zero (a NaN is the canonical one of f32).
template <Round Mode>
inline f32 to_tf32(f32 value) {
  return value != value ? bit_cast<f32>(nan_f32_bits) : bit_cast<f32>(cut_f32<Mode, 13>(bits_of(value)) << 13);
}

template <Round Mode>
inline f16 to_f16(f32 value) {
  const u32 bits = bits_of(value);
  const u32 magnitude = bits & 0x7fffffffu;
  const bool negative = bits >> 31 != 0;

  const u32 rebased = magnitude - (112u << 23);
  const u32 normal_kept = rebased >> 13;
  const u32 normal = normal_kept + round_increment<Mode>(normal_kept, rebased & 0x1fffu, 0x1000u, negative);

  // Below 2^-14 the unit is 2^-24 for all: shift the significand there. Beyond 25 places only the sticky bits matter.
  const u32 places = 126u - (magnitude >> 23);
  const u32 shift = places > 25u ? 25u : places;
  const u32 significand = places > 25u ? static_cast<u32>(magnitude != 0) : (magnitude & 0x7fffffu) | 0x800000u;
  const u32 subnormal_kept = significand >> (shift & 31u);
  const u32 subnormal =
      subnormal_kept + round_increment<Mode>(subnormal_kept, significand & ((1u << (shift & 31u)) - 1),
                                             1u << ((shift - 1) & 31u), negative);

  // 65536 and more never fits; what rounds up to it has already carried into infinity.
  constexpr bool nearest = Mode == Round::near || Mode == Round::away;
  const bool to_infinity = nearest || (Mode == Round::down && negative) || (Mode == Round::up && !negative);
  const u32 overflow = to_infinity || magnitude == 0x7f800000u ? 0x7c00u : 0x7bffu;

  const u32 finite = magnitude < 0x38800000u ? subnormal : normal;
  const u32 ranged = magnitude >= 0x47800000u ? overflow : finite;
  return f16{static_cast<u16>(magnitude > 0x7f800000u ? nan_f16_bits : ranged | (bits >> 31 << 15))};
}

/// The neighbour of `value` on the side of a nonzero `rest` if value's last bit is even: round to odd of value + rest.
/// Written without branches, to be vectorised; a NaN as rest counts as zero.
inline f64 sticky(f64 value, f64 rest) {
  const u64 bits = bits_of(value);
  const u64 opposite = (bits ^ bits_of(rest)) >> 63;
  const u64 even = ~bits & 1u;
  const u64 change = rest > 0 ? even : rest < 0 ? even : u64{0};
  return bit_cast<f64>(bits + (opposite != 0 ? 0 - change : change));
}

/// f64 to f32, rounded to odd: inexact results get an odd last bit and never reach zero or infinity.
inline f32 to_f32_odd(f64 value) {
  const f32 nearest = static_cast<f32>(value);
  const u32 bits = bits_of(nearest);
  const f64 back = static_cast<f64>(nearest);
  const f64 magnitude = __builtin_fabs(value);
  const f64 back_magnitude = __builtin_fabs(back);
  // Truncate first, then set the last bit.
  const u32 truncated = back_magnitude > magnitude ? bits - 1 : bits;
  return bit_cast<f32>(back_magnitude != magnitude && value == value ? truncated | 1u : bits);
}

template <Round Mode>
inline f16 to_f16(f64 value) {
  return to_f16<Mode>(to_f32_odd(value));
}
template <Round Mode>
inline bf16 to_bf16(f64 value) {
  return to_bf16<Mode>(to_f32_odd(value));
}

/// Sum of two doubles rounded to odd (Knuth's two-sum gives the error exactly; the operands are far from overflow).
inline f64 sum_odd(f64 a, f64 b) {
  const f64 sum = a + b;
  const f64 b_part = sum - a;
  const f64 error = (a - (sum - b_part)) + (b - b_part);
  return sticky(sum, error);
}

/// Exact a * b + c of 16-bit operands, rounded once to odd in f64 (the product of two of them is exact there).
inline f64 fma_odd(f32 a, f32 b, f32 c) {
  return sum_odd(static_cast<f64>(a) * static_cast<f64>(b), c);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
