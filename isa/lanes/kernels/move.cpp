// mov, selp and slct: values as bits.
#include "isa/lanes/kernels/families.h"
#include "isa/lanes/kernels/loop.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

template <class T>
T copy(T a) {
  return a;
}
template <class T>
T select(T a, T b, bool first) {
  return first ? a : b;
}
template <class T, class Selector, bool Ftz>
T select_by_sign(T a, T b, Selector c) {
  // -0 selects a; so does, with .ftz, a negative subnormal number; NaN selects b.
  if constexpr (Ftz) return ftz(c) >= 0 ? a : b;
  return c >= 0 ? a : b;
}

template <class T>
void add_width(KernelTable& table, Type type) {
  table.add(LaneForm(Opcode::mov, type), map<copy<T>>);
  table.add(LaneForm(Opcode::selp, type), map<select<T>>);
  table.add(LaneForm(Opcode::slct, type).from(Type::s32), map<select_by_sign<T, s32, false>>);
  table.add(LaneForm(Opcode::slct, type).from(Type::f32), map<select_by_sign<T, f32, false>>);
  table.add(LaneForm(Opcode::slct, type).from(Type::f32).with(LaneFlag::ftz), map<select_by_sign<T, f32, true>>);
}

}  // namespace

void add_move_kernels(KernelTable& table) {
  constexpr Type halves[] = {Type::b16, Type::u16, Type::s16};
  constexpr Type words[] = {Type::b32, Type::u32, Type::s32, Type::f32};
  constexpr Type doubles[] = {Type::b64, Type::u64, Type::s64, Type::f64};
  for (const Type type : halves) add_width<u16>(table, type);
  for (const Type type : words) add_width<u32>(table, type);
  for (const Type type : doubles) add_width<u64>(table, type);
  table.add(LaneForm(Opcode::mov, Type::f16), map<copy<u16>>);
  table.add(LaneForm(Opcode::mov, Type::bf16), map<copy<u16>>);
  table.add(LaneForm(Opcode::mov, Type::f16x2), map<copy<u32>>);
  table.add(LaneForm(Opcode::mov, Type::bf16x2), map<copy<u32>>);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
