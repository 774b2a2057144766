// cvt to and from pairs of ue8m0, which are powers of two, and of s2f6, which are whole numbers of 64ths.
#include "isa/lanes/kernels/small_float.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

f32 upper(u32 pair) {
  return widen(bf16{static_cast<u16>(pair >> 16)});
}
f32 lower(u32 pair) {
  return widen(bf16{static_cast<u16>(pair)});
}

/// The exponent of the power of two at or below the magnitude, or with `Up` at or above it. Beyond the last power comes
/// the NaN, unless .satfinite holds it.
template <bool Up, bool Finite>
u32 to_exponent(f32 value) {
  const u32 magnitude = bits_of(value) & 0x7fffffffu;
  const u32 exponent = magnitude >> 23, fraction = magnitude & 0x7fffffu;
  // Code 0 is 2^-127, in the middle of the subnormal numbers of f32.
  const u32 above = exponent == 0 ? fraction > 0x400000u : fraction != 0;
  const u32 code = exponent + (Up ? above : 0u);
  const u32 last = Finite ? 0xfeu : 0xffu;
  return magnitude > 0x7f800000u ? 0xffu : code > last ? last : code;
}
template <bool Up, bool Finite>
u16 exponents_of_f32(f32 a, f32 b) {
  return static_cast<u16>(to_exponent<Up, Finite>(a) << 8 | to_exponent<Up, Finite>(b));
}
template <bool Up, bool Finite>
u16 exponents_of_bf16(u32 pair) {
  return exponents_of_f32<Up, Finite>(upper(pair), lower(pair));
}
u32 power(u32 code) {
  return code == 0 ? 0x0040u : code == 0xffu ? nan_f16_bits : code << 7;
}
u32 powers(u16 codes) {
  return power(static_cast<u32>(codes) >> 8) << 16 | power(codes & 0xffu);
}

constexpr u32 one = 127;  ///< as ue8m0
constexpr u16 ones = one << 8 | one;

/// -2 to 127/64 in steps of 1/64; a NaN becomes the largest.
template <Rounding Mode, bool Relu>
u32 to_fixed(f32 value, u32 scale) {
  const f32 quotient = divided(value, scale);
  const f32 steps = (Relu && quotient < 0 ? 0.0f : quotient) * 64.0f;
  const f32 raised = steps < -128.0f ? -128.0f : steps;
  const f32 held = raised < 127.0f ? raised : 127.0f;  // a NaN fails the comparison
  const u32 nearest = bits_of(held + 0x1.8p23f) - bits_of(0x1.8p23f);
  return (Mode == Rounding::rz ? static_cast<u32>(static_cast<s32>(held)) : nearest) & 0xffu;
}
template <Rounding Mode, bool Relu>
u16 fixed_of_f32_scaled(f32 a, f32 b, u16 scales) {
  return static_cast<u16>(to_fixed<Mode, Relu>(a, static_cast<u32>(scales) >> 8) << 8 |
                          to_fixed<Mode, Relu>(b, scales & 0xffu));
}
template <Rounding Mode, bool Relu>
u16 fixed_of_f32(f32 a, f32 b) {
  return fixed_of_f32_scaled<Mode, Relu>(a, b, ones);
}
template <Rounding Mode, bool Relu>
u16 fixed_of_bf16_scaled(u32 pair, u16 scales) {
  return fixed_of_f32_scaled<Mode, Relu>(upper(pair), lower(pair), scales);
}
template <Rounding Mode, bool Relu>
u16 fixed_of_bf16(u32 pair) {
  return fixed_of_bf16_scaled<Mode, Relu>(pair, ones);
}

f32 from_fixed(u32 code) {
  return static_cast<f32>(static_cast<s32>(static_cast<s8>(code))) * 0x1p-6f;
}
template <bool Relu, bool Finite>
u32 bf16_of_fixed_scaled(u16 codes, u16 scales) {
  return half_bits<bf16, Relu, Finite>(multiplied(from_fixed(static_cast<u32>(codes) >> 8), scales >> 8)) << 16 |
         half_bits<bf16, Relu, Finite>(multiplied(from_fixed(codes & 0xffu), scales & 0xffu));
}
template <bool Relu, bool Finite>
u32 bf16_of_fixed(u16 codes) {
  return bf16_of_fixed_scaled<Relu, Finite>(codes, ones);
}

LaneForm cvt(Type to, Type from, Rounding rounding) {
  return LaneForm(Opcode::cvt, to).from(from).round(rounding);
}
template <bool Up, bool Finite>
void add_exponents(KernelTable& table) {
  const auto form = [](Type from) {
    return cvt(Type::ue8m0x2, from, Up ? Rounding::rp : Rounding::rz).with(LaneFlag::satfinite, Finite);
  };
  table.add(form(Type::f32), map<exponents_of_f32<Up, Finite>>);
  table.add(form(Type::bf16x2), map<exponents_of_bf16<Up, Finite>>);
}
template <Rounding Mode, bool Relu>
void add_fixed(KernelTable& table) {
  const auto form = [](Type from) {
    return cvt(Type::s2f6x2, from, Mode).with(LaneFlag::satfinite).with(LaneFlag::relu, Relu);
  };
  table.add(form(Type::f32), map<fixed_of_f32<Mode, Relu>>);
  table.add(form(Type::f32).with(LaneFlag::scaled), map<fixed_of_f32_scaled<Mode, Relu>>);
  table.add(form(Type::bf16x2), map<fixed_of_bf16<Mode, Relu>>);
  table.add(form(Type::bf16x2).with(LaneFlag::scaled), map<fixed_of_bf16_scaled<Mode, Relu>>);
}
template <bool Relu, bool Finite>
void add_from_fixed(KernelTable& table) {
  const LaneForm form =
      cvt(Type::bf16x2, Type::s2f6x2, Rounding::rn).with(LaneFlag::satfinite, Finite).with(LaneFlag::relu, Relu);
  table.add(form, map<bf16_of_fixed<Relu, Finite>>);
  table.add(form.with(LaneFlag::scaled), map<bf16_of_fixed_scaled<Relu, Finite>>);
}
template <bool Relu>
void add_relu(KernelTable& table) {
  add_fixed<Rounding::rn, Relu>(table);
  add_fixed<Rounding::rz, Relu>(table);
  add_from_fixed<Relu, false>(table);
  add_from_fixed<Relu, true>(table);
}

}  // namespace

void add_scale_kernels(KernelTable& table) {
  add_exponents<false, false>(table);
  add_exponents<false, true>(table);
  add_exponents<true, false>(table);
  add_exponents<true, true>(table);
  table.add(cvt(Type::bf16x2, Type::ue8m0x2, Rounding::rn), map<powers>);
  add_relu<false>(table);
  add_relu<true>(table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
