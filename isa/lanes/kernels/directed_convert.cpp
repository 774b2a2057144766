// cvt to f32 and f64, rounded toward zero, down and up, where the host's conversion does the rounding.
#include "isa/lanes/kernels/integer_to_float_ops.h"
#include "isa/lanes/kernels/rounding_scope.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

template <bool Ftz, bool Sat>
f32 shorten(f64 value) {
  return output<Ftz, Sat>(static_cast<f32>(value));
}

template <template <auto> class Map>
void add_mode(KernelTable& table, Rounding rounding) {
  add_from_integers<Map, f32>(table, rounding);
  add_from_integers<Map, f64>(table, rounding);
  const LaneForm form = LaneForm(Opcode::cvt, Type::f32).from(Type::f64).round(rounding);
  table.add(form, Map<shorten<false, false>>::kernel);
  table.add(form.with(LaneFlag::ftz), Map<shorten<true, false>>::kernel);
  table.add(form.with(LaneFlag::sat), Map<shorten<false, true>>::kernel);
  table.add(form.with(LaneFlag::ftz).with(LaneFlag::sat), Map<shorten<true, true>>::kernel);
}

}  // namespace

void add_directed_convert_kernels(KernelTable& table) {
  add_mode<TowardZero>(table, Rounding::rz);
  add_mode<Downward>(table, Rounding::rm);
  add_mode<Upward>(table, Rounding::rp);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
