// f16 and bf16 arithmetic against exact long double sums and products, rounded once by definition.
#include "tests/unit/lanes/float_formats.h"

namespace syncline::isa::test {
namespace {

using H = std::uint16_t;
using U = std::uint32_t;

enum class Then { nothing, sat, relu };

template <bool Bf>
constexpr Format format = Bf ? format_bf16 : format_f16;
template <bool Bf>
constexpr Type single = Bf ? Type::bf16 : Type::f16;
template <bool Bf>
constexpr Type packed = Bf ? Type::bf16x2 : Type::f16x2;

template <bool Bf, bool Ftz>
long double value(H bits) {
  return decode(Ftz ? flush_pattern(bits, format<Bf>) : bits, format<Bf>);
}
template <bool Bf, bool Ftz, Then After>
H finish(long double exact) {
  auto bits = static_cast<H>(encode(exact, format<Bf>, Rounding::rn));
  if (Ftz) bits = flush_pattern(bits, format<Bf>);
  const long double rounded = decode(bits, format<Bf>);
  if (After == Then::sat) {
    if (std::isnan(rounded) || rounded <= 0) return 0;
    if (rounded > 1) return static_cast<H>(encode(1, format<Bf>, Rounding::rn));
  }
  if (After == Then::relu && (rounded < 0 || (rounded == 0 && std::signbit(rounded)))) return 0;
  return bits;
}

/// a * b + c with a tail too small to matter for 8 or 11 bits replaced by one that long double can hold.
long double sum_with_sticky(long double p, long double c) {
  if (p == 0 || c == 0 || !std::isfinite(p) || !std::isfinite(c)) return p + c;
  const bool p_larger = std::fabs(p) > std::fabs(c);
  const long double large = p_larger ? p : c, tail = p_larger ? c : p;
  if (std::ilogb(large) - std::ilogb(tail) <= 40) return p + c;
  return large + std::copysign(std::ldexp(1.0L, std::ilogb(large) - 40), tail);
}

template <bool Bf, bool Ftz, Then After>
struct Half {
  static H add(H a, H b) { return finish<Bf, Ftz, After>(sum_with_sticky(value<Bf, Ftz>(a), value<Bf, Ftz>(b))); }
  static H sub(H a, H b) { return finish<Bf, Ftz, After>(sum_with_sticky(value<Bf, Ftz>(a), -value<Bf, Ftz>(b))); }
  static H mul(H a, H b) { return finish<Bf, Ftz, After>(value<Bf, Ftz>(a) * value<Bf, Ftz>(b)); }
  static H fma(H a, H b, H c) {
    return finish<Bf, Ftz, After>(sum_with_sticky(value<Bf, Ftz>(a) * value<Bf, Ftz>(b), value<Bf, Ftz>(c)));
  }
  static Modifiers form(Type type) {
    Modifiers m = mods(type);
    m.rounding = Rounding::rn;
    m.ftz = Ftz;
    m.sat = After == Then::sat;
    m.relu = After == Then::relu;
    return m;
  }
};

template <H (*F)(H, H)>
U paired(U a, U b) {
  const U low = F(static_cast<H>(a), static_cast<H>(b));
  return static_cast<U>(F(static_cast<H>(a >> 16), static_cast<H>(b >> 16))) << 16 | low;
}
template <H (*F)(H)>
U paired(U a) {
  return static_cast<U>(F(static_cast<H>(a >> 16))) << 16 | F(static_cast<H>(a));
}
template <H (*F)(H, H, H)>
U paired(U a, U b, U c) {
  const U low = F(static_cast<H>(a), static_cast<H>(b), static_cast<H>(c));
  return static_cast<U>(F(static_cast<H>(a >> 16), static_cast<H>(b >> 16), static_cast<H>(c >> 16))) << 16 | low;
}

template <bool Bf, bool Ftz, Then After>
void expect_arithmetic() {
  using Ops = Half<Bf, Ftz, After>;
  expect_form(Opcode::fma, Ops::form(single<Bf>), Ops::fma, 400);
  expect_form(Opcode::fma, Ops::form(packed<Bf>), static_cast<U (*)(U, U, U)>(paired<Ops::fma>), 60);
  if (After == Then::relu) return;
  expect_form(Opcode::add, Ops::form(single<Bf>), Ops::add, 200);
  expect_form(Opcode::sub, Ops::form(single<Bf>), Ops::sub, 100);
  expect_form(Opcode::mul, Ops::form(single<Bf>), Ops::mul, 200);
  expect_form(Opcode::add, Ops::form(packed<Bf>), static_cast<U (*)(U, U)>(paired<Ops::add>), 30);
  expect_form(Opcode::sub, Ops::form(packed<Bf>), static_cast<U (*)(U, U)>(paired<Ops::sub>), 30);
  expect_form(Opcode::mul, Ops::form(packed<Bf>), static_cast<U (*)(U, U)>(paired<Ops::mul>), 30);
}

TEST(HalfForms, Arithmetic) {
  expect_arithmetic<false, false, Then::nothing>();
  expect_arithmetic<false, false, Then::sat>();
  expect_arithmetic<false, false, Then::relu>();
  expect_arithmetic<false, true, Then::nothing>();
  expect_arithmetic<false, true, Then::sat>();
  expect_arithmetic<false, true, Then::relu>();
  expect_arithmetic<true, false, Then::nothing>();
  expect_arithmetic<true, false, Then::relu>();
}

template <bool Bf, bool Ftz, bool Max, bool Nan, bool Xorsign>
H reference_extremum(H a, H b) {
  const Format f = format<Bf>;
  if (Ftz) a = flush_pattern(a, f), b = flush_pattern(b, f);
  const auto sign = static_cast<H>((a ^ b) & 0x8000);
  if (Xorsign) a &= 0x7fff, b &= 0x7fff;
  const long double x = decode(a, f), y = decode(b, f);
  H result;
  if (std::isnan(x) || std::isnan(y)) {
    if (Nan || (std::isnan(x) && std::isnan(y))) return 0x7fff;
    result = std::isnan(x) ? b : a;
  } else if (x == y) {
    result = static_cast<H>(Max ? a & b : a | b);  // equal values differ in the sign of zero only
  } else {
    result = (x > y) == Max ? a : b;
  }
  return Xorsign ? static_cast<H>(result | sign) : result;
}
template <bool Bf, bool Ftz, bool Max, bool Nan, bool Xorsign>
void expect_extremum() {
  Modifiers m = mods(single<Bf>);
  m.ftz = Ftz;
  m.nan = Nan;
  m.xorsign_abs = Xorsign;
  expect_form(Max ? Opcode::max : Opcode::min, m, reference_extremum<Bf, Ftz, Max, Nan, Xorsign>, 100);
  m.type = packed<Bf>;
  constexpr U (*pairs)(U, U) = paired<reference_extremum<Bf, Ftz, Max, Nan, Xorsign>>;
  expect_form(Max ? Opcode::max : Opcode::min, m, pairs, 30);
}
template <bool Bf, bool Ftz>
void expect_extrema() {
  expect_extremum<Bf, Ftz, false, false, false>();
  expect_extremum<Bf, Ftz, false, true, false>();
  expect_extremum<Bf, Ftz, true, false, false>();
  expect_extremum<Bf, Ftz, true, true, false>();
  expect_extremum<Bf, Ftz, false, false, true>();
  expect_extremum<Bf, Ftz, false, true, true>();
  expect_extremum<Bf, Ftz, true, false, true>();
  expect_extremum<Bf, Ftz, true, true, true>();
}

TEST(HalfForms, MinAndMax) {
  expect_extrema<false, false>();
  expect_extrema<false, true>();
  expect_extrema<true, false>();
}

template <bool Bf, bool Ftz>
H reference_abs(H a) {
  return (Ftz ? flush_pattern(a, format<Bf>) : a) & 0x7fff;
}
template <bool Bf, bool Ftz>
H reference_neg(H a) {
  return (Ftz ? flush_pattern(a, format<Bf>) : a) ^ 0x8000;
}
template <bool Bf, bool Ftz>
void expect_signs() {
  Modifiers m = mods(single<Bf>);
  m.ftz = Ftz;
  expect_form(Opcode::abs_, m, reference_abs<Bf, Ftz>);
  expect_form(Opcode::neg, m, reference_neg<Bf, Ftz>);
  m.type = packed<Bf>;
  expect_form(Opcode::abs_, m, static_cast<U (*)(U)>(paired<reference_abs<Bf, Ftz>>));
  expect_form(Opcode::neg, m, static_cast<U (*)(U)>(paired<reference_neg<Bf, Ftz>>));
}

TEST(HalfForms, Signs) {
  expect_signs<false, false>();
  expect_signs<false, true>();
  expect_signs<true, false>();
}

TEST(HalfForms, HandDerivedVectors) {
  const auto run = [](Opcode opcode, Type type, H a, H b, H c) {
    Modifiers m = mods(type);
    m.rounding = Rounding::rn;
    Lanes<H> x, y, z, d;
    x.v.fill(a);
    y.v.fill(b);
    z.v.fill(c);
    LaneArgs args;
    args.dst = d.v.data();
    args.src[0] = x.v.data();
    args.src[1] = y.v.data();
    args.src[2] = z.v.data();
    args.mask = 0xffffffffu;
    find_lane_kernel(opcode, m)(args);
    return d.v[5];
  };
  EXPECT_EQ(run(Opcode::add, Type::f16, 0x3c00, 0x3c00, 0), 0x4000);        // 1 + 1 = 2
  EXPECT_EQ(run(Opcode::mul, Type::f16, 0x7bff, 0x4000, 0), 0x7c00);        // 65504 * 2 overflows
  EXPECT_EQ(run(Opcode::mul, Type::f16, 0x0001, 0x3800, 0), 0x0000);        // half of the least number: to even
  EXPECT_EQ(run(Opcode::mul, Type::f16, 0x0003, 0x3800, 0), 0x0002);        // 1.5 units: to even
  EXPECT_EQ(run(Opcode::fma, Type::bf16, 0x3f80, 0x3f80, 0x3b80), 0x3f80);  // 1 + 2^-8 is halfway: to even
  // (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14; with 2^-133 more than half a place it still rounds down.
  EXPECT_EQ(run(Opcode::fma, Type::bf16, 0x3f81, 0x3f81, 0x0001), 0x3f82);
  // 1.5 * (1 + 2^-7) lies halfway between two bf16; the least number added to it decides upwards.
  EXPECT_EQ(run(Opcode::fma, Type::bf16, 0x3fc0, 0x3f81, 0x0000), 0x3fc2);
  EXPECT_EQ(run(Opcode::fma, Type::bf16, 0x3fc0, 0x3f81, 0x0001), 0x3fc2);
  EXPECT_EQ(run(Opcode::fma, Type::bf16, 0x3fc0, 0x3f81, 0x8001), 0x3fc1);
}

}  // namespace
}  // namespace syncline::isa::test
