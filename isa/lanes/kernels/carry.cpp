// Extended-precision arithmetic with the carry flag CC.CF (PTX ISA, "Extended-Precision Integer Arithmetic
// Instructions").
//
// A subtraction is a + ~b + 1, and CC.CF is the carry out of that sum: set where nothing was borrowed. The manual
// speaks of a borrow, which a chain of sub.cc and subc cannot tell apart; chains that mix subtractions with addc or
// subc with add.cc can, and compilers rely on the carry (nvcc's 128-bit division reads the sign of a difference by
// addc).
#include "isa/lanes/kernels/families.h"
#include "isa/lanes/kernels/integer_ops.h"
#include "isa/lanes/kernels/loop.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

template <class T>
Carried<T> add_carry(T a, T b, T carry) {
  const T partial = a + b;
  const T sum = partial + carry;
  return {sum, partial < a || sum < partial};
}
template <class T>
Carried<T> sub_carry(T a, T b, T carry) {
  return add_carry(a, static_cast<T>(~b), carry);
}
/// sub.cc: nothing has been borrowed yet.
template <class T>
Carried<T> sub_first(T a, T b, T) {
  return sub_carry(a, b, T(1));
}
/// S is the signed or unsigned type that the high half of the product depends on.
template <class T, class S>
Carried<T> mad_hi_carry(T a, T b, T c, T carry) {
  return add_carry(static_cast<T>(mul_hi(static_cast<S>(a), static_cast<S>(b))), c, carry);
}
template <class T>
Carried<T> mad_lo_carry(T a, T b, T c, T carry) {
  return add_carry(mul_lo(a, b), c, carry);
}

/// The instruction with carry-in (addc, addc.cc): carry-in is an operand, and a form without carry-out has no dst2.
void add_next(KernelTable& table, Opcode opcode, Type type, MulPart part, LaneKernel kernel) {
  table.add(LaneForm(opcode, type).part(part), kernel);
  table.add(LaneForm(opcode, type).part(part).with(LaneFlag::cc), kernel);
}
/// Both, where the first of a chain (add.cc) is the same with a carry-in of zero.
void add_both(KernelTable& table, Opcode first, Opcode next, Type type, MulPart part, LaneKernel kernel) {
  table.add(LaneForm(first, type).part(part).with(LaneFlag::cc), kernel);
  add_next(table, next, type, part, kernel);
}

template <class T, class S>
void add_for(KernelTable& table) {
  constexpr Type type = type_of<S>;
  add_both(table, Opcode::add, Opcode::addc, type, MulPart::none, map_carry<T, add_carry<T>>);
  table.add(LaneForm(Opcode::sub, type).with(LaneFlag::cc), map_carry<T, sub_first<T>>);
  add_next(table, Opcode::subc, type, MulPart::none, map_carry<T, sub_carry<T>>);
  add_both(table, Opcode::mad, Opcode::madc, type, MulPart::lo, map_carry3<T, mad_lo_carry<T>>);
  add_both(table, Opcode::mad, Opcode::madc, type, MulPart::hi, map_carry3<T, mad_hi_carry<T, S>>);
}

}  // namespace

void add_carry_kernels(KernelTable& table) {
  add_for<u32, u32>(table);
  add_for<u32, s32>(table);
  add_for<u64, u64>(table);
  add_for<u64, s64>(table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
