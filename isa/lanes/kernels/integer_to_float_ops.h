// cvt from integers to f32 and f64 in the rounding mode that the host is in.
#pragma once

#include "isa/lanes/kernels/convert_ops.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

template <class D, class S, bool Sat>
inline D from_integer(S value) {
  // Some conversion sequences of unsigned numbers subtract, and give -0 for 0 when rounding down.
  const D converted = value == 0 ? D(0) : static_cast<D>(value);
  return Sat ? saturate(converted) : converted;
}

template <template <auto> class Map, class D, class S>
void add_from_integer(KernelTable& table, Rounding rounding) {
  const LaneForm form = LaneForm(Opcode::cvt, type_of<D>).from(type_of<S>).round(rounding);
  table.add(form, Map<from_integer<D, S, false>>::kernel);
  table.add(form.with(LaneFlag::sat), Map<from_integer<D, S, true>>::kernel);
  if constexpr (sizeof(D) == 4) {  // no integer is subnormal: .ftz changes nothing
    table.add(form.with(LaneFlag::ftz), Map<from_integer<D, S, false>>::kernel);
    table.add(form.with(LaneFlag::ftz).with(LaneFlag::sat), Map<from_integer<D, S, true>>::kernel);
  }
}
template <template <auto> class Map, class D>
void add_from_integers(KernelTable& table, Rounding rounding) {
  add_from_integer<Map, D, u8>(table, rounding);
  add_from_integer<Map, D, s8>(table, rounding);
  add_from_integer<Map, D, u16>(table, rounding);
  add_from_integer<Map, D, s16>(table, rounding);
  add_from_integer<Map, D, u32>(table, rounding);
  add_from_integer<Map, D, s32>(table, rounding);
  add_from_integer<Map, D, u64>(table, rounding);
  add_from_integer<Map, D, s64>(table, rounding);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
