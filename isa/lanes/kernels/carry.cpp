// Extended-precision arithmetic with the carry flag CC.CF (PTX ISA, "Extended-Precision Integer Arithmetic
// Instructions"). For subtraction the flag is the borrow.
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
Carried<T> sub_borrow(T a, T b, T borrow) {
  const T partial = a - b;
  return {static_cast<T>(partial - borrow), a < b || partial < borrow};
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

/// The instruction without carry-in (add.cc) and the one with it (addc, addc.cc) run the same kernel: carry-in is an
/// operand, and a form without carry-out has no dst2.
void add_both(KernelTable& table, Opcode without, Opcode with, Type type, MulPart part, LaneKernel kernel) {
  table.add(LaneForm(without, type).part(part).with(LaneFlag::cc), kernel);
  table.add(LaneForm(with, type).part(part), kernel);
  table.add(LaneForm(with, type).part(part).with(LaneFlag::cc), kernel);
}

template <class T, class S>
void add_for(KernelTable& table) {
  constexpr Type type = type_of<S>;
  add_both(table, Opcode::add, Opcode::addc, type, MulPart::none, map_carry<T, add_carry<T>>);
  add_both(table, Opcode::sub, Opcode::subc, type, MulPart::none, map_carry<T, sub_borrow<T>>);
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
