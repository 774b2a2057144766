// The functions behind the .approx instructions, in f64 with a fixed order of operations: correctly rounded basic
// operations only (no fused ones, nothing of the C library), so every build and every host computes the same bits. The
// results are far more exact than the ISA asks (about 2^-45), which makes the f32 result almost always the nearest.
#pragma once

#include "isa/lanes/kernels/variant.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

/// Adding it rounds to an integer, which then stands in the low bits of the pattern.
inline constexpr f64 integer_shift = 0x1.8p52;

struct Split {
  f64 whole;  ///< nearest integer
  s64 count;  ///< the same as an integer
};
inline Split split_nearest(f64 value) {
  const f64 shifted = value + integer_shift;
  return {shifted - integer_shift, static_cast<s64>(bits_of(shifted) - bits_of(integer_shift))};
}

/// 2^x for |x| below 1000. Taylor series of exp on [-ln 2 / 2, ln 2 / 2]; the first omitted term is below 7e-15.
inline f64 exp2_of(f64 x) {
  const Split n = split_nearest(x);
  const f64 t = (x - n.whole) * 0x1.62e42fefa39efp-1;
  f64 p = 1.0 / 39916800;
  p = p * t + 1.0 / 3628800;
  p = p * t + 1.0 / 362880;
  p = p * t + 1.0 / 40320;
  p = p * t + 1.0 / 5040;
  p = p * t + 1.0 / 720;
  p = p * t + 1.0 / 120;
  p = p * t + 1.0 / 24;
  p = p * t + 1.0 / 6;
  p = p * t + 1.0 / 2;
  p = p * t + 1.0;
  p = p * t + 1.0;
  return p * bit_cast<f64>(static_cast<u64>(n.count + 1023) << 52);
}

/// Clamped so that exponents stay in range; the result over- or underflows f32 all the same. A NaN stays one.
inline f64 ex2(f64 x) {
  const f64 below = x > 200 ? 200.0 : x;
  return exp2_of(below < -200 ? -200.0 : below);
}

/// log2 of a positive normal f64: exponent plus 2/ln 2 * atanh((m - 1) / (m + 1)) with m in [1/sqrt 2, sqrt 2).
inline f64 log2_of(f64 x) {
  const u64 bits = bits_of(x);
  // Moves the binade boundary from 1 to 1/sqrt 2.
  const u64 moved = bits - 0x3fe6a09e667f3bcdu;
  const s64 exponent = static_cast<s64>(moved) >> 52;
  const f64 m = bit_cast<f64>(bits - (static_cast<u64>(exponent) << 52));
  const f64 s = (m - 1) / (m + 1), s2 = s * s;
  f64 p = 1.0 / 19;
  p = p * s2 + 1.0 / 17;
  p = p * s2 + 1.0 / 15;
  p = p * s2 + 1.0 / 13;
  p = p * s2 + 1.0 / 11;
  p = p * s2 + 1.0 / 9;
  p = p * s2 + 1.0 / 7;
  p = p * s2 + 1.0 / 5;
  p = p * s2 + 1.0 / 3;
  p = p * s2 + 1.0;
  // exponent is small: exact through the shift constant.
  const f64 whole = bit_cast<f64>(bits_of(integer_shift) + static_cast<u64>(exponent)) - integer_shift;
  return whole + s * p * 0x1.71547652b82fep+1;
}
inline f64 lg2(f64 x) {
  const f64 infinity = __builtin_inf();
  const bool regular = (x > 0) & (x < infinity);
  const f64 value = log2_of(regular ? x : 1.0);
  const f64 special = x == 0 ? -infinity : x > 0 ? infinity : __builtin_nan("");
  return regular ? value : special;
}

/// sin (Quadrant 0) or cos (Quadrant 1). The ISA bounds the error in [-pi, pi] only (and loosely up to 100 pi); this is
/// exact to f32 up to 2^26, from where on f32 numbers are so far apart that the angle counts as 0.
template <s64 Quadrant>
inline f64 sine(f64 x) {
  const bool near = __builtin_fabs(x) < 0x1p26;
  const f64 angle = near ? x : x - x;  // 0, or NaN for infinities
  const Split n = split_nearest(angle * 0x1.45f306dc9c883p-1);
  // pi / 2 in pieces of 26 bits: the products with n are exact.
  f64 r = angle - n.whole * 0x1.921fb5p0;
  r = r - n.whole * 0x1.110b46p-26;
  r = r - n.whole * 0x1.1a62633145c07p-54;
  const f64 r2 = r * r;
  f64 s = 1.0 / 6227020800;
  s = s * r2 - 1.0 / 39916800;
  s = s * r2 + 1.0 / 362880;
  s = s * r2 - 1.0 / 5040;
  s = s * r2 + 1.0 / 120;
  s = s * r2 - 1.0 / 6;
  s = (s * r2 + 1.0) * r;  // keeps the sign of zero
  f64 c = -1.0 / 87178291200;
  c = c * r2 + 1.0 / 479001600;
  c = c * r2 - 1.0 / 3628800;
  c = c * r2 + 1.0 / 40320;
  c = c * r2 - 1.0 / 720;
  c = c * r2 + 1.0 / 24;
  c = c * r2 - 1.0 / 2;
  c = c * r2 + 1.0;
  const s64 quadrant = n.count + Quadrant;
  const f64 value = (quadrant & 1) != 0 ? c : s;
  return (quadrant & 2) != 0 ? -value : value;
}

/// tanh x = (1 - e) / (1 + e) with e = exp(-2 |x|); near 0 the first terms of the series avoid the cancellation.
inline f64 tanh_of(f64 x) {
  const f64 magnitude = __builtin_fabs(x);
  const f64 clamped = magnitude > 40 ? 40.0 : magnitude;
  const f64 e = exp2_of(clamped * -0x1.71547652b82fep+1);
  const f64 large = (1 - e) / (1 + e);
  const f64 small = clamped - clamped * clamped * clamped / 3;
  return __builtin_copysign(clamped < 0x1p-12 ? small : large, x);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
