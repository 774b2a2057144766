// cvt to and from numbers of 4, 6 and 8 bits: the value of every code by definition, and rounding as a search for the
// nearest of them.
#include "tests/unit/lanes/float_formats.h"

namespace syncline::isa::test {
namespace {

using H = std::uint16_t;
using U = std::uint32_t;

/// A format of the OCP's 8-bit and microscaling specifications. Codes above `largest` are no numbers.
struct E4m3 {
  static constexpr Type type = Type::e4m3x2;
  using Pair = std::uint16_t;
  static constexpr int exponent = 4, fraction = 3, slot = 8;
  static constexpr unsigned largest = 0x7e, nan = 0x7f;
};
struct E5m2 {
  static constexpr Type type = Type::e5m2x2;
  using Pair = std::uint16_t;
  static constexpr int exponent = 5, fraction = 2, slot = 8;
  static constexpr unsigned largest = 0x7b, nan = 0x7f;
};
struct E2m3 {
  static constexpr Type type = Type::e2m3x2;
  using Pair = std::uint16_t;
  static constexpr int exponent = 2, fraction = 3, slot = 8;
  static constexpr unsigned largest = 0x1f, nan = 0x1f;
};
struct E3m2 {
  static constexpr Type type = Type::e3m2x2;
  using Pair = std::uint16_t;
  static constexpr int exponent = 3, fraction = 2, slot = 8;
  static constexpr unsigned largest = 0x1f, nan = 0x1f;
};
struct E2m1 {
  static constexpr Type type = Type::e2m1x2;
  using Pair = std::uint8_t;
  static constexpr int exponent = 2, fraction = 1, slot = 4;
  static constexpr unsigned largest = 0x7, nan = 0x7;
};

template <class F>
constexpr unsigned sign_of = 1u << (F::exponent + F::fraction);

/// The number that a code without sign stands for.
template <class F>
double number(unsigned code) {
  const int bias = (1 << (F::exponent - 1)) - 1;
  const int exponent = static_cast<int>(code >> F::fraction);
  const double fraction = (code & ((1u << F::fraction) - 1)) / static_cast<double>(1 << F::fraction);
  return exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
}

/// The nearest code, the even one of two; .satfinite.
template <class F, bool Relu>
unsigned nearest(double value) {
  if (std::isnan(value)) return F::nan;
  if (Relu && std::signbit(value)) return 0;
  const double magnitude = std::fabs(value);
  unsigned best = 0;
  for (unsigned code = 1; code <= F::largest; ++code) {
    const double closer = std::fabs(number<F>(code) - magnitude), before = std::fabs(number<F>(best) - magnitude);
    if (closer < before || (closer == before && code % 2 == 0)) best = code;
  }
  if (magnitude >= number<F>(F::largest)) best = F::largest;
  return best | (std::signbit(value) ? sign_of<F> : 0);
}

template <class F, bool Relu>
typename F::Pair from_f32(float a, float b) {
  return static_cast<typename F::Pair>(nearest<F, Relu>(a) << F::slot | nearest<F, Relu>(b));
}
template <class F, bool Relu, bool Bf>
typename F::Pair from_half(U pair) {
  const auto value = [](unsigned bits) {
    return static_cast<double>(decode(bits & 0xffff, Bf ? format_bf16 : format_f16));
  };
  return static_cast<typename F::Pair>(nearest<F, Relu>(value(pair >> 16)) << F::slot | nearest<F, Relu>(value(pair)));
}
template <class F, bool Relu, bool Bf, bool Finite>
U to_half(typename F::Pair pair) {
  const auto half = [](unsigned code) -> U {
    const bool negative = (code & sign_of<F>) != 0;
    const unsigned magnitude = code & (sign_of<F> - 1);
    if (F::type == Type::e4m3x2 && magnitude == 0x7f) return 0x7fff;
    if (F::type == Type::e5m2x2 && magnitude > 0x7c) return 0x7fff;
    if (Relu && negative) return 0;
    const long double value =
        F::type == Type::e5m2x2 && magnitude == 0x7c ? INFINITY : static_cast<long double>(number<F>(magnitude));
    const U bits = static_cast<U>(encode(negative ? -value : value, Bf ? format_bf16 : format_f16, Rounding::rn));
    return Finite && std::isinf(value) ? bits - 1 : bits;
  };
  const unsigned mask = 2 * sign_of<F> - 1, codes = pair;
  return half(codes >> F::slot & mask) << 16 | half(codes & mask);
}

Modifiers cvt(Type to, Type from, bool relu, bool finite) {
  Modifiers m = mods(to, from);
  m.rounding = Rounding::rn;
  m.relu = relu;
  m.satfinite = finite;
  return m;
}

template <class F, bool Relu>
void expect_format() {
  expect_form(Opcode::cvt, cvt(F::type, Type::f32, Relu, true), from_f32<F, Relu>, 20);
  expect_form(Opcode::cvt, cvt(F::type, Type::f16x2, Relu, true), from_half<F, Relu, false>, 20);
  expect_form(Opcode::cvt, cvt(F::type, Type::bf16x2, Relu, true), from_half<F, Relu, true>, 20);
  expect_form(Opcode::cvt, cvt(Type::f16x2, F::type, Relu, false), to_half<F, Relu, false, false>, 60);
  expect_form(Opcode::cvt, cvt(Type::bf16x2, F::type, Relu, false), to_half<F, Relu, true, false>, 60);
  expect_form(Opcode::cvt, cvt(Type::bf16x2, F::type, Relu, true), to_half<F, Relu, true, true>, 60);
}

TEST(SmallFloats, ConversionsOfRandomAndSpecialValues) {
  expect_format<E4m3, false>();
  expect_format<E4m3, true>();
  expect_format<E5m2, false>();
  expect_format<E5m2, true>();
  expect_format<E2m3, false>();
  expect_format<E2m3, true>();
  expect_format<E3m2, false>();
  expect_format<E3m2, true>();
  expect_format<E2m1, false>();
  expect_format<E2m1, true>();
}

/// One conversion of f32 pairs, with the value in a.
template <class F>
unsigned converted(LaneIsa isa, float value) {
  const LaneKernel kernel = kernel_table(isa)->find(form_of(Opcode::cvt, cvt(F::type, Type::f32, false, true)));
  Lanes<float> a, b;
  Lanes<typename F::Pair> d;
  a.v.fill(value);
  LaneArgs args;
  args.dst = d.v.data();
  args.src[0] = a.v.data();
  args.src[1] = b.v.data();
  args.mask = 0xffffffffu;
  kernel(args);
  return static_cast<unsigned>(d.v[17]) >> F::slot;
}

/// Every number of the format, and what lies around each halfway point.
template <class F>
void expect_boundaries() {
  for (const LaneIsa isa : runnable_builds())
    for (unsigned code = 0; code <= F::largest; ++code) {
      const auto exact = static_cast<float>(number<F>(code));
      ASSERT_EQ(converted<F>(isa, exact), code);
      ASSERT_EQ(converted<F>(isa, -exact), code | sign_of<F>);
      if (code == F::largest) break;
      const auto half = static_cast<float>((number<F>(code) + number<F>(code + 1)) / 2);
      ASSERT_EQ(converted<F>(isa, half), code + code % 2) << code;
      ASSERT_EQ(converted<F>(isa, std::nextafter(half, 0.0f)), code) << code;
      ASSERT_EQ(converted<F>(isa, std::nextafter(half, INFINITY)), code + 1) << code;
    }
}

TEST(SmallFloats, EveryCodeAndEveryHalfwayPoint) {
  expect_boundaries<E4m3>();
  expect_boundaries<E5m2>();
  expect_boundaries<E2m3>();
  expect_boundaries<E3m2>();
  expect_boundaries<E2m1>();
}

TEST(SmallFloats, HandDerivedEnds) {
  const LaneIsa isa = LaneIsa::portable;
  EXPECT_EQ(converted<E4m3>(isa, 448), 0x7eu);
  EXPECT_EQ(converted<E4m3>(isa, 464), 0x7eu);  // would round to 480, which e4m3 has no code for
  EXPECT_EQ(converted<E4m3>(isa, 0x1p-9f), 0x01u);
  EXPECT_EQ(converted<E4m3>(isa, 0x1p-10f), 0x00u);
  EXPECT_EQ(converted<E4m3>(isa, -INFINITY), 0xfeu);
  EXPECT_EQ(converted<E4m3>(isa, -NAN), 0x7fu);
  EXPECT_EQ(converted<E5m2>(isa, 57344), 0x7bu);
  EXPECT_EQ(converted<E5m2>(isa, 65535), 0x7bu);
  EXPECT_EQ(converted<E5m2>(isa, INFINITY), 0x7bu);
  EXPECT_EQ(converted<E5m2>(isa, NAN), 0x7fu);
  EXPECT_EQ(converted<E2m1>(isa, 2.5f), 0x4u);  // between 2 and 3
  EXPECT_EQ(converted<E2m1>(isa, 5.0f), 0x6u);  // between 4 and 6
  EXPECT_EQ(converted<E2m1>(isa, -NAN), 0x7u);  // the largest number, for there is no NaN
  EXPECT_EQ(converted<E2m3>(isa, 7.75f), 0x1fu);
  EXPECT_EQ(converted<E3m2>(isa, 28), 0x1fu);
}

}  // namespace
}  // namespace syncline::isa::test
