// cvt.pack: two words saturated to 2 to 16 bits each, side by side (PTX ISA, "cvt.pack").
#include "isa/lanes/kernels/families.h"
#include "isa/lanes/kernels/loop.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

/// The low `Bits` bits of `value` clamped to what they can hold.
template <unsigned Bits, bool Signed>
u32 clamped(s32 value) {
  constexpr s32 low = Signed ? -(s32{1} << (Bits - 1)) : 0;
  constexpr s32 high = (s32{1} << (Signed ? Bits - 1 : Bits)) - 1;
  const s32 raised = value < low ? low : value;
  return static_cast<u32>(raised > high ? high : raised) & ((1u << Bits) - 1);
}
template <unsigned Bits, bool Signed>
u32 pair(s32 a, s32 b) {
  return clamped<Bits, Signed>(a) << Bits | clamped<Bits, Signed>(b);
}
/// Above the pair follow the low bits of c, so that a chain of these fills a register.
template <unsigned Bits, bool Signed>
u32 pair_onto(s32 a, s32 b, u32 c) {
  return c << 2 * Bits | pair<Bits, Signed>(a, b);
}

LaneForm form(Type type) {
  return LaneForm(Opcode::cvt, type).from(Type::s32).with(LaneFlag::pack).with(LaneFlag::sat);
}
template <unsigned Bits>
void add_onto(KernelTable& table, Type is_signed, Type is_unsigned) {
  table.add(form(is_signed).third(Type::b32), map<pair_onto<Bits, true>>);
  table.add(form(is_unsigned).third(Type::b32), map<pair_onto<Bits, false>>);
}

}  // namespace

void add_pack_kernels(KernelTable& table) {
  table.add(form(Type::s16), map<pair<16, true>>);
  table.add(form(Type::u16), map<pair<16, false>>);
  add_onto<8>(table, Type::s8, Type::u8);
  add_onto<4>(table, Type::s4, Type::u4);
  add_onto<2>(table, Type::s2, Type::u2);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
