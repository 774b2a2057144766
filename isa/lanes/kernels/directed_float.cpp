// f32 and f64 arithmetic, rounded toward zero, down and up.
#include "isa/lanes/kernels/rounding_scope.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

namespace {

/// f32x2 to pairs of 16 bits, toward zero throughout: cutting twice is cutting once. .ftz: subnormal inputs and results
/// become zero.
template <class H, bool Ftz, f32 (*Function)(f32, f32)>
u32 narrowed_pair(u64 a, u64 c) {
  const auto narrow = [](f32 x, f32 y) -> u32 {
    const f32 value = Function(x, y);
    if constexpr (__is_same(H, f16)) {
      const u16 bits = to_f16<Round::zero>(value).bits;
      return Ftz && (bits & 0x7c00u) == 0 ? bits & 0x8000u : bits;
    } else {
      return to_bf16<Round::zero>(value).bits;
    }
  };
  return narrow(low_f32(a), low_f32(c)) | narrow(high_f32(a), high_f32(c)) << 16;
}

template <class H, bool Ftz>
void add_narrowed(KernelTable& table, Type packed) {
  const auto form = [&](Opcode opcode) {
    return LaneForm(opcode, packed).from(Type::f32x2).third(Type::f32x2).round(Rounding::rz).with(LaneFlag::ftz, Ftz);
  };
  table.add(form(Opcode::add), TowardZero<narrowed_pair<H, Ftz, fadd<f32, Ftz, false>>>::kernel);
  table.add(form(Opcode::sub), TowardZero<narrowed_pair<H, Ftz, fsub<f32, Ftz, false>>>::kernel);
  table.add(form(Opcode::mul), TowardZero<narrowed_pair<H, Ftz, fmul<f32, Ftz, false>>>::kernel);
}

}  // namespace

void add_directed_float_kernels(KernelTable& table) {
  add_rounding<TowardZero>(table, Rounding::rz);
  add_rounding<Downward>(table, Rounding::rm);
  add_rounding<Upward>(table, Rounding::rp);
  add_narrowed<f16, true>(table, Type::f16x2);
  add_narrowed<bf16, false>(table, Type::bf16x2);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
