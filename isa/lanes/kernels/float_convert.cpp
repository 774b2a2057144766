// cvt between floating-point formats.
#include "isa/lanes/kernels/convert_ops.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

/// .ftz concerns f32 only, be it source or destination.
template <bool Ftz>
f32 ftz_if(f32 value) {
  return Ftz ? ftz(value) : value;
}
template <bool Ftz>
f64 ftz_if(f64 value) {
  return value;
}
template <bool Relu, class T>
T rectify(T value) {
  return Relu && value <= 0 ? T(0) : value;  // a NaN stays, to become the canonical one
}

/// To f32 or f64 from a format that is no wider, or from f64 to nearest.
template <class D, class S, bool Ftz, bool Sat>
D to_wide(S value) {
  const D converted = ftz_if<Ftz>(canonical(static_cast<D>(ftz_if<Ftz>(wide(value)))));
  return Sat ? saturate(converted) : converted;
}
/// To a value of the same format, rounded to an integral one (or only flushed and saturated).
template <class T, Rounding Mode, bool Ftz, bool Sat>
T to_integral(T value) {
  const auto rounded = ftz_if<Ftz>(canonical(integral<Mode>(ftz_if<Ftz>(wide(value)))));
  const auto result = Sat ? saturate(rounded) : rounded;
  if constexpr (sizeof(T) == 2) {
    return Narrow<T>::template from<Rounding::rn>(result);
  } else {
    return result;
  }
}
template <class D, class S, Rounding Mode, bool Ftz, bool Sat, bool Relu>
D to_narrow(S value) {
  const auto source = rectify<Relu>(ftz_if<Ftz>(wide(value)));
  return Narrow<D>::template from<Mode>(Sat ? saturate(source) : source);
}
/// .satfinite: the pattern below infinity, one unit of the last place, is that of the largest number.
template <bool Finite, class Bits>
Bits finite_if(Bits bits, Bits infinity, Bits unit) {
  constexpr Bits magnitude = static_cast<Bits>(static_cast<Bits>(~Bits{0}) >> 1);
  return Finite && (bits & magnitude) == infinity ? static_cast<Bits>(bits - unit) : bits;
}
/// .pzo: a zero has no sign.
template <bool Pzo, class Bits>
Bits positive_zero_if(Bits bits) {
  constexpr Bits magnitude = static_cast<Bits>(static_cast<Bits>(~Bits{0}) >> 1);
  return Pzo && (bits & magnitude) == 0 ? Bits{0} : bits;
}
template <class D, Rounding Mode, bool Relu, bool Finite, bool Pzo>
D to_half(f32 value) {
  const D narrow = to_narrow<D, f32, Mode, false, false, Relu>(value);
  const u16 bits = finite_if<Finite, u16>(narrow.bits, __is_same(D, f16) ? 0x7c00u : 0x7f80u, 1);
  return D{positive_zero_if<Pzo, u16>(bits)};
}
template <Rounding Mode, bool Relu, bool Finite, bool Pzo>
f32 f32_to_tf32(f32 value) {
  const f32 rounded = to_tf32<direction(Mode)>(rectify<Relu>(value));
  return bit_cast<f32>(positive_zero_if<Pzo, u32>(finite_if<Finite, u32>(bits_of(rounded), 0x7f800000u, 1u << 13)));
}
/// Two f32 into one register: a becomes the high half.
template <class D, Rounding Mode, bool Relu, bool Finite, bool Pzo>
u32 pack(f32 a, f32 b) {
  const u32 high = to_half<D, Mode, Relu, Finite, Pzo>(a).bits;
  return high << 16 | to_half<D, Mode, Relu, Finite, Pzo>(b).bits;
}

LaneForm cvt(Type to, Type from, Rounding rounding = Rounding::none) {
  return LaneForm(Opcode::cvt, to).from(from).round(rounding);
}

template <class D, class S>
void add_wide(KernelTable& table, Rounding rounding) {
  const LaneForm form = cvt(type_of<D>, type_of<S>, rounding);
  table.add(form, map<to_wide<D, S, false, false>>);
  table.add(form.with(LaneFlag::sat), map<to_wide<D, S, false, true>>);
  if constexpr (__is_same(D, f32) || __is_same(S, f32)) {
    table.add(form.with(LaneFlag::ftz), map<to_wide<D, S, true, false>>);
    table.add(form.with(LaneFlag::ftz).with(LaneFlag::sat), map<to_wide<D, S, true, true>>);
  }
}

template <class T, Rounding... Modes>
void add_integral(KernelTable& table) {
  constexpr Type type = type_of<T>;
  (table.add(cvt(type, type, Modes), map<to_integral<T, Modes, false, false>>), ...);
  (table.add(cvt(type, type, Modes).with(LaneFlag::sat), map<to_integral<T, Modes, false, true>>), ...);
  if constexpr (__is_same(T, f32)) {
    (table.add(cvt(type, type, Modes).with(LaneFlag::ftz), map<to_integral<T, Modes, true, false>>), ...);
    (table.add(cvt(type, type, Modes).with(LaneFlag::ftz).with(LaneFlag::sat), map<to_integral<T, Modes, true, true>>),
     ...);
  }
}
template <class T>
void add_same_format(KernelTable& table) {
  add_integral<T, Rounding::none, Rounding::rni, Rounding::rzi, Rounding::rmi, Rounding::rpi>(table);
}

template <class D, class S, Rounding Mode, bool Ftz>
void add_narrow_mode(KernelTable& table) {
  const LaneForm form = cvt(type_of<D>, type_of<S>, Mode).with(LaneFlag::ftz, Ftz);
  table.add(form, map<to_narrow<D, S, Mode, Ftz, false, false>>);
  table.add(form.with(LaneFlag::sat), map<to_narrow<D, S, Mode, Ftz, true, false>>);
  table.add(form.with(LaneFlag::relu), map<to_narrow<D, S, Mode, Ftz, false, true>>);
}
template <class D, class S, bool Ftz>
void add_narrow_modes(KernelTable& table) {
  add_narrow_mode<D, S, Rounding::rn, Ftz>(table);
  add_narrow_mode<D, S, Rounding::rz, Ftz>(table);
  add_narrow_mode<D, S, Rounding::rm, Ftz>(table);
  add_narrow_mode<D, S, Rounding::rp, Ftz>(table);
}
template <class D, class S>
void add_narrow(KernelTable& table) {
  add_narrow_modes<D, S, false>(table);
  if constexpr (__is_same(S, f32)) add_narrow_modes<D, S, true>(table);
}

template <Rounding Mode, bool Relu, bool Finite, bool Pzo>
void add_tf32_and_pairs(KernelTable& table) {
  const auto form = [](Type to) {
    return cvt(to, Type::f32, Mode)
        .with(LaneFlag::relu, Relu)
        .with(LaneFlag::satfinite, Finite)
        .with(LaneFlag::pzo, Pzo);
  };
  table.add(form(Type::tf32), map<f32_to_tf32<Mode, Relu, Finite, Pzo>>);
  if constexpr (Mode != Rounding::rna) {
    table.add(form(Type::f16x2), map<pack<f16, Mode, Relu, Finite, Pzo>>);
    table.add(form(Type::bf16x2), map<pack<bf16, Mode, Relu, Finite, Pzo>>);
  }
  if constexpr (Mode != Rounding::rna && (Finite || Pzo)) {  // without these they are ordinary narrowing
    table.add(form(Type::f16), map<to_half<f16, Mode, Relu, Finite, Pzo>>);
    table.add(form(Type::bf16), map<to_half<bf16, Mode, Relu, Finite, Pzo>>);
  }
}
template <Rounding Mode, bool Pzo>
void add_tf32_and_pairs(KernelTable& table) {
  add_tf32_and_pairs<Mode, false, false, Pzo>(table);
  add_tf32_and_pairs<Mode, false, true, Pzo>(table);
  if constexpr (Mode != Rounding::rna) {
    add_tf32_and_pairs<Mode, true, false, Pzo>(table);
    add_tf32_and_pairs<Mode, true, true, Pzo>(table);
  }
}

}  // namespace

void add_float_convert_kernels(KernelTable& table) {
  add_same_format<f16>(table);
  add_same_format<bf16>(table);
  add_same_format<f32>(table);
  add_same_format<f64>(table);
  add_wide<f32, f16>(table, Rounding::none);
  add_wide<f32, bf16>(table, Rounding::none);
  add_wide<f64, f16>(table, Rounding::none);
  add_wide<f64, bf16>(table, Rounding::none);
  add_wide<f64, f32>(table, Rounding::none);
  add_wide<f32, f64>(table, Rounding::rn);
  add_narrow<f16, f32>(table);
  add_narrow<f16, f64>(table);
  add_narrow<f16, bf16>(table);
  add_narrow<bf16, f32>(table);
  add_narrow<bf16, f64>(table);
  add_narrow<bf16, f16>(table);
  add_tf32_and_pairs<Rounding::rn, false>(table);
  add_tf32_and_pairs<Rounding::rn, true>(table);
  add_tf32_and_pairs<Rounding::rz, false>(table);
  add_tf32_and_pairs<Rounding::rz, true>(table);
  add_tf32_and_pairs<Rounding::rna, false>(table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
