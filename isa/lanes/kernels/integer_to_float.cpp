// cvt from integers: to f32 and f64 rounded to nearest even, to f16 and bf16 in every direction.
#include "isa/lanes/kernels/integer_to_float_ops.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

template <auto Function>
struct Nearest {
  static constexpr LaneKernel kernel = map<Function>;
};

/// An f64 that rounds to the 16-bit formats like the integer: exact up to 32 bits, beyond with a sticky last bit.
inline f64 to_f64_odd(u64 value) {
  const u64 kept = value >> 12 | static_cast<u64>((value & 0xfffu) != 0);  // 52 bits
  return value >> 52 == 0 ? static_cast<f64>(static_cast<s64>(value))
                          : static_cast<f64>(static_cast<s64>(kept)) * 4096.0;
}
template <class S>
inline f64 to_f64_odd_of(S value) {
  if constexpr (sizeof(S) < 8) {
    return static_cast<f64>(value);
  } else {
    const bool negative = is_signed_type<S> && value < 0;
    const f64 magnitude = to_f64_odd(negative ? 0 - static_cast<u64>(value) : static_cast<u64>(value));
    return negative ? -magnitude : magnitude;
  }
}

template <class D, class S, Rounding Mode, bool Sat>
D narrow_integer(S value) {
  const f64 exact = to_f64_odd_of(value);
  return Narrow<D>::template from<Mode>(Sat ? saturate(exact) : exact);
}

template <class D, class S, Rounding Mode>
void add_narrow(KernelTable& table) {
  const LaneForm form = LaneForm(Opcode::cvt, type_of<D>).from(type_of<S>).round(Mode);
  table.add(form, map<narrow_integer<D, S, Mode, false>>);
  table.add(form.with(LaneFlag::sat), map<narrow_integer<D, S, Mode, true>>);
}
template <class D, Rounding Mode>
void add_narrow_mode(KernelTable& table) {
  add_narrow<D, u8, Mode>(table);
  add_narrow<D, s8, Mode>(table);
  add_narrow<D, u16, Mode>(table);
  add_narrow<D, s16, Mode>(table);
  add_narrow<D, u32, Mode>(table);
  add_narrow<D, s32, Mode>(table);
  add_narrow<D, u64, Mode>(table);
  add_narrow<D, s64, Mode>(table);
}
template <class D>
void add_narrow_modes(KernelTable& table) {
  add_narrow_mode<D, Rounding::rn>(table);
  add_narrow_mode<D, Rounding::rz>(table);
  add_narrow_mode<D, Rounding::rm>(table);
  add_narrow_mode<D, Rounding::rp>(table);
}

}  // namespace

void add_integer_to_float_kernels(KernelTable& table) {
  add_from_integers<Nearest, f32>(table, Rounding::rn);
  add_from_integers<Nearest, f64>(table, Rounding::rn);
  add_narrow_modes<f16>(table);
  add_narrow_modes<bf16>(table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
