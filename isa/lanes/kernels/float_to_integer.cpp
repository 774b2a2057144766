// cvt from floating point to integers: rounded to an integral value, clamped to the destination's range (so .sat
// changes nothing). A NaN becomes 0, or the sign bit alone where a 64-bit format takes part.
#include "isa/lanes/kernels/convert_ops.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

/// 2^n, the first value above the range of a type.
template <class D, class F>
inline constexpr F beyond = static_cast<F>(u64{1} << (8 * sizeof(D) - 1)) * (is_signed_type<D> ? F(1) : F(2));

/// What a NaN becomes. F is f64 for sources of that format only.
template <class D, class F>
inline constexpr D from_nan = sizeof(F) == 8 || sizeof(D) == 8 ? static_cast<D>(u64{1} << (8 * sizeof(D) - 1)) : D(0);

template <class D, class F>
D clamped(F value) {
  constexpr F limit = beyond<D, F>;
  constexpr F floor = is_signed_type<D> ? -limit : F(0);
  const bool above = value >= limit;
  const bool inside = (value >= floor) & !above;
  const F safe = inside ? value : F(0);
  const D converted = sizeof(D) < 4 ? static_cast<D>(static_cast<s32>(safe)) : static_cast<D>(safe);
  const D outside = above ? highest<D> : value < floor ? lowest<D> : from_nan<D, F>;
  return inside ? converted : outside;
}

template <class D, class S, Rounding Mode, bool Ftz>
D to_integer(S value) {
  const auto source = wide(value);
  if constexpr (Ftz) return clamped<D>(integral<Mode>(ftz(source)));
  return clamped<D>(integral<Mode>(source));
}

template <class D, class S, Rounding Mode, bool Ftz>
void add_form(KernelTable& table) {
  const LaneForm form = LaneForm(Opcode::cvt, type_of<D>).from(type_of<S>).round(Mode).with(LaneFlag::ftz, Ftz);
  constexpr LaneKernel kernel = map<to_integer<D, S, Mode, Ftz>>;
  table.add(form, kernel);
  table.add(form.with(LaneFlag::sat), kernel);
}
template <class D, class S, bool Ftz>
void add_modes(KernelTable& table) {
  add_form<D, S, Rounding::rni, Ftz>(table);
  add_form<D, S, Rounding::rzi, Ftz>(table);
  add_form<D, S, Rounding::rmi, Ftz>(table);
  add_form<D, S, Rounding::rpi, Ftz>(table);
}
template <class D>
void add_destination(KernelTable& table) {
  add_modes<D, f16, false>(table);
  add_modes<D, bf16, false>(table);
  add_modes<D, f32, false>(table);
  add_modes<D, f32, true>(table);
  add_modes<D, f64, false>(table);
}

}  // namespace

void add_float_to_integer_kernels(KernelTable& table) {
  add_destination<u8>(table);
  add_destination<s8>(table);
  add_destination<u16>(table);
  add_destination<s16>(table);
  add_destination<u32>(table);
  add_destination<s32>(table);
  add_destination<u64>(table);
  add_destination<s64>(table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
