// cvt to and from pairs of numbers of 4, 6 and 8 bits.
#include "tests/unit/lanes/small_formats.h"

namespace syncline::isa::test {
namespace {

using H = std::uint16_t;
using U = std::uint32_t;

/// A choice as a type, for references are plain functions.
template <Rounding Mode, bool Relu, bool Pzo, bool Finite = true>
struct As {
  static constexpr Choice choice{Mode, Relu, Pzo, Finite};
};

template <class F, class C>
typename F::Pair pair_of(long double a, long double b) {
  return static_cast<typename F::Pair>(rounded<F>(a, C::choice) << F::slot | rounded<F>(b, C::choice));
}
template <class F, class C>
typename F::Pair from_f32(float a, float b) {
  return pair_of<F, C>(a, b);
}
template <class F, class C, bool Bf>
typename F::Pair from_half(U pair) {
  return pair_of<F, C>(half_value(pair, true, Bf), half_value(pair, false, Bf));
}

/// What .scaled::n1::ue8m0 makes of an operand.
long double divided(long double value, long double smallest_normal, unsigned scale) {
  const long double flushed = std::fabs(value) < smallest_normal ? std::copysign(0.0L, value) : value;
  return flushed / power_of(scale);
}
template <class F, class C>
typename F::Pair from_f32_scaled(float a, float b, std::uint8_t scale) {
  return pair_of<F, C>(divided(a, 0x1p-126L, scale), divided(b, 0x1p-126L, scale));
}
template <class F, class C, bool Bf>
typename F::Pair from_half_scaled(U pair, std::uint8_t scale) {
  const long double smallest = Bf ? 0x1p-126L : 0x1p-14L;
  return pair_of<F, C>(divided(half_value(pair, true, Bf), smallest, scale),
                       divided(half_value(pair, false, Bf), smallest, scale));
}

/// The value of a code with its sign.
template <class F>
long double value_of(unsigned code) {
  const bool negative = (code & F::sign) != 0;
  const unsigned magnitude = code & (F::sign == 0 ? 0xffu : F::sign - 1);
  if (F::type == Type::e4m3x2 && magnitude == 0x7f) return NAN;
  if (F::type == Type::ue5m3x2 && magnitude == 0xff) return NAN;
  if (F::type == Type::e5m2x2 && magnitude > 0x7c) return NAN;
  const long double value =
      F::type == Type::e5m2x2 && magnitude == 0x7c ? static_cast<long double>(INFINITY) : number<F>(magnitude);
  return negative ? -value : value;
}
template <class F>
constexpr unsigned code_mask = F::sign == 0 ? 0xffu : 2 * F::sign - 1;

template <class F, bool Relu, bool Bf, bool Finite>
U to_half(typename F::Pair pair) {
  const unsigned codes = pair;
  return half_code(value_of<F>(codes >> F::slot & code_mask<F>), Bf, Relu, Finite) << 16 |
         half_code(value_of<F>(codes & code_mask<F>), Bf, Relu, Finite);
}
template <class F, bool Relu, bool Finite>
U to_bf16_scaled(typename F::Pair pair, H scales) {
  const unsigned codes = pair;
  return half_code(value_of<F>(codes >> F::slot & code_mask<F>) * power_of(scales >> 8), true, Relu, Finite) << 16 |
         half_code(value_of<F>(codes & code_mask<F>) * power_of(scales & 0xff), true, Relu, Finite);
}

template <class F, class C>
void expect_down() {
  expect_form(Opcode::cvt, cvt(F::type, Type::f32, C::choice), from_f32<F, C>, 12);
  expect_form(Opcode::cvt, cvt(F::type, Type::f16x2, C::choice), from_half<F, C, false>, 12);
  expect_form(Opcode::cvt, cvt(F::type, Type::bf16x2, C::choice), from_half<F, C, true>, 12);
  if constexpr (C::choice.rounding != Rounding::rp) {
    expect_form(Opcode::cvt, cvt(F::type, Type::f32, C::choice, true), from_f32_scaled<F, C>, 12);
    expect_form(Opcode::cvt, cvt(F::type, Type::f16x2, C::choice, true), from_half_scaled<F, C, false>, 12);
    expect_form(Opcode::cvt, cvt(F::type, Type::bf16x2, C::choice, true), from_half_scaled<F, C, true>, 12);
  }
}
template <class F, bool Relu>
void expect_up() {
  const Choice plain{Rounding::rn, Relu, false, false}, finite{Rounding::rn, Relu, false, true};
  expect_form(Opcode::cvt, cvt(Type::f16x2, F::type, plain), to_half<F, Relu, false, false>, 40);
  expect_form(Opcode::cvt, cvt(Type::bf16x2, F::type, plain), to_half<F, Relu, true, false>, 40);
  expect_form(Opcode::cvt, cvt(Type::bf16x2, F::type, finite), to_half<F, Relu, true, true>, 40);
  expect_form(Opcode::cvt, cvt(Type::bf16x2, F::type, plain, true), to_bf16_scaled<F, Relu, false>, 40);
  expect_form(Opcode::cvt, cvt(Type::bf16x2, F::type, finite, true), to_bf16_scaled<F, Relu, true>, 40);
}
template <class F, bool Relu>
void expect_format() {
  expect_down<F, As<Rounding::rn, Relu, false>>();
  expect_down<F, As<Rounding::rn, Relu, true>>();
  expect_down<F, As<Rounding::rz, Relu, false>>();
  expect_down<F, As<Rounding::rz, Relu, true>>();
  expect_up<F, Relu>();
}

template <class F>
class SmallFloat : public testing::Test {};
using Formats = testing::Types<E4m3, E5m2, E2m3, E3m2, E2m1>;
TYPED_TEST_SUITE(SmallFloat, Formats);

TYPED_TEST(SmallFloat, ConversionsOfRandomAndSpecialValues) {
  expect_format<TypeParam, false>();
  expect_format<TypeParam, true>();
}

TEST(SmallFloats, WithoutSign) {
  expect_down<Ue5m3, As<Rounding::rn, false, false, false>>();
  expect_down<Ue5m3, As<Rounding::rn, false, false, true>>();
  expect_down<Ue5m3, As<Rounding::rz, false, false, false>>();
  expect_down<Ue5m3, As<Rounding::rz, false, false, true>>();
  expect_down<Ue5m3, As<Rounding::rp, false, false, false>>();
  expect_down<Ue5m3, As<Rounding::rp, false, false, true>>();
  expect_up<Ue5m3, false>();
}

/// One conversion of f32 pairs, with the value in a.
template <class F>
unsigned converted(LaneIsa isa, float value, const Choice& choice = {}) {
  const LaneKernel kernel = kernel_table(isa)->find(form_of(Opcode::cvt, cvt(F::type, Type::f32, choice)));
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

/// Every number of the format, and what lies around each halfway point and each number.
template <class F>
void expect_boundaries() {
  const Choice zero{Rounding::rz};
  for (const LaneIsa isa : runnable_builds())
    for (unsigned code = 0; code <= F::largest; ++code) {
      const auto exact = static_cast<float>(number<F>(code));
      ASSERT_EQ(converted<F>(isa, exact), code);
      ASSERT_EQ(converted<F>(isa, -exact), code | F::sign);
      ASSERT_EQ(converted<F>(isa, exact, zero), code);
      if (code == F::largest) break;
      const auto next = static_cast<float>(number<F>(code + 1));
      ASSERT_EQ(converted<F>(isa, std::nextafter(next, 0.0f), zero), code) << code;
      const auto half = static_cast<float>((number<F>(code) + number<F>(code + 1)) / 2);
      ASSERT_EQ(converted<F>(isa, half), code + code % 2) << code;
      ASSERT_EQ(converted<F>(isa, std::nextafter(half, 0.0f)), code) << code;
      ASSERT_EQ(converted<F>(isa, std::nextafter(half, INFINITY)), code + 1) << code;
    }
}

TYPED_TEST(SmallFloat, EveryCodeAndEveryHalfwayPoint) {
  expect_boundaries<TypeParam>();
}
TEST(SmallFloats, EveryCodeWithoutSign) {
  expect_boundaries<Ue5m3>();
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
  EXPECT_EQ(converted<E4m3>(isa, -0x1p-12f), 0x80u);
  EXPECT_EQ(converted<E4m3>(isa, -0x1p-12f, {Rounding::rn, false, true}), 0x00u);
  const Choice open{Rounding::rn, false, false, false};
  EXPECT_EQ(converted<Ue5m3>(isa, -114688), 0xfeu);
  EXPECT_EQ(converted<Ue5m3>(isa, 118784, open), 0xfeu);  // the midpoint behind the last number, which is even
  EXPECT_EQ(converted<Ue5m3>(isa, 118785, open), 0xffu);
  EXPECT_EQ(converted<Ue5m3>(isa, 1e30f, {Rounding::rz, false, false, false}), 0xfeu);
  EXPECT_EQ(converted<Ue5m3>(isa, INFINITY, {Rounding::rz, false, false, false}), 0xffu);
  EXPECT_EQ(converted<Ue5m3>(isa, 0x1p-140f, {Rounding::rp}), 0x01u);
}

}  // namespace
}  // namespace syncline::isa::test
