// cvt to and from powers of two (ue8m0) and 64ths (s2f6), and .pzo of the wider formats.
#include "tests/unit/lanes/small_formats.h"

namespace syncline::isa::test {
namespace {

using H = std::uint16_t;
using U = std::uint32_t;

/// The nearest power of two on one side of a magnitude, by search.
template <bool Up, bool Finite>
unsigned exponent_of(long double value) {
  const unsigned last = 0xfe, beyond = Finite ? last : 0xff;
  if (std::isnan(value)) return 0xff;
  const long double magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return beyond;
  if (Up) {
    for (unsigned code = 0; code <= last; ++code)
      if (power_of(code) >= magnitude) return code;
    return beyond;
  }
  unsigned code = 0;
  while (code < last && power_of(code + 1) <= magnitude) ++code;
  return code;
}
template <bool Up, bool Finite>
H exponents_of_f32(float a, float b) {
  return static_cast<H>(exponent_of<Up, Finite>(a) << 8 | exponent_of<Up, Finite>(b));
}
template <bool Up, bool Finite>
H exponents_of_bf16(U pair) {
  return static_cast<H>(exponent_of<Up, Finite>(half_value(pair, true, true)) << 8 |
                        exponent_of<Up, Finite>(half_value(pair, false, true)));
}
U powers(H codes) {
  return half_code(power_of(codes >> 8), true, false, false) << 16 |
         half_code(power_of(codes & 0xff), true, false, false);
}
template <bool Up, bool Finite>
void expect_exponents() {
  const Choice choice{Up ? Rounding::rp : Rounding::rz, false, false, Finite};
  expect_form(Opcode::cvt, cvt(Type::ue8m0x2, Type::f32, choice), exponents_of_f32<Up, Finite>);
  expect_form(Opcode::cvt, cvt(Type::ue8m0x2, Type::bf16x2, choice), exponents_of_bf16<Up, Finite>);
}

TEST(PowersOfTwo, BothWays) {
  expect_exponents<false, false>();
  expect_exponents<false, true>();
  expect_exponents<true, false>();
  expect_exponents<true, true>();
  expect_form(Opcode::cvt, cvt(Type::bf16x2, Type::ue8m0x2, {Rounding::rn, false, false, false}), powers);
}

/// A value in 64ths: PTX ISA, "Fixed-point Data format".
template <Rounding Mode, bool Relu>
unsigned fixed(long double value) {
  if (std::isnan(value)) return 127;
  const long double steps = (Relu && value < 0 ? 0 : value) * 64;
  const long double held = std::min(std::max(steps, -128.0L), 127.0L);
  volatile long double place = held;
  return static_cast<unsigned>(static_cast<int>(under(Mode, [&] { return std::nearbyint(place); }))) & 0xff;
}
template <Rounding Mode, bool Relu>
H fixed_of_f32_scaled(float a, float b, H scales) {
  return static_cast<H>(fixed<Mode, Relu>(a / power_of(scales >> 8)) << 8 |
                        fixed<Mode, Relu>(b / power_of(scales & 0xff)));
}
template <Rounding Mode, bool Relu>
H fixed_of_f32(float a, float b) {
  return static_cast<H>(fixed<Mode, Relu>(a) << 8 | fixed<Mode, Relu>(b));
}
template <Rounding Mode, bool Relu>
H fixed_of_bf16_scaled(U pair, H scales) {
  return static_cast<H>(fixed<Mode, Relu>(half_value(pair, true, true) / power_of(scales >> 8)) << 8 |
                        fixed<Mode, Relu>(half_value(pair, false, true) / power_of(scales & 0xff)));
}
template <Rounding Mode, bool Relu>
H fixed_of_bf16(U pair) {
  return fixed_of_bf16_scaled<Mode, Relu>(pair, 0x7f7f);
}
long double from_fixed(unsigned code) {
  return (static_cast<int>(code) - (code >= 128 ? 256 : 0)) / 64.0L;
}
template <bool Relu, bool Finite>
U bf16_of_fixed_scaled(H codes, H scales) {
  return half_code(from_fixed(codes >> 8) * power_of(scales >> 8), true, Relu, Finite) << 16 |
         half_code(from_fixed(codes & 0xff) * power_of(scales & 0xff), true, Relu, Finite);
}
template <bool Relu, bool Finite>
U bf16_of_fixed(H codes) {
  return bf16_of_fixed_scaled<Relu, Finite>(codes, 0x7f7f);
}

template <Rounding Mode, bool Relu>
void expect_fixed() {
  const Choice choice{Mode, Relu};
  expect_form(Opcode::cvt, cvt(Type::s2f6x2, Type::f32, choice), fixed_of_f32<Mode, Relu>);
  expect_form(Opcode::cvt, cvt(Type::s2f6x2, Type::f32, choice, true), fixed_of_f32_scaled<Mode, Relu>);
  expect_form(Opcode::cvt, cvt(Type::s2f6x2, Type::bf16x2, choice), fixed_of_bf16<Mode, Relu>);
  expect_form(Opcode::cvt, cvt(Type::s2f6x2, Type::bf16x2, choice, true), fixed_of_bf16_scaled<Mode, Relu>);
}
template <bool Relu, bool Finite>
void expect_from_fixed() {
  const Choice choice{Rounding::rn, Relu, false, Finite};
  expect_form(Opcode::cvt, cvt(Type::bf16x2, Type::s2f6x2, choice), bf16_of_fixed<Relu, Finite>);
  expect_form(Opcode::cvt, cvt(Type::bf16x2, Type::s2f6x2, choice, true), bf16_of_fixed_scaled<Relu, Finite>);
}

TEST(FixedPoint, BothWays) {
  expect_fixed<Rounding::rn, false>();
  expect_fixed<Rounding::rn, true>();
  expect_fixed<Rounding::rz, false>();
  expect_fixed<Rounding::rz, true>();
  expect_from_fixed<false, false>();
  expect_from_fixed<false, true>();
  expect_from_fixed<true, false>();
  expect_from_fixed<true, true>();
}

/// Single values in a, from a table.
H of_f32(const Modifiers& modifiers, float value) {
  Lanes<float> a, b;
  Lanes<H> d;
  a.v.fill(value);
  LaneArgs args;
  args.dst = d.v.data();
  args.src[0] = a.v.data();
  args.src[1] = b.v.data();
  args.mask = 0xffffffffu;
  find_lane_kernel(Opcode::cvt, modifiers)(args);
  return static_cast<H>(d.v[3] >> 8);
}

TEST(PowersOfTwo, HandDerived) {
  const auto form = [](Rounding mode, bool finite) {
    return cvt(Type::ue8m0x2, Type::f32, {mode, false, false, finite});
  };
  EXPECT_EQ(of_f32(form(Rounding::rz, false), -3), 128u);
  EXPECT_EQ(of_f32(form(Rounding::rp, false), -3), 129u);
  EXPECT_EQ(of_f32(form(Rounding::rp, false), 0), 0u);
  EXPECT_EQ(of_f32(form(Rounding::rp, false), 0x1p-127f), 0u);
  EXPECT_EQ(of_f32(form(Rounding::rp, false), 0x1.000004p-127f), 1u);
  EXPECT_EQ(of_f32(form(Rounding::rz, false), 0x1.fffff8p-127f), 0u);
  EXPECT_EQ(of_f32(form(Rounding::rp, false), 0x1.8p127f), 0xffu);
  EXPECT_EQ(of_f32(form(Rounding::rp, true), 0x1.8p127f), 0xfeu);
  EXPECT_EQ(of_f32(form(Rounding::rz, false), INFINITY), 0xffu);
  EXPECT_EQ(of_f32(form(Rounding::rz, true), -INFINITY), 0xfeu);
  EXPECT_EQ(of_f32(form(Rounding::rz, true), NAN), 0xffu);
}

TEST(FixedPoint, HandDerived) {
  const Modifiers nearest = cvt(Type::s2f6x2, Type::f32, {Rounding::rn});
  EXPECT_EQ(of_f32(nearest, 1), 0x40u);
  EXPECT_EQ(of_f32(nearest, -1), 0xc0u);
  EXPECT_EQ(of_f32(nearest, 1.5f / 64), 0x02u);
  EXPECT_EQ(of_f32(nearest, 2.5f / 64), 0x02u);
  EXPECT_EQ(of_f32(nearest, 2), 0x7fu);
  EXPECT_EQ(of_f32(nearest, -2), 0x80u);
  EXPECT_EQ(of_f32(nearest, -1e30f), 0x80u);
  EXPECT_EQ(of_f32(nearest, -NAN), 0x7fu);
  EXPECT_EQ(of_f32(cvt(Type::s2f6x2, Type::f32, {Rounding::rz}), -1.9f / 64), 0xffu);
}

/// .pzo on f16, bf16 and tf32: the ordinary conversion, and then no negative zero.
template <Rounding Mode, bool Relu, bool Finite, bool Bf>
H positive_half(float value) {
  if (std::isnan(value)) return 0x7fff;
  if (Relu && std::signbit(value)) return 0;
  const auto bits = static_cast<H>(encode(value, Bf ? format_bf16 : format_f16, Mode));
  if (Finite && (bits & 0x7fff) == (Bf ? 0x7f80 : 0x7c00)) return static_cast<H>(bits - 1);
  return bits == 0x8000 ? H{0} : bits;
}
template <Rounding Mode, bool Relu, bool Finite, bool Bf>
U positive_pair(float a, float b) {
  return static_cast<U>(positive_half<Mode, Relu, Finite, Bf>(a)) << 16 | positive_half<Mode, Relu, Finite, Bf>(b);
}
template <Rounding Mode, bool Relu, bool Finite>
U positive_tf32(float value) {
  if (std::isnan(value)) return 0x7fffffff;
  if (Relu && std::signbit(value)) return 0;
  const auto bits = static_cast<U>(encode(value, format_tf32, Mode)) << 13;
  if (Finite && (bits & 0x7fffffff) == 0x7f800000) return bits - (1u << 13);
  return bits == 0x80000000 ? 0 : bits;
}
template <Rounding Mode, bool Relu, bool Finite>
void expect_positive_zeros() {
  const Choice choice{Mode, Relu, true, Finite};
  expect_form(Opcode::cvt, cvt(Type::f16, Type::f32, choice), positive_half<Mode, Relu, Finite, false>);
  expect_form(Opcode::cvt, cvt(Type::bf16, Type::f32, choice), positive_half<Mode, Relu, Finite, true>);
  expect_form(Opcode::cvt, cvt(Type::f16x2, Type::f32, choice), positive_pair<Mode, Relu, Finite, false>);
  expect_form(Opcode::cvt, cvt(Type::bf16x2, Type::f32, choice), positive_pair<Mode, Relu, Finite, true>);
  expect_form(Opcode::cvt, cvt(Type::tf32, Type::f32, choice), positive_tf32<Mode, Relu, Finite>);
}
TEST(PositiveZeros, OfWiderFormats) {
  expect_positive_zeros<Rounding::rn, false, false>();
  expect_positive_zeros<Rounding::rn, true, true>();
  expect_positive_zeros<Rounding::rz, false, true>();
  expect_positive_zeros<Rounding::rz, true, false>();
}

}  // namespace
}  // namespace syncline::isa::test
