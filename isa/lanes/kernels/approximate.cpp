// Approximate functions: ex2, lg2, sin, cos, tanh, rsqrt, and the .approx and .full forms of rcp, sqrt and div.
#include "isa/lanes/kernels/elementary.h"
#include "isa/lanes/kernels/float_ops.h"
#include "isa/lanes/kernels/half.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

/// f32 instruction of a function on f64.
template <f64 (*Function)(f64), bool Ftz>
f32 on_f32(f32 a) {
  return output<Ftz, false>(static_cast<f32>(Function(input<Ftz>(a))));
}
template <f64 (*Function)(f64)>
f16 on_f16(f16 a) {
  return to_f16<Round::near>(Function(widen(a)));
}
/// bf16 shares f32's exponents; its forms flush like .ftz ones where the ISA says so.
template <f64 (*Function)(f64), bool Ftz>
bf16 on_bf16(bf16 a) {
  const u32 bits = static_cast<u32>(to_bf16<Round::near>(Function(input<Ftz>(widen(a)))).bits) << 16;
  return bf16{static_cast<u16>(bits_of(input<Ftz>(bit_cast<f32>(bits))) >> 16)};
}
template <class T, T (*Function)(T)>
u32 on_pair(u32 a) {
  const u32 low = Function(T{static_cast<u16>(a)}).bits;
  return low | static_cast<u32>(Function(T{static_cast<u16>(a >> 16)}).bits) << 16;
}

f64 inverse_root(f64 x) {
  return 1.0 / __builtin_sqrt(x);
}

/// Quotients by numbers beyond 2^126 are 0 (the reciprocal has been flushed), and NaN for infinite dividends.
template <bool Ftz>
f32 div_approx(f32 a, f32 b) {
  const f32 x = input<Ftz>(a), y = input<Ftz>(b);
  const f32 magnitude = __builtin_fabsf(y);
  const bool flushed = (magnitude > 0x1p126f) & (magnitude < __builtin_inff());
  return output<Ftz, false>(flushed ? x * __builtin_copysignf(0.0f, y) : x / y);
}

/// The f64 approximations see and deliver the upper 32 bits of a number.
f64 upper_half(f64 value) {
  return bit_cast<f64>(bits_of(canonical(value)) & 0xffffffff00000000u);
}
f64 ftz_f64(f64 value) {
  const u64 bits = bits_of(value);
  return bit_cast<f64>((bits & 0x7ff0000000000000u) == 0 ? bits & 0x8000000000000000u : bits);
}
f64 rcp_approx_f64(f64 a) {
  return upper_half(ftz_f64(1.0 / upper_half(ftz_f64(a))));
}
f64 rsqrt_approx_ftz_f64(f64 a) {
  return upper_half(inverse_root(upper_half(ftz_f64(a))));
}
f64 rsqrt_approx_f64(f64 a) {
  return canonical(inverse_root(a));
}

template <f64 (*Function)(f64)>
void add_f32(KernelTable& table, Opcode opcode) {
  const LaneForm form = LaneForm(opcode, Type::f32).with(LaneFlag::approx);
  table.add(form, map<on_f32<Function, false>>);
  table.add(form.with(LaneFlag::ftz), map<on_f32<Function, true>>);
}
template <f64 (*Function)(f64)>
void add_f16(KernelTable& table, Opcode opcode) {
  table.add(LaneForm(opcode, Type::f16).with(LaneFlag::approx), map<on_f16<Function>>);
  table.add(LaneForm(opcode, Type::f16x2).with(LaneFlag::approx), map<on_pair<f16, on_f16<Function>>>);
}
template <f64 (*Function)(f64), bool Ftz>
void add_bf16(KernelTable& table, Opcode opcode) {
  const auto form = [&](Type type) { return LaneForm(opcode, type).with(LaneFlag::approx).with(LaneFlag::ftz, Ftz); };
  table.add(form(Type::bf16), map<on_bf16<Function, Ftz>>);
  table.add(form(Type::bf16x2), map<on_pair<bf16, on_bf16<Function, Ftz>>>);
}

/// rcp and sqrt round correctly, which is within every bound of .approx.
template <bool Ftz>
void add_division(KernelTable& table) {
  const auto form = [](Opcode opcode, LaneFlag flag) {
    return LaneForm(opcode, Type::f32).with(flag).with(LaneFlag::ftz, Ftz);
  };
  table.add(form(Opcode::rcp, LaneFlag::approx), map<frcp<f32, Ftz>>);
  table.add(form(Opcode::sqrt, LaneFlag::approx), map<fsqrt<f32, Ftz>>);
  table.add(form(Opcode::div, LaneFlag::approx), map<div_approx<Ftz>>);
  table.add(form(Opcode::div, LaneFlag::full), map<fdiv<f32, Ftz>>);
}

}  // namespace

void add_approximate_kernels(KernelTable& table) {
  add_f32<ex2>(table, Opcode::ex2);
  add_f32<lg2>(table, Opcode::lg2);
  add_f32<sine<0>>(table, Opcode::sin);
  add_f32<sine<1>>(table, Opcode::cos);
  add_f32<inverse_root>(table, Opcode::rsqrt);
  table.add(LaneForm(Opcode::tanh, Type::f32).with(LaneFlag::approx), map<on_f32<tanh_of, false>>);
  add_f16<ex2>(table, Opcode::ex2);
  add_f16<tanh_of>(table, Opcode::tanh);
  add_bf16<ex2, true>(table, Opcode::ex2);
  add_bf16<tanh_of, false>(table, Opcode::tanh);
  add_division<false>(table);
  add_division<true>(table);

  const LaneForm rsqrt = LaneForm(Opcode::rsqrt, Type::f64).with(LaneFlag::approx);
  table.add(rsqrt, map<rsqrt_approx_f64>);
  table.add(rsqrt.with(LaneFlag::ftz), map<rsqrt_approx_ftz_f64>);
  table.add(LaneForm(Opcode::rcp, Type::f64).with(LaneFlag::approx).with(LaneFlag::ftz), map<rcp_approx_f64>);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
