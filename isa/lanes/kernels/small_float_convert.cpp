// cvt to and from pairs of numbers of 4, 6 and 8 bits. The value from a, or from the upper half, becomes the upper one.
#include "isa/lanes/kernels/small_float.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

/// What the modifiers of a conversion to a small format say.
template <Rounding ModeOf, bool ReluOf, bool PzoOf, bool FiniteOf = true>
struct Down {
  static constexpr Rounding mode = ModeOf;
  static constexpr bool relu = ReluOf, pzo = PzoOf, finite = FiniteOf;
};

template <class S, class Packed, class D>
Packed encode_pair(f32 a, f32 b) {
  return static_cast<Packed>(encode<S, D::mode, D::relu, D::pzo, D::finite>(a) << S::slot |
                             encode<S, D::mode, D::relu, D::pzo, D::finite>(b));
}
template <class H>
f32 upper(u32 pair) {
  return widen(H{static_cast<u16>(pair >> 16)});
}
template <class H>
f32 lower(u32 pair) {
  return widen(H{static_cast<u16>(pair)});
}
template <class S, class Packed, class H, class D>
Packed from_half(u32 pair) {
  return encode_pair<S, Packed, D>(upper<H>(pair), lower<H>(pair));
}

/// .scaled::n1::ue8m0: subnormal numbers of the source's format count as zero.
template <class H>
f32 ftz_if(f32 value) {
  constexpr f32 smallest_normal = __is_same(H, f16) ? 0x1p-14f : 0x1p-126f;
  return __builtin_fabsf(value) < smallest_normal ? __builtin_copysignf(0.0f, value) : value;
}
template <class S, class Packed, class D>
Packed from_f32_scaled(f32 a, f32 b, u8 scale) {
  return encode_pair<S, Packed, D>(divided(ftz_if<f32>(a), scale), divided(ftz_if<f32>(b), scale));
}
template <class S, class Packed, class H, class D>
Packed from_half_scaled(u32 pair, u8 scale) {
  return encode_pair<S, Packed, D>(divided(ftz_if<H>(upper<H>(pair)), scale),
                                   divided(ftz_if<H>(lower<H>(pair)), scale));
}

template <class S, class Packed, class H, bool Relu, bool Finite>
u32 to_half(Packed pair) {
  constexpr u32 mask = (1u << S::bits) - 1;
  const u32 codes = pair;
  return half_bits<H, Relu, Finite>(decode<S>(codes >> S::slot & mask)) << 16 |
         half_bits<H, Relu, Finite>(decode<S>(codes & mask));
}
/// .scaled::n2::ue8m0: a scale for each of the two.
template <class S, class Packed, bool Relu, bool Finite>
u32 to_bf16_scaled(Packed pair, u16 scales) {
  constexpr u32 mask = (1u << S::bits) - 1;
  const u32 codes = pair, powers = scales;
  return half_bits<bf16, Relu, Finite>(multiplied(decode<S>(codes >> S::slot & mask), powers >> 8)) << 16 |
         half_bits<bf16, Relu, Finite>(multiplied(decode<S>(codes & mask), powers & 0xff));
}

LaneForm cvt(Type to, Type from, Rounding rounding, bool relu, bool finite) {
  return LaneForm(Opcode::cvt, to)
      .from(from)
      .round(rounding)
      .with(LaneFlag::relu, relu)
      .with(LaneFlag::satfinite, finite);
}

template <class S, class Packed, class D>
void add_down(KernelTable& table) {
  const auto form = [](Type from) {
    return cvt(S::pair, from, D::mode, D::relu, D::finite).with(LaneFlag::pzo, D::pzo);
  };
  table.add(form(Type::f32), map<encode_pair<S, Packed, D>>);
  table.add(form(Type::f16x2), map<from_half<S, Packed, f16, D>>);
  table.add(form(Type::bf16x2), map<from_half<S, Packed, bf16, D>>);
  if constexpr (D::mode != Rounding::rp) {
    table.add(form(Type::f32).with(LaneFlag::scaled), map<from_f32_scaled<S, Packed, D>>);
    table.add(form(Type::f16x2).with(LaneFlag::scaled), map<from_half_scaled<S, Packed, f16, D>>);
    table.add(form(Type::bf16x2).with(LaneFlag::scaled), map<from_half_scaled<S, Packed, bf16, D>>);
  }
}
template <class S, class Packed, bool Relu>
void add_up(KernelTable& table) {
  const auto form = [](Type to, bool finite) { return cvt(to, S::pair, Rounding::rn, Relu, finite); };
  table.add(form(Type::f16x2, false), map<to_half<S, Packed, f16, Relu, false>>);
  table.add(form(Type::bf16x2, false), map<to_half<S, Packed, bf16, Relu, false>>);
  table.add(form(Type::bf16x2, true), map<to_half<S, Packed, bf16, Relu, true>>);
  table.add(form(Type::bf16x2, false).with(LaneFlag::scaled), map<to_bf16_scaled<S, Packed, Relu, false>>);
  table.add(form(Type::bf16x2, true).with(LaneFlag::scaled), map<to_bf16_scaled<S, Packed, Relu, true>>);
}
template <class S, class Packed, bool Relu>
void add_modes(KernelTable& table) {
  add_down<S, Packed, Down<Rounding::rn, Relu, false>>(table);
  add_down<S, Packed, Down<Rounding::rn, Relu, true>>(table);
  add_down<S, Packed, Down<Rounding::rz, Relu, false>>(table);
  add_down<S, Packed, Down<Rounding::rz, Relu, true>>(table);
  add_up<S, Packed, Relu>(table);
}
template <class S, class Packed>
void add_format(KernelTable& table) {
  add_modes<S, Packed, false>(table);
  add_modes<S, Packed, true>(table);
}
/// ue5m3 has no sign to speak of, and .satfinite is a choice.
template <bool Finite>
void add_unsigned(KernelTable& table) {
  add_down<Ue5m3, u16, Down<Rounding::rn, false, false, Finite>>(table);
  add_down<Ue5m3, u16, Down<Rounding::rz, false, false, Finite>>(table);
  add_down<Ue5m3, u16, Down<Rounding::rp, false, false, Finite>>(table);
}

}  // namespace

void add_small_float_kernels(KernelTable& table) {
  add_format<E4m3, u16>(table);
  add_format<E5m2, u16>(table);
  add_format<E2m3, u16>(table);
  add_format<E3m2, u16>(table);
  add_format<E2m1, u8>(table);
  add_unsigned<false>(table);
  add_unsigned<true>(table);
  add_up<Ue5m3, u16, false>(table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
