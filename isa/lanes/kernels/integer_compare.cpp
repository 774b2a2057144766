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
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
