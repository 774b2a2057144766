// Arithmetic of f32 and f64 in the rounding mode that the host is in; nearest and directed kernels share it.
#pragma once

#include "isa/lanes/kernels/families.h"
#include "isa/lanes/kernels/half.h"
#include "isa/lanes/kernels/loop.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

/// Input of an operation: subnormal numbers count as zero with .ftz. f64 knows no .ftz.
template <bool Ftz>
inline f32 input(f32 value) {
  return Ftz ? ftz(value) : value;
}
template <bool Ftz>
inline f64 input(f64 value) {
  static_assert(!Ftz);
  return value;
}

/// [0, 1], where a NaN and -0 become +0.
template <class T>
inline T saturate(T value) {
  return value > 0 ? (value < 1 ? value : T(1)) : T(0);
}

/// Result of an operation: the canonical NaN, then .ftz, then .sat.
template <bool Ftz, bool Sat, class T>
inline T output(T value) {
  const T flushed = input<Ftz>(canonical(value));
  return Sat ? saturate(flushed) : flushed;
}

template <class T, bool Ftz, bool Sat>
inline T fadd(T a, T b) {
  return output<Ftz, Sat>(input<Ftz>(a) + input<Ftz>(b));
}
template <class T, bool Ftz, bool Sat>
inline T fsub(T a, T b) {
  return output<Ftz, Sat>(input<Ftz>(a) - input<Ftz>(b));
}
template <class T, bool Ftz, bool Sat>
inline T fmul(T a, T b) {
  return output<Ftz, Sat>(input<Ftz>(a) * input<Ftz>(b));
}
// Fused always: by the machine's instruction where the build has one, else by the C library, which is exact too.
inline f32 fused(f32 a, f32 b, f32 c) {
  return __builtin_fmaf(a, b, c);
}
inline f64 fused(f64 a, f64 b, f64 c) {
  return __builtin_fma(a, b, c);
}
template <class T, bool Ftz, bool Sat>
inline T ffma(T a, T b, T c) {
  return output<Ftz, Sat>(fused(input<Ftz>(a), input<Ftz>(b), input<Ftz>(c)));
}
template <class T, bool Ftz>
inline T fdiv(T a, T b) {
  return output<Ftz, false>(input<Ftz>(a) / input<Ftz>(b));
}
template <class T, bool Ftz>
inline T frcp(T a) {
  return output<Ftz, false>(T(1) / input<Ftz>(a));
}
inline f32 root(f32 value) {
  return __builtin_sqrtf(value);
}
inline f64 root(f64 value) {
  return __builtin_sqrt(value);
}
template <class T, bool Ftz>
inline T fsqrt(T a) {
  return output<Ftz, false>(root(input<Ftz>(a)));
}

/// Mixed precision: 16-bit operands become f32 exactly.
template <class H, bool Sat>
inline f32 fadd_mixed(H a, f32 c) {
  return fadd<f32, false, Sat>(widen(a), c);
}
template <class H, bool Sat>
inline f32 fsub_mixed(H a, f32 c) {
  return fsub<f32, false, Sat>(widen(a), c);
}
template <class H, bool Sat>
inline f32 ffma_mixed(H a, H b, f32 c) {
  return ffma<f32, false, Sat>(widen(a), widen(b), c);
}

/// f32x2: the same operation on both halves of a 64-bit register.
inline f32 low_f32(u64 pair) {
  return bit_cast<f32>(static_cast<u32>(pair));
}
inline f32 high_f32(u64 pair) {
  return bit_cast<f32>(static_cast<u32>(pair >> 32));
}
inline u64 pair_f32(f32 low, f32 high) {
  return bits_of(low) | static_cast<u64>(bits_of(high)) << 32;
}
template <f32 (*Function)(f32, f32)>
inline u64 fpair2(u64 a, u64 b) {
  return pair_f32(Function(low_f32(a), low_f32(b)), Function(high_f32(a), high_f32(b)));
}
template <f32 (*Function)(f32, f32, f32)>
inline u64 fpair3(u64 a, u64 b, u64 c) {
  return pair_f32(Function(low_f32(a), low_f32(b), low_f32(c)), Function(high_f32(a), high_f32(b), high_f32(c)));
}

/// Mixed precision in pairs: the 16-bit numbers of a become f32 exactly.
template <class H, f32 (*Function)(f32, f32)>
inline u64 fpair2_mixed(u32 a, u64 c) {
  return pair_f32(Function(widen(H{static_cast<u16>(a)}), low_f32(c)),
                  Function(widen(H{static_cast<u16>(a >> 16)}), high_f32(c)));
}
template <class H>
inline u64 fpair3_mixed(u32 a, u64 b, u64 c) {
  return pair_f32(ffma<f32, false, false>(widen(H{static_cast<u16>(a)}), low_f32(b), low_f32(c)),
                  ffma<f32, false, false>(widen(H{static_cast<u16>(a >> 16)}), high_f32(b), high_f32(c)));
}

/// Adds the forms of one rounding mode; `Map` makes a kernel of a function (in the nearest or in a directed mode).
template <template <auto> class Map, class T, bool Ftz>
void add_unsaturated(KernelTable& table, Rounding rounding) {
  const auto form = [&](Opcode opcode) {
    return LaneForm(opcode, type_of<T>).round(rounding).with(LaneFlag::ftz, Ftz);
  };
  table.add(form(Opcode::div), Map<fdiv<T, Ftz>>::kernel);
  table.add(form(Opcode::rcp), Map<frcp<T, Ftz>>::kernel);
  table.add(form(Opcode::sqrt), Map<fsqrt<T, Ftz>>::kernel);
}
template <template <auto> class Map, class T, bool Ftz, bool Sat>
void add_arithmetic(KernelTable& table, Rounding rounding) {
  const auto form = [&](Opcode opcode) {
    return LaneForm(opcode, type_of<T>).round(rounding).with(LaneFlag::ftz, Ftz).with(LaneFlag::sat, Sat);
  };
  table.add(form(Opcode::add), Map<fadd<T, Ftz, Sat>>::kernel);
  table.add(form(Opcode::sub), Map<fsub<T, Ftz, Sat>>::kernel);
  table.add(form(Opcode::mul), Map<fmul<T, Ftz, Sat>>::kernel);
  table.add(form(Opcode::fma), Map<ffma<T, Ftz, Sat>>::kernel);
}

template <template <auto> class Map, bool Ftz>
void add_pairs(KernelTable& table, Rounding rounding) {
  const auto form = [&](Opcode opcode) {
    return LaneForm(opcode, Type::f32x2).round(rounding).with(LaneFlag::ftz, Ftz);
  };
  table.add(form(Opcode::add), Map<fpair2<fadd<f32, Ftz, false>>>::kernel);
  table.add(form(Opcode::sub), Map<fpair2<fsub<f32, Ftz, false>>>::kernel);
  table.add(form(Opcode::mul), Map<fpair2<fmul<f32, Ftz, false>>>::kernel);
  table.add(form(Opcode::fma), Map<fpair3<ffma<f32, Ftz, false>>>::kernel);
}
template <template <auto> class Map, class H, bool Sat>
void add_mixed(KernelTable& table, Rounding rounding) {
  const auto form = [&](Opcode opcode) {
    return LaneForm(opcode, Type::f32).from(type_of<H>).round(rounding).with(LaneFlag::sat, Sat);
  };
  table.add(form(Opcode::add), Map<fadd_mixed<H, Sat>>::kernel);
  table.add(form(Opcode::sub), Map<fsub_mixed<H, Sat>>::kernel);
  table.add(form(Opcode::fma), Map<ffma_mixed<H, Sat>>::kernel);
}

template <template <auto> class Map, class H>
void add_mixed_pairs(KernelTable& table, Rounding rounding, Type packed) {
  const auto form = [&](Opcode opcode) {
    return LaneForm(opcode, Type::f32x2).from(packed).third(Type::f32x2).round(rounding);
  };
  table.add(form(Opcode::add), Map<fpair2_mixed<H, fadd<f32, false, false>>>::kernel);
  table.add(form(Opcode::sub), Map<fpair2_mixed<H, fsub<f32, false, false>>>::kernel);
  table.add(form(Opcode::fma), Map<fpair3_mixed<H>>::kernel);
}

template <template <auto> class Map>
void add_rounding(KernelTable& table, Rounding rounding) {
  add_arithmetic<Map, f32, false, false>(table, rounding);
  add_arithmetic<Map, f32, false, true>(table, rounding);
  add_arithmetic<Map, f32, true, false>(table, rounding);
  add_arithmetic<Map, f32, true, true>(table, rounding);
  add_arithmetic<Map, f64, false, false>(table, rounding);
  add_unsaturated<Map, f32, false>(table, rounding);
  add_unsaturated<Map, f32, true>(table, rounding);
  add_unsaturated<Map, f64, false>(table, rounding);
  add_pairs<Map, false>(table, rounding);
  add_pairs<Map, true>(table, rounding);
  add_mixed<Map, f16, false>(table, rounding);
  add_mixed<Map, f16, true>(table, rounding);
  add_mixed<Map, bf16, false>(table, rounding);
  add_mixed<Map, bf16, true>(table, rounding);
  add_mixed_pairs<Map, f16>(table, rounding, Type::f16x2);
  add_mixed_pairs<Map, bf16>(table, rounding, Type::bf16x2);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
