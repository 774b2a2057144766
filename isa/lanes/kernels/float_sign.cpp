// What floating point does without rounding: abs, neg, copysign, min, max.
#include "isa/lanes/kernels/families.h"
#include "isa/lanes/kernels/float_ops.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

inline f32 with_sign(f32 magnitude, f32 sign) {
  return __builtin_copysignf(magnitude, sign);
}
inline f64 with_sign(f64 magnitude, f64 sign) {
  return __builtin_copysign(magnitude, sign);
}
inline bool is_negative(f32 value) {
  return bits_of(value) >> 31 != 0;
}
inline bool is_negative(f64 value) {
  return bits_of(value) >> 63 != 0;
}

template <class T, bool Ftz>
T fabs(T a) {
  return with_sign(input<Ftz>(a), T(1));
}
template <class T, bool Ftz>
T fneg(T a) {
  return -input<Ftz>(a);
}
/// copysign d, a, b: the magnitude of b with the sign of a.
template <class T>
T copysign(T a, T b) {
  return with_sign(b, a);
}

/// The operand that is not a NaN wins, unless .NaN asks for a NaN; -0 is below +0.
template <class T, bool Max, bool Nan>
T extremum(T a, T b) {
  const bool first = Max ? a > b || (a == b && !is_negative(a)) : a < b || (a == b && is_negative(a));
  const T ordered = first ? a : b;
  const bool a_nan = __builtin_isnan(a), b_nan = __builtin_isnan(b);
  const T number = a_nan ? b : b_nan ? a : ordered;
  return canonical(Nan && a_nan ? a : Nan && b_nan ? b : number);
}
template <class T, bool Max, bool Ftz, bool Nan>
T fextremum(T a, T b) {
  return extremum<T, Max, Nan>(input<Ftz>(a), input<Ftz>(b));
}
/// .xorsign.abs: the extremum of the magnitudes with the product of the signs.
template <bool Max, bool Ftz, bool Nan>
f32 xorsign_extremum(f32 a, f32 b) {
  const f32 x = input<Ftz>(a), y = input<Ftz>(b);
  const f32 result = extremum<f32, Max, Nan>(fabs<f32, false>(x), fabs<f32, false>(y));
  const u32 sign = (bits_of(x) ^ bits_of(y)) & 0x80000000u;
  return result != result ? result : bit_cast<f32>(bits_of(result) | sign);
}

/// The extremum of the first two with the third; `Abs` takes magnitudes.
template <bool Max, bool Ftz, bool Nan, bool Abs>
f32 extremum3(f32 a, f32 b, f32 c) {
  const auto in = [](f32 value) { return Abs ? fabs<f32, Ftz>(value) : input<Ftz>(value); };
  return extremum<f32, Max, Nan>(extremum<f32, Max, Nan>(in(a), in(b)), in(c));
}

template <bool Max, bool Ftz, bool Nan>
void add_f32_extrema(KernelTable& table) {
  const LaneForm form =
      LaneForm(Max ? Opcode::max : Opcode::min, Type::f32).with(LaneFlag::ftz, Ftz).with(LaneFlag::nan, Nan);
  table.add(form, map<fextremum<f32, Max, Ftz, Nan>>);
  table.add(form.with(LaneFlag::xorsign_abs), map<xorsign_extremum<Max, Ftz, Nan>>);
  const LaneForm three = form.with(LaneFlag::three_sources);
  table.add(three, map<extremum3<Max, Ftz, Nan, false>>);
  table.add(three.with(LaneFlag::absolute), map<extremum3<Max, Ftz, Nan, true>>);
}
template <bool Max>
void add_extrema(KernelTable& table) {
  add_f32_extrema<Max, false, false>(table);
  add_f32_extrema<Max, false, true>(table);
  add_f32_extrema<Max, true, false>(table);
  add_f32_extrema<Max, true, true>(table);
  table.add(LaneForm(Max ? Opcode::max : Opcode::min, Type::f64), map<fextremum<f64, Max, false, false>>);
}

}  // namespace

void add_float_sign_kernels(KernelTable& table) {
  table.add(LaneForm(Opcode::abs_, Type::f32), map<fabs<f32, false>>);
  table.add(LaneForm(Opcode::abs_, Type::f32).with(LaneFlag::ftz), map<fabs<f32, true>>);
  table.add(LaneForm(Opcode::abs_, Type::f64), map<fabs<f64, false>>);
  table.add(LaneForm(Opcode::neg, Type::f32), map<fneg<f32, false>>);
  table.add(LaneForm(Opcode::neg, Type::f32).with(LaneFlag::ftz), map<fneg<f32, true>>);
  table.add(LaneForm(Opcode::neg, Type::f64), map<fneg<f64, false>>);
  table.add(LaneForm(Opcode::copysign, Type::f32), map<copysign<f32>>);
  table.add(LaneForm(Opcode::copysign, Type::f64), map<copysign<f64>>);
  add_extrema<false>(table);
  add_extrema<true>(table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
