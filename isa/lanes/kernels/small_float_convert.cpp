// cvt to and from pairs of numbers of 4, 6 and 8 bits (PTX ISA, "Alternate Floating-Point Data Formats" and "cvt").
//
// All of them fit f16 with room to spare, so each value passes through f32: exactly on the way up, and on the way down
// by counting units of the last place, where adding 1.5 * 2^23 rounds to nearest even.
#include "isa/lanes/kernels/convert_ops.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

/// A format of 1 sign bit, `Exponent` and `Fraction` bits. e5m2 alone has infinities; e4m3 has one NaN a sign, of all
/// ones; the smaller formats have numbers only.
template <Type T, int Exponent, int Fraction, u32 MaxNorm, u32 Nan>
struct Small {
  static constexpr Type type = T;
  static constexpr int bits = 1 + Exponent + Fraction, fraction = Fraction, bias = (1 << (Exponent - 1)) - 1;
  static constexpr u32 sign = 1u << (Exponent + Fraction), max_norm = MaxNorm;
  static constexpr u32 nan = Nan;                 ///< what a NaN becomes
  static constexpr u32 slot = bits == 4 ? 4 : 8;  ///< distance of the two numbers of a pair
};
using E4m3 = Small<Type::e4m3x2, 4, 3, 0x7e, 0x7f>;
using E5m2 = Small<Type::e5m2x2, 5, 2, 0x7b, 0x7f>;
using E2m3 = Small<Type::e2m3x2, 2, 3, 0x1f, 0x1f>;
using E3m2 = Small<Type::e3m2x2, 3, 2, 0x1f, 0x1f>;
using E2m1 = Small<Type::e2m1x2, 2, 1, 0x07, 0x07>;

/// To nearest even, overflow to the largest number.
template <class S, bool Relu>
u32 encode(f32 value) {
  const u32 pattern = bits_of(value), magnitude = pattern & 0x7fffffffu;
  // The exponent of the unit: that of the value's binade, or of the lowest one.
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  constexpr int lowest = 1 - S::bias;
  const int binade = exponent < lowest ? lowest : exponent;
  const int capped = binade > 64 ? 64 : binade;
  const f32 scale = bit_cast<f32>(static_cast<u32>(127 - capped + S::fraction) << 23);
  const f32 units = bit_cast<f32>(magnitude) * scale;
  const u32 count = static_cast<u32>(bits_of(units + 0x1.8p23f) - bits_of(0x1.8p23f));
  // Patterns are consecutive in units of the last place, across binades too.
  const u32 rounded = (static_cast<u32>(capped - lowest) << S::fraction) + count;
  const u32 finite = rounded > S::max_norm || capped > S::bias + 1 ? S::max_norm : rounded;
  const u32 with_sign = (pattern >> 31) != 0 ? (Relu ? 0u : finite | S::sign) : finite;
  return magnitude > 0x7f800000u ? S::nan : with_sign;
}

template <class S>
f32 decode(u32 code) {
  const u32 magnitude = code & (S::sign - 1);
  const u32 exponent = magnitude >> S::fraction, fraction = magnitude & ((1u << S::fraction) - 1);
  const u32 significand = exponent == 0 ? fraction : fraction | 1u << S::fraction;
  const int place = static_cast<int>(exponent == 0 ? 1 : exponent) - S::bias - S::fraction;
  const f32 value =
      static_cast<f32>(static_cast<s32>(significand)) * bit_cast<f32>(static_cast<u32>(127 + place) << 23);
  const bool ieee = S::type == Type::e5m2x2, e4m3 = S::type == Type::e4m3x2;
  const bool nan = (ieee && magnitude > 0x7cu) || (e4m3 && magnitude == 0x7fu);
  const f32 number = ieee && magnitude == 0x7cu ? __builtin_inff() : value;
  const f32 with_sign = (code & S::sign) != 0 ? -number : number;
  return nan ? bit_cast<f32>(nan_f32_bits) : with_sign;
}

/// The value from a becomes the upper one.
template <class S, bool Relu>
u32 encode_pair(f32 a, f32 b) {
  return encode<S, Relu>(a) << S::slot | encode<S, Relu>(b);
}
template <class S, class Packed, bool Relu>
Packed from_f32(f32 a, f32 b) {
  return static_cast<Packed>(encode_pair<S, Relu>(a, b));
}
template <class S, class Packed, class H, bool Relu>
Packed from_half(u32 pair) {
  return static_cast<Packed>(
      encode_pair<S, Relu>(widen(H{static_cast<u16>(pair >> 16)}), widen(H{static_cast<u16>(pair)})));
}
template <class S, class Packed, class H, bool Relu, bool Finite>
u32 to_half(Packed pair) {
  const auto half = [](u32 code) {
    const f32 value = decode<S>(code);
    const f32 rectified = Relu && (bits_of(value) >> 31) != 0 && value == value ? 0.0f : value;
    // Exact but for the infinities of e5m2, which .satfinite turns into the largest number.
    const u32 bits = Narrow<H>::template from<Rounding::rn>(rectified).bits;
    constexpr u32 infinity = __is_same(H, f16) ? 0x7c00u : 0x7f80u;
    return Finite && (bits & 0x7fffu) == infinity ? bits - 1 : bits;
  };
  constexpr u32 mask = (1u << S::bits) - 1;
  const u32 codes = pair;
  return half(codes >> S::slot & mask) << 16 | half(codes & mask);
}

template <class S, class Packed, bool Relu>
void add_modes(KernelTable& table) {
  const auto form = [](Type to, Type from, bool finite) {
    return LaneForm(Opcode::cvt, to)
        .from(from)
        .round(Rounding::rn)
        .with(LaneFlag::relu, Relu)
        .with(LaneFlag::satfinite, finite);
  };
  table.add(form(S::type, Type::f32, true), map<from_f32<S, Packed, Relu>>);
  table.add(form(S::type, Type::f16x2, true), map<from_half<S, Packed, f16, Relu>>);
  table.add(form(S::type, Type::bf16x2, true), map<from_half<S, Packed, bf16, Relu>>);
  table.add(form(Type::f16x2, S::type, false), map<to_half<S, Packed, f16, Relu, false>>);
  table.add(form(Type::bf16x2, S::type, false), map<to_half<S, Packed, bf16, Relu, false>>);
  table.add(form(Type::bf16x2, S::type, true), map<to_half<S, Packed, bf16, Relu, true>>);
}
template <class S, class Packed>
void add_format(KernelTable& table) {
  add_modes<S, Packed, false>(table);
  add_modes<S, Packed, true>(table);
}

}  // namespace

void add_small_float_kernels(KernelTable& table) {
  add_format<E4m3, u16>(table);
  add_format<E5m2, u16>(table);
  add_format<E2m3, u16>(table);
  add_format<E3m2, u16>(table);
  add_format<E2m1, u8>(table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
