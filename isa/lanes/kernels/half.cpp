// Arithmetic on f16, bf16 and pairs of them (PTX ISA, "Half Precision Floating-Point Instructions").
//
// Every operation is computed in a format that holds enough of it and rounded once to the 16-bit format: f32 for sums
// (24 bits are at least twice 11 plus 2, which makes a second rounding harmless), f64 rounded to odd for fma and for
// bf16 products (whose subnormal results f32 would round already).
#include "isa/lanes/kernels/half.h"
#include "isa/lanes/kernels/families.h"
#include "isa/lanes/kernels/float_ops.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

/// What follows an operation: nothing, .sat, or .relu.
enum class After : u8 { nothing, sat, relu };

template <class T>
struct Format;
template <>
struct Format<f16> {
  static constexpr u16 exponent = 0x7c00, one = 0x3c00;
  static f16 round(f32 value) { return to_f16<Round::near>(value); }
  static f16 round(f64 value) { return to_f16<Round::near>(value); }
};
template <>
struct Format<bf16> {
  static constexpr u16 exponent = 0x7f80;
  static bf16 round(f32 value) { return to_bf16<Round::near>(value); }
  static bf16 round(f64 value) { return to_bf16<Round::near>(value); }
};

template <class T>
bool is_nan(T value) {
  return (value.bits & 0x7fffu) > Format<T>::exponent;
}
template <bool Ftz, class T>
T ftz_half(T value) {
  return Ftz && (value.bits & Format<T>::exponent) == 0 ? T{static_cast<u16>(value.bits & 0x8000u)} : value;
}
/// Result of an operation on the exact (or rounded-to-odd) value: rounded, then .ftz, then .sat or .relu.
template <class T, bool Ftz, After Then, class Wide>
T finish(Wide value) {
  const T rounded = ftz_half<Ftz>(Format<T>::round(value));
  const bool negative = (rounded.bits & 0x8000u) != 0;
  if constexpr (Then == After::sat) {
    if (negative || is_nan(rounded)) return T{0};
    return rounded.bits > Format<T>::one ? T{Format<T>::one} : rounded;
  }
  if constexpr (Then == After::relu) return negative ? T{0} : rounded;
  return rounded;
}
template <bool Ftz, class T>
f32 operand(T value) {
  return widen(ftz_half<Ftz>(value));
}

template <class T, bool Ftz, After Then>
T hadd(T a, T b) {
  return finish<T, Ftz, Then>(operand<Ftz>(a) + operand<Ftz>(b));
}
template <class T, bool Ftz, After Then>
T hsub(T a, T b) {
  return finish<T, Ftz, Then>(operand<Ftz>(a) - operand<Ftz>(b));
}
template <class T, bool Ftz, After Then>
T hmul(T a, T b) {
  return finish<T, Ftz, Then>(static_cast<f64>(operand<Ftz>(a)) * static_cast<f64>(operand<Ftz>(b)));
}
template <class T, bool Ftz, After Then>
T hfma(T a, T b, T c) {
  return finish<T, Ftz, Then>(fma_odd(operand<Ftz>(a), operand<Ftz>(b), operand<Ftz>(c)));
}
/// The NaN that stands for elements outside a tensor. The ISA speaks of it without its bits; the copy engine fills with
/// this pattern in both formats.
inline constexpr u16 oob_nan_bits = 0x7ff7u;
/// .oob: a factor outside the tensor makes the result +0. The summand may be anything.
template <class T, After Then>
T hfma_oob(T a, T b, T c) {
  const bool outside = a.bits == oob_nan_bits || b.bits == oob_nan_bits;
  return outside ? T{0} : hfma<T, false, Then>(a, b, c);
}
template <class T, bool Ftz>
T habs(T a) {
  return T{static_cast<u16>(ftz_half<Ftz>(a).bits & 0x7fffu)};
}
template <class T, bool Ftz>
T hneg(T a) {
  return T{static_cast<u16>(ftz_half<Ftz>(a).bits ^ 0x8000u)};
}

/// Patterns in the order of the values: -0 is below +0.
template <class T>
s32 rank(T value) {
  const s32 magnitude = value.bits & 0x7fff;
  return (value.bits & 0x8000u) != 0 ? -1 - magnitude : magnitude;
}
template <class T, bool Max, bool Nan>
T hextremum(T a, T b) {
  const T ordered = (rank(a) > rank(b)) == Max ? a : b;
  const T number = is_nan(a) ? b : is_nan(b) ? a : ordered;
  const bool nan = Nan ? is_nan(a) || is_nan(b) : is_nan(number);
  return nan ? T{nan_f16_bits} : number;
}
template <class T, bool Max, bool Ftz, bool Nan>
T hminmax(T a, T b) {
  return hextremum<T, Max, Nan>(ftz_half<Ftz>(a), ftz_half<Ftz>(b));
}
template <class T, bool Max, bool Ftz, bool Nan>
T hminmax_xorsign(T a, T b) {
  const T result = hextremum<T, Max, Nan>(habs<T, Ftz>(a), habs<T, Ftz>(b));
  const u32 sign = (a.bits ^ b.bits) & 0x8000u;
  return is_nan(result) ? result : T{static_cast<u16>(result.bits | sign)};
}

/// The same operation on both halves of a 32-bit register.
template <class T>
T low(u32 pair) {
  return T{static_cast<u16>(pair)};
}
template <class T>
T high(u32 pair) {
  return T{static_cast<u16>(pair >> 16)};
}
template <class T>
u32 pair(T low_half, T high_half) {
  return low_half.bits | static_cast<u32>(high_half.bits) << 16;
}
template <class T, T (*Function)(T)>
u32 paired1(u32 a) {
  return pair(Function(low<T>(a)), Function(high<T>(a)));
}
template <class T, T (*Function)(T, T)>
u32 paired2(u32 a, u32 b) {
  return pair(Function(low<T>(a), low<T>(b)), Function(high<T>(a), high<T>(b)));
}
template <class T, T (*Function)(T, T, T)>
u32 paired3(u32 a, u32 b, u32 c) {
  return pair(Function(low<T>(a), low<T>(b), low<T>(c)), Function(high<T>(a), high<T>(b), high<T>(c)));
}

template <class T>
inline constexpr Type pair_type = Type::f16x2;
template <>
inline constexpr Type pair_type<bf16> = Type::bf16x2;

/// Adds a form on single values and the same one on pairs. Functions of one, two or three operands.
template <class Dress>
void add_both(KernelTable& table, Opcode opcode, const Dress& dress, Type single, Type packed, LaneKernel one,
              LaneKernel two) {
  table.add(dress(LaneForm(opcode, single)), one);
  table.add(dress(LaneForm(opcode, packed)), two);
}

template <class T, bool Ftz, After Then>
void add_arithmetic(KernelTable& table) {
  const auto rounded = [](const LaneForm& form) {
    return form.round(Rounding::rn)
        .with(LaneFlag::ftz, Ftz)
        .with(LaneFlag::sat, Then == After::sat)
        .with(LaneFlag::relu, Then == After::relu);
  };
  constexpr Type single = type_of<T>, packed = pair_type<T>;
  add_both(table, Opcode::fma, rounded, single, packed, map<hfma<T, Ftz, Then>>, map<paired3<T, hfma<T, Ftz, Then>>>);
  if constexpr (Then != After::relu) {
    add_both(table, Opcode::add, rounded, single, packed, map<hadd<T, Ftz, Then>>, map<paired2<T, hadd<T, Ftz, Then>>>);
    add_both(table, Opcode::sub, rounded, single, packed, map<hsub<T, Ftz, Then>>, map<paired2<T, hsub<T, Ftz, Then>>>);
    add_both(table, Opcode::mul, rounded, single, packed, map<hmul<T, Ftz, Then>>, map<paired2<T, hmul<T, Ftz, Then>>>);
  }
}

template <class T, After Then>
void add_oob(KernelTable& table) {
  const auto form = [](const LaneForm& base) {
    return base.round(Rounding::rn).with(LaneFlag::oob).with(LaneFlag::relu, Then == After::relu);
  };
  add_both(table, Opcode::fma, form, type_of<T>, pair_type<T>, map<hfma_oob<T, Then>>,
           map<paired3<T, hfma_oob<T, Then>>>);
}

/// The product of a T and another 16-bit number, which becomes a T first.
template <class T, class Other>
T hmul_mixed(T a, Other c) {
  return hmul<T, false, After::nothing>(a, Format<T>::round(widen(c)));
}
template <class T, class Other>
u32 paired_mixed(u32 a, u32 c) {
  return pair(hmul_mixed(low<T>(a), low<Other>(c)), hmul_mixed(high<T>(a), high<Other>(c)));
}
template <class T, class Other>
void add_mixed_product(KernelTable& table) {
  table.add(LaneForm(Opcode::mul, pair_type<T>).from(pair_type<T>).third(pair_type<Other>).round(Rounding::rn),
            map<paired_mixed<T, Other>>);
}

template <class T, bool Ftz>
void add_signs(KernelTable& table) {
  const auto plain = [](const LaneForm& form) { return form.with(LaneFlag::ftz, Ftz); };
  constexpr Type single = type_of<T>, packed = pair_type<T>;
  add_both(table, Opcode::abs_, plain, single, packed, map<habs<T, Ftz>>, map<paired1<T, habs<T, Ftz>>>);
  add_both(table, Opcode::neg, plain, single, packed, map<hneg<T, Ftz>>, map<paired1<T, hneg<T, Ftz>>>);
}

template <class T, bool Max, bool Ftz, bool Nan>
void add_extremum(KernelTable& table) {
  const auto form = [](const LaneForm& base) { return base.with(LaneFlag::ftz, Ftz).with(LaneFlag::nan, Nan); };
  const auto xorsign = [&](const LaneForm& base) { return form(base).with(LaneFlag::xorsign_abs); };
  constexpr Opcode opcode = Max ? Opcode::max : Opcode::min;
  constexpr Type single = type_of<T>, packed = pair_type<T>;
  add_both(table, opcode, form, single, packed, map<hminmax<T, Max, Ftz, Nan>>,
           map<paired2<T, hminmax<T, Max, Ftz, Nan>>>);
  add_both(table, opcode, xorsign, single, packed, map<hminmax_xorsign<T, Max, Ftz, Nan>>,
           map<paired2<T, hminmax_xorsign<T, Max, Ftz, Nan>>>);
}
template <class T, bool Ftz>
void add_extrema(KernelTable& table) {
  add_extremum<T, false, Ftz, false>(table);
  add_extremum<T, false, Ftz, true>(table);
  add_extremum<T, true, Ftz, false>(table);
  add_extremum<T, true, Ftz, true>(table);
}

}  // namespace

void add_half_kernels(KernelTable& table) {
  add_arithmetic<f16, false, After::nothing>(table);
  add_arithmetic<f16, false, After::sat>(table);
  add_arithmetic<f16, false, After::relu>(table);
  add_arithmetic<f16, true, After::nothing>(table);
  add_arithmetic<f16, true, After::sat>(table);
  add_arithmetic<f16, true, After::relu>(table);
  add_arithmetic<bf16, false, After::nothing>(table);
  add_arithmetic<bf16, false, After::relu>(table);
  add_oob<f16, After::nothing>(table);
  add_oob<f16, After::relu>(table);
  add_oob<bf16, After::nothing>(table);
  add_oob<bf16, After::relu>(table);
  add_mixed_product<f16, bf16>(table);
  add_mixed_product<bf16, f16>(table);
  add_signs<f16, false>(table);
  add_signs<f16, true>(table);
  add_signs<bf16, false>(table);
  add_extrema<f16, false>(table);
  add_extrema<f16, true>(table);
  add_extrema<bf16, false>(table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
