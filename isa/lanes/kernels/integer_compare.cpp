// setp and set on integers and bit patterns.
#include "isa/lanes/kernels/compare.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

template <class T>
void add_equality(KernelTable& table, Type type) {
  add_compares<T, false, Compare::eq, Compare::ne>(table, type);
}
template <class T>
void add_order(KernelTable& table) {
  add_compares<T, false, Compare::lt, Compare::le, Compare::gt, Compare::ge>(table, type_of<T>);
}
template <class U, class S>
void add_width(KernelTable& table, Type bits) {
  add_equality<U>(table, bits);
  add_equality<U>(table, type_of<U>);
  add_equality<U>(table, type_of<S>);
  add_order<U>(table);
  add_order<S>(table);
}

/// set on packed elements: all ones where the comparison of two elements holds.
template <class T, Compare Cmp>
u32 packed_set(u32 a, u32 b) {
  constexpr u32 ones = (u32{1} << 8 * sizeof(T)) - 1;
  u32 result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(T))
    result |= (holds<Cmp>(static_cast<T>(a >> shift), static_cast<T>(b >> shift)) ? ones : 0u) << shift;
  return result;
}
template <class T, Compare... Cmps>
void add_packed_set(KernelTable& table, Type type) {
  (table.add(LaneForm(Opcode::set, type).compare(Cmps), map<packed_set<T, Cmps>>), ...);
}
template <class T>
void add_packed_sets(KernelTable& table, Type type) {
  add_packed_set<T, Compare::eq, Compare::ne, Compare::lt, Compare::le, Compare::gt, Compare::ge>(table, type);
}

}  // namespace

void add_compare_forms(KernelTable& table, Type type, bool ftz, const CompareKernels& kernels) {
  struct Destination {
    Type type;
    const ByBoolOp& kernels;
  };
  const Destination destinations[] = {{Type::u32, kernels.set_bits32}, {Type::s32, kernels.set_bits32},
                                      {Type::f32, kernels.set_f32},    {Type::u16, kernels.set_bits16},
                                      {Type::s16, kernels.set_bits16}, {Type::f16, kernels.set_f16},
                                      {Type::bf16, kernels.set_bf16}};
  constexpr BoolOp ops[] = {BoolOp::none, BoolOp::and_, BoolOp::or_, BoolOp::xor_};
  for (unsigned op = 0; op < 4; ++op) {
    const auto form = [&](const LaneForm& base) {
      return base.compare(kernels.compare).combine(ops[op]).with(LaneFlag::ftz, ftz);
    };
    table.add(form(LaneForm(Opcode::setp, type)), kernels.setp.kernel[op]);
    for (const Destination& destination : destinations) {
      table.add(form(LaneForm(Opcode::set, destination.type).from(type)), destination.kernels.kernel[op]);
    }
  }
}

void add_integer_compare_kernels(KernelTable& table) {
  add_width<u16, s16>(table, Type::b16);
  add_width<u32, s32>(table, Type::b32);
  add_width<u64, s64>(table, Type::b64);
  add_packed_sets<u16>(table, Type::u16x2);
  add_packed_sets<s16>(table, Type::s16x2);
  add_packed_sets<u8>(table, Type::u8x4);
  add_packed_sets<s8>(table, Type::s8x4);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
