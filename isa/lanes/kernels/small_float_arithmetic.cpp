// add, sub, mul and fma on four numbers of 4, 6 or 8 bits (PTX ISA, "Alternate Floating-Point Instructions").
//
// Operands become f64 exactly, and so do their products. A sum is rounded to odd in f64 and again in f32, which leaves
// the one rounding to the format of the result right. One function interprets all forms: there are hundreds, and none
// that programs wait for.
#include <utility>

#include "isa/lanes/kernels/families.h"
#include "isa/lanes/kernels/loop.h"
#include "isa/lanes/kernels/small_float.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

constexpr Type sources[] = {Type::e4m3x4, Type::e5m2x4,   Type::e2m3x4, Type::e3m2x4,
                            Type::e2m1x4, Type::e2m1p4x4, Type::ue8m0x4};
constexpr Type results[] = {Type::e4m3x4, Type::e5m2x4};
constexpr Opcode opcodes[] = {Opcode::add, Opcode::sub, Opcode::mul, Opcode::fma};
constexpr unsigned source_count = 7, result_count = 2, opcode_count = 4;

/// Everything that tells one form from another, as a number.
struct Facts {
  Opcode opcode;
  Type result, a, b;  ///< b: of mul and fma only
  bool finite;
};
constexpr unsigned fact_count = opcode_count * result_count * source_count * source_count * 2;
constexpr Facts facts_of(unsigned n) {
  return {opcodes[n / (fact_count / opcode_count)], results[n / (2 * source_count * source_count) % result_count],
          sources[n / (2 * source_count) % source_count], sources[n / 2 % source_count], n % 2 != 0};
}
constexpr bool has_two_factors(Opcode opcode) {
  return opcode == Opcode::mul || opcode == Opcode::fma;
}

/// Number `n` of a register with four of them. Formats of 4 bits without padding lie side by side.
f64 element(Type type, u32 bits, unsigned n) {
  const u32 byte = bits >> 8 * n;
  switch (type) {
    case Type::e4m3x4:
      return static_cast<f64>(decode<E4m3>(byte & 0xff));
    case Type::e5m2x4:
      return static_cast<f64>(decode<E5m2>(byte & 0xff));
    case Type::e2m3x4:
      return static_cast<f64>(decode<E2m3>(byte & 0x3f));
    case Type::e3m2x4:
      return static_cast<f64>(decode<E3m2>(byte & 0x3f));
    case Type::e2m1x4:
      return static_cast<f64>(decode<E2m1>(bits >> 4 * n & 0xf));
    case Type::e2m1p4x4:
      return static_cast<f64>(decode<E2m1>(byte & 0xf));
    default:  // ue8m0
      return (byte & 0xff) == 0xff ? __builtin_nan("")
                                   : bit_cast<f64>(static_cast<u64>(1023 - 127 + (byte & 0xff)) << 52);
  }
}

template <class S>
u32 rounded(f64 value, bool finite) {
  const f32 odd = value != value ? bit_cast<f32>(nan_f32_bits) : to_f32_odd(value);
  return finite ? encode<S, Rounding::rn, false, false, true>(odd) : encode<S, Rounding::rn, false, false, false>(odd);
}

u32 compute(const Facts& facts, u32 a, u32 b, u32 c) {
  u32 result = 0;
  for (unsigned n = 0; n < 4; ++n) {
    const f64 x = element(facts.a, a, n);
    const f64 product = has_two_factors(facts.opcode) ? x * element(facts.b, b, n) : x;
    const f64 term = element(facts.result, c, n);
    const f64 value =
        facts.opcode == Opcode::mul ? product : sum_odd(product, facts.opcode == Opcode::sub ? -term : term);
    const u32 code =
        facts.result == Type::e4m3x4 ? rounded<E4m3>(value, facts.finite) : rounded<E5m2>(value, facts.finite);
    result |= code << 8 * n;
  }
  return result;
}

/// The bits of one lane; .e2m1x4 lives in 16 bits.
u32 read(const void* values, Type type, unsigned lane) {
  if (values == nullptr) return 0;
  if (type == Type::e2m1x4) return static_cast<const Storage<u16>::Word*>(values)[lane];
  return static_cast<const Storage<u32>::Word*>(values)[lane];
}

[[gnu::noinline]] void interpret(unsigned number, const LaneArgs& args) {
  const Facts facts = facts_of(number);
  const bool factors = has_two_factors(facts.opcode);
  const void* const last = facts.opcode == Opcode::mul ? nullptr : args.src[factors ? 2 : 1];
  auto* const dst = static_cast<Storage<u32>::Word*>(args.dst);
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
    if ((args.mask & lane_bit[lane]) == 0) continue;
    dst[lane] = compute(facts, read(args.src[0], facts.a, lane), factors ? read(args.src[1], facts.b, lane) : 0,
                        read(last, facts.result, lane));
  }
}

template <unsigned Number>
void kernel(const LaneArgs& args) {
  interpret(Number, args);
}

template <unsigned... Numbers>
void add_all(KernelTable& table, std::integer_sequence<unsigned, Numbers...>) {
  constexpr LaneKernel kernels[] = {kernel<Numbers>...};
  for (unsigned n = 0; n < fact_count; ++n) {
    const Facts facts = facts_of(n);
    const LaneForm form =
        LaneForm(facts.opcode, facts.result).from(facts.a).round(Rounding::rn).with(LaneFlag::satfinite, facts.finite);
    if (has_two_factors(facts.opcode))
      table.add(form.third(facts.b), kernels[n]);
    else if (facts.b == sources[0])
      table.add(form, kernels[n]);
  }
}

}  // namespace

void add_small_float_arithmetic_kernels(KernelTable& table) {
  add_all(table, std::make_integer_sequence<unsigned, fact_count>());
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
