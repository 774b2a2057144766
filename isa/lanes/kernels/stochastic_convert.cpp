// cvt.rs: stochastic rounding. Random bits, an operand, are added to the bits that fall away, and a carry rounds away
// from zero (PTX ISA, "cvt"). They stand at the upper end of what falls away, for subnormal results too.
#include "isa/lanes/kernels/small_float.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

/// `random` has 13 bits, as many as fall away from a normal number.
u32 stochastic(f16, u32 magnitude, u32 random) {
  const u32 normal = (magnitude - (112u << 23) + random) >> 13;
  // Below 2^-14 the unit is 2^-24 for all; beyond 37 places even a carry does not reach it.
  const u32 places = 126u - (magnitude >> 23);
  const u32 shift = places > 40u ? 40u : places < 13u ? 13u : places;
  const u64 significand = (magnitude & 0x7fffffu) | (magnitude >> 23 != 0 ? 0x800000u : 0u);
  const u32 subnormal = static_cast<u32>((significand + (static_cast<u64>(random) << (shift - 13))) >> shift);
  const u32 finite = magnitude < 0x38800000u ? subnormal : normal;
  return magnitude >= 0x47800000u ? 0x7c00u : finite;
}
u32 stochastic(bf16, u32 magnitude, u32 random) {
  return (magnitude + random) >> 16;
}

template <class H, bool Relu, bool Finite, bool Pzo>
u32 half(f32 value, u32 random) {
  const u32 bits = bits_of(value), magnitude = bits & 0x7fffffffu;
  const u32 rounded = stochastic(H{}, magnitude, random);
  constexpr u32 infinity = __is_same(H, f16) ? 0x7c00u : 0x7f80u;
  const u32 finite = Finite && rounded == infinity ? infinity - 1 : rounded;
  const bool negative = bits >> 31 != 0 && !(Pzo && finite == 0);
  const u32 with_sign = negative ? (Relu ? 0u : finite | 0x8000u) : finite;
  return magnitude > 0x7f800000u ? nan_f16_bits : with_sign;
}
template <class H, bool Relu, bool Finite, bool Pzo>
u32 pair(f32 a, f32 b, u32 random) {
  constexpr u32 mask = __is_same(H, f16) ? 0x1fffu : 0xffffu;
  return half<H, Relu, Finite, Pzo>(a, random >> 16 & mask) << 16 | half<H, Relu, Finite, Pzo>(b, random & mask);
}

u32 reversed_16(u32 bits) {
  const u32 pairs = (bits >> 1 & 0x5555u) | (bits & 0x5555u) << 1;
  const u32 nibbles = (pairs >> 2 & 0x3333u) | (pairs & 0x3333u) << 2;
  const u32 bytes = (nibbles >> 4 & 0x0f0fu) | (nibbles & 0x0f0fu) << 4;
  return bytes >> 8 | (bytes & 0xffu) << 8;
}

/// a and b share 16 random bits, e and f the other 16. The ISA says which, and not how two numbers share them: B200
/// chips give the first of the two the bits in reverse order. For e2m1x4 both halves of the operand give a byte each.
template <class S, class Packed, bool Relu, bool Pzo>
Packed quadruple(f32 a, f32 b, f32 e, f32 f, u32 random) {
  const bool bytes = S::bits == 4;
  const u32 high = bytes ? (random >> 16 & 0xff00u) | (random >> 8 & 0xffu) : random >> 16;
  const u32 low = bytes ? (random >> 8 & 0xff00u) | (random & 0xffu) : random & 0xffffu;
  const auto code = [](f32 value, u32 bits) { return encode<S, Rounding::rs, Relu, Pzo>(value, bits); };
  return static_cast<Packed>(code(a, reversed_16(high)) << 3 * S::slot | code(b, high) << 2 * S::slot |
                             code(e, reversed_16(low)) << S::slot | code(f, low));
}

LaneForm cvt(Type to, bool relu, bool finite, bool pzo) {
  return LaneForm(Opcode::cvt, to)
      .from(Type::f32)
      .round(Rounding::rs)
      .with(LaneFlag::relu, relu)
      .with(LaneFlag::satfinite, finite)
      .with(LaneFlag::pzo, pzo);
}
template <bool Relu, bool Finite, bool Pzo>
void add_pairs(KernelTable& table) {
  table.add(cvt(Type::f16x2, Relu, Finite, Pzo), map<pair<f16, Relu, Finite, Pzo>>);
  table.add(cvt(Type::bf16x2, Relu, Finite, Pzo), map<pair<bf16, Relu, Finite, Pzo>>);
}
template <bool Relu, bool Pzo>
void add_modes(KernelTable& table) {
  add_pairs<Relu, false, Pzo>(table);
  add_pairs<Relu, true, Pzo>(table);
  table.add(cvt(E4m3::quad, Relu, true, Pzo), map<quadruple<E4m3, u32, Relu, Pzo>>);
  table.add(cvt(E5m2::quad, Relu, true, Pzo), map<quadruple<E5m2, u32, Relu, Pzo>>);
  table.add(cvt(E2m3::quad, Relu, true, Pzo), map<quadruple<E2m3, u32, Relu, Pzo>>);
  table.add(cvt(E3m2::quad, Relu, true, Pzo), map<quadruple<E3m2, u32, Relu, Pzo>>);
  table.add(cvt(E2m1::quad, Relu, true, Pzo), map<quadruple<E2m1, u16, Relu, Pzo>>);
}

}  // namespace

void add_stochastic_kernels(KernelTable& table) {
  add_modes<false, false>(table);
  add_modes<false, true>(table);
  add_modes<true, false>(table);
  add_modes<true, true>(table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
