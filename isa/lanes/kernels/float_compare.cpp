// setp and set on floating point, and testp.
#include "isa/lanes/kernels/compare.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

template <class T, bool Ftz>
void add_for(KernelTable& table) {
  add_compares<T, Ftz, Compare::eq, Compare::ne, Compare::lt, Compare::le, Compare::gt, Compare::ge, Compare::equ,
               Compare::neu, Compare::ltu, Compare::leu, Compare::gtu, Compare::geu, Compare::num, Compare::nan>(
      table, type_of<T>);
}

struct PairOfMasks {
  u32 low, high;
};
template <class T, Compare Cmp, bool Ftz>
[[gnu::noinline]] PairOfMasks ordered_packed(const LaneArgs& args) {
  const Operand<u32> a(args.src[0]), b(args.src[1]);
  PairOfMasks masks{0, 0};
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
    const u32 x = a[lane], y = b[lane];
    const bool low = compare_values<T, Cmp, Ftz>(T{static_cast<u16>(x)}, T{static_cast<u16>(y)});
    const bool high = compare_values<T, Cmp, Ftz>(T{static_cast<u16>(x >> 16)}, T{static_cast<u16>(y >> 16)});
    masks.low |= low ? lane_bit[lane] : 0u;
    masks.high |= high ? lane_bit[lane] : 0u;
  }
  return masks;
}
template <class T, Compare Cmp, bool Ftz>
inline PairOfMasks compare_packed(const LaneArgs& args) {
  if constexpr (complement_of(Cmp) != Compare::none) {
    const PairOfMasks masks = ordered_packed<T, complement_of(Cmp), Ftz>(args);
    return {~masks.low, ~masks.high};
  } else {
    return ordered_packed<T, Cmp, Ftz>(args);
  }
}

/// setp on pairs: p is the comparison of the low halves, q the one of the high halves.
template <class T, Compare Cmp, bool Ftz, BoolOp Op>
void setp_packed(const LaneArgs& args) {
  const PairOfMasks masks = compare_packed<T, Cmp, Ftz>(args);
  const u32 p = combined<Op>(masks.low, args), q = combined<Op>(masks.high, args);
  write_predicate(args.dst, p, args.mask);
  write_predicate(args.dst2, q, args.mask);
}

/// set on pairs: `one` in the halves for which the comparison holds; 1.0, or all bits for integer destinations.
template <class T, Compare Cmp, bool Ftz, BoolOp Op, bool AllBits>
void set_packed(const LaneArgs& args) {
  constexpr u32 one = AllBits ? 0xffffu : __is_same(T, f16) ? 0x3c00u : 0x3f80u;
  const PairOfMasks masks = compare_packed<T, Cmp, Ftz>(args);
  const u32 low = combined<Op>(masks.low, args), high = combined<Op>(masks.high, args);
  alignas(64) Storage<u32>::Word fresh[kernel_lanes];
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
    fresh[lane] = ((low & lane_bit[lane]) != 0 ? one : 0u) | ((high & lane_bit[lane]) != 0 ? one << 16 : 0u);
  }
  blend<Storage<u32>::Word>(static_cast<Storage<u32>::Word*>(args.dst), fresh, args.mask);
}

template <class T, Compare Cmp, bool Ftz, bool AllBits>
constexpr ByBoolOp packed_set_kernels = {
    {set_packed<T, Cmp, Ftz, BoolOp::none, AllBits>, set_packed<T, Cmp, Ftz, BoolOp::and_, AllBits>,
     set_packed<T, Cmp, Ftz, BoolOp::or_, AllBits>, set_packed<T, Cmp, Ftz, BoolOp::xor_, AllBits>}};
template <class T, Compare Cmp, bool Ftz>
constexpr ByBoolOp packed_kernels = {{setp_packed<T, Cmp, Ftz, BoolOp::none>, setp_packed<T, Cmp, Ftz, BoolOp::and_>,
                                      setp_packed<T, Cmp, Ftz, BoolOp::or_>, setp_packed<T, Cmp, Ftz, BoolOp::xor_>}};

void add_packed_form(KernelTable& table, const LaneForm& form, bool ftz, Compare compare, const ByBoolOp& kernels) {
  constexpr BoolOp ops[] = {BoolOp::none, BoolOp::and_, BoolOp::or_, BoolOp::xor_};
  for (unsigned op = 0; op < 4; ++op) {
    table.add(form.compare(compare).combine(ops[op]).with(LaneFlag::ftz, ftz), kernels.kernel[op]);
  }
}
template <class T, bool Ftz, Compare... Cmps>
void add_packed(KernelTable& table, Type type) {
  (add_packed_form(table, LaneForm(Opcode::setp, type), Ftz, Cmps, packed_kernels<T, Cmps, Ftz>), ...);
  const auto add_set = [&](Type to, Compare cmp, const ByBoolOp& kernels) {
    add_packed_form(table, LaneForm(Opcode::set, to).from(type), Ftz, cmp, kernels);
  };
  (add_set(type, Cmps, packed_set_kernels<T, Cmps, Ftz, false>), ...);
  (add_set(Type::u32, Cmps, packed_set_kernels<T, Cmps, Ftz, true>), ...);
  (add_set(Type::s32, Cmps, packed_set_kernels<T, Cmps, Ftz, true>), ...);
}
template <class T, bool Ftz>
void add_packed_for(KernelTable& table, Type type) {
  add_packed<T, Ftz, Compare::eq, Compare::ne, Compare::lt, Compare::le, Compare::gt, Compare::ge, Compare::equ,
             Compare::neu, Compare::ltu, Compare::leu, Compare::gtu, Compare::geu, Compare::num, Compare::nan>(table,
                                                                                                               type);
}

/// Masks of an IEEE format, to classify patterns: exponent field, and everything but the sign.
template <class Bits, Bits Exponent, TestpMode Mode>
bool has_property(Bits value) {
  const Bits magnitude = value & static_cast<Bits>(~Bits{0} >> 1);
  const bool zero = magnitude == 0, subnormal = (magnitude & Exponent) == 0 && !zero;
  switch (Mode) {
    case TestpMode::finite:
      return magnitude < Exponent;
    case TestpMode::infinite:
      return magnitude == Exponent;
    case TestpMode::number:
      return magnitude <= Exponent;
    case TestpMode::notanumber:
      return magnitude > Exponent;
    // The ISA counts zeros among the normal numbers.
    case TestpMode::normal:
      return magnitude < Exponent && !subnormal;
    case TestpMode::subnormal:
      return subnormal;
    case TestpMode::none:
      break;
  }
  return false;
}

template <TestpMode... Modes>
void add_testp(KernelTable& table) {
  (table.add(LaneForm(Opcode::testp, Type::f32).test(Modes), map<has_property<u32, 0x7f800000u, Modes>>), ...);
  (table.add(LaneForm(Opcode::testp, Type::f64).test(Modes), map<has_property<u64, 0x7ff0000000000000u, Modes>>), ...);
}

}  // namespace

void add_float_compare_kernels(KernelTable& table) {
  add_for<f32, false>(table);
  add_for<f32, true>(table);
  add_for<f64, false>(table);
  add_for<f16, false>(table);
  add_for<f16, true>(table);
  add_for<bf16, false>(table);
  add_packed_for<f16, false>(table, Type::f16x2);
  add_packed_for<f16, true>(table, Type::f16x2);
  add_packed_for<bf16, false>(table, Type::bf16x2);
  add_testp<TestpMode::finite, TestpMode::infinite, TestpMode::number, TestpMode::notanumber, TestpMode::normal,
            TestpMode::subnormal>(table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
