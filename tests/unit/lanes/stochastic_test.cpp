// cvt.rs: the chance that random bits give a value to be rounded away from zero is its place between two neighbours.
#include "tests/unit/lanes/small_formats.h"

namespace syncline::isa::test {
namespace {

using U = std::uint32_t;

/// Bits `from` and below of a word, `count` of them, the highest first; `reversed`: the lowest first.
unsigned field(U word, unsigned from, unsigned count, bool reversed) {
  unsigned value = 0;
  for (unsigned n = 0; n < count; ++n) {
    const unsigned bit = word >> (reversed ? from + 1 - count + n : from - n) & 1;
    value = value << 1 | bit;
  }
  return value;
}

/// Sixteen bits for the operand `position` of {a, b, e, f}: PTX ISA, "cvt", figures on the layout of random bits.
template <class F>
unsigned chance(U random, unsigned position) {
  const bool upper = position < 2, reversed = position % 2 == 0;
  if (F::slot == 8) return field(random, upper ? 31 : 15, 16, reversed);
  const U gathered = field(random, upper ? 31 : 23, 8, false) << 8 | field(random, upper ? 15 : 7, 8, false);
  return field(gathered, 15, 16, reversed);
}

template <class F, bool Relu, bool Pzo>
typename F::Quadruple quadruple(float a, float b, float e, float f, U random) {
  const Choice choice{Rounding::rs, Relu, Pzo};
  U packed = 0;
  unsigned position = 0;
  for (const float value : {a, b, e, f}) {
    packed = packed << F::slot | rounded<F>(value, choice, chance<F>(random, position));
    ++position;
  }
  return static_cast<typename F::Quadruple>(packed);
}

/// f16 and bf16: the neighbour below by truncation, and the way to the next one in units of the last place.
template <bool Bf, bool Relu, bool Finite, bool Pzo>
U half(float value, unsigned random) {
  const Format& format = Bf ? format_bf16 : format_f16;
  const U infinity = Bf ? 0x7f80 : 0x7c00;
  const unsigned bits = Bf ? 16 : 13;
  if (std::isnan(value)) return 0x7fff;
  const long double magnitude = std::fabs(static_cast<long double>(value));
  U code = infinity;
  if (magnitude < std::ldexp(1.0L, 1 << (format.exponent_bits - 1))) {
    code = static_cast<U>(encode(magnitude, format, Rounding::rz));
    const int lowest = format.lowest_exponent();
    const int binade = magnitude == 0 ? lowest : std::max(std::ilogb(magnitude), lowest);
    const long double place = (magnitude - decode(code, format)) / std::ldexp(1.0L, binade - format.fraction_bits);
    if (place >= 1 - std::ldexp(static_cast<long double>(random), -static_cast<int>(bits))) ++code;
  }
  if (Finite && code == infinity) --code;
  if (!std::signbit(value)) return code;
  return Relu || (Pzo && code == 0) ? 0 : code | 0x8000;
}
template <bool Bf, bool Relu, bool Finite, bool Pzo>
U pair(float a, float b, U random) {
  const unsigned bits = Bf ? 16 : 13;
  return half<Bf, Relu, Finite, Pzo>(a, field(random, 15 + bits, bits, false)) << 16 |
         half<Bf, Relu, Finite, Pzo>(b, field(random, bits - 1, bits, false));
}

template <bool Relu, bool Finite, bool Pzo>
void expect_pairs() {
  const Choice choice{Rounding::rs, Relu, Pzo, Finite};
  expect_form(Opcode::cvt, cvt(Type::f16x2, Type::f32, choice), pair<false, Relu, Finite, Pzo>);
  expect_form(Opcode::cvt, cvt(Type::bf16x2, Type::f32, choice), pair<true, Relu, Finite, Pzo>);
}
TEST(StochasticRounding, PairsOfHalves) {
  expect_pairs<false, false, false>();
  expect_pairs<false, false, true>();
  expect_pairs<false, true, false>();
  expect_pairs<true, false, false>();
  expect_pairs<true, true, true>();
}

template <class F>
void expect_quadruples() {
  const auto form = [](bool relu, bool pzo) { return cvt(F::quadruple, Type::f32, {Rounding::rs, relu, pzo}); };
  expect_form(Opcode::cvt, form(false, false), quadruple<F, false, false>, 40);
  expect_form(Opcode::cvt, form(false, true), quadruple<F, false, true>, 40);
  expect_form(Opcode::cvt, form(true, false), quadruple<F, true, false>, 40);
  expect_form(Opcode::cvt, form(true, true), quadruple<F, true, true>, 40);
}

template <class F>
class Stochastic : public testing::Test {};
using Formats = testing::Types<E4m3, E5m2, E2m3, E3m2, E2m1>;
TYPED_TEST_SUITE(Stochastic, Formats);

TYPED_TEST(Stochastic, QuadruplesOfRandomAndSpecialValues) {
  expect_quadruples<TypeParam>();
}

/// Runs a kernel on one set of operands in all lanes.
template <class D>
D run(const Modifiers& modifiers, const std::vector<float>& values, U random) {
  const LaneKernel kernel = find_lane_kernel(Opcode::cvt, modifiers);
  std::array<Lanes<float>, 4> sources;
  Lanes<U> bits;
  Lanes<D> result;
  bits.v.fill(random);
  LaneArgs args;
  args.dst = result.v.data();
  args.mask = 0xffffffffu;
  for (std::size_t n = 0; n < values.size(); ++n) {
    sources.at(n).v.fill(values[n]);
    args.src[n] = sources.at(n).v.data();
  }
  args.src[values.size()] = bits.v.data();
  kernel(args);
  return result.v[31];
}

/// Between every two neighbours: m parts of 65536 of the way need a chance of 65536 - m to be rounded up.
TYPED_TEST(Stochastic, TheCarryDecides) {
  using F = TypeParam;
  const Modifiers form = cvt(F::quadruple, Type::f32, {Rounding::rs, false, false});
  for (unsigned code = 0; code < F::largest; ++code)
    for (const unsigned parts : {1u, 0x1234u, 0x8000u, 0xffffu}) {
      const long double low = number<F>(code), step = number<F>(code + 1) - low;
      const auto value = static_cast<float>(low + step * parts / 65536);
      // f reads the low field as it stands; in e2m1x4 the field's upper byte comes from the upper half.
      const auto result = [&](unsigned chance) {
        const U random = F::slot == 8 ? chance : (chance & 0xff00) << 8 | (chance & 0xff);
        return run<typename F::Quadruple>(form, {0, 0, 0, value}, random) & (2 * F::sign - 1);
      };
      ASSERT_EQ(result(65535 - parts), code) << parts;
      ASSERT_EQ(result(65536 - parts), code + 1) << parts;
    }
}

/// Values derived by hand.
TEST(StochasticRounding, HandDerived) {
  const Modifiers halves = cvt(Type::f16x2, Type::f32, {Rounding::rs, false, false, false});
  // 1 + 2^-11 is half a unit above 1: the random number 0x1000 of 13 bits carries, 0x0fff does not. The three bits
  // above are ignored.
  EXPECT_EQ(run<U>(halves, {1 + 0x1p-11f, 1 + 0x1p-11f}, 0x1000'0fff), 0x3c01'3c00u);
  EXPECT_EQ(run<U>(halves, {1 + 0x1p-11f, 1 + 0x1p-11f}, 0xefff'f000), 0x3c00'3c01u);
  // Half of the smallest subnormal number.
  EXPECT_EQ(run<U>(halves, {-0x1p-25f, -0x1p-25f}, 0x1000'0fff), 0x8001'8000u);
  EXPECT_EQ(run<U>(halves, {65519.0f, 65536.0f}, 0x1fff'0000), 0x7c00'7c00u);
  EXPECT_EQ(run<U>(cvt(Type::f16x2, Type::f32, {Rounding::rs, false, false, true}), {65519.0f, -INFINITY}, 0x1fff'0000),
            0x7bff'fbffu);
  const Modifiers wide = cvt(Type::bf16x2, Type::f32, {Rounding::rs, false, false, false});
  EXPECT_EQ(run<U>(wide, {1 + 0x1p-8f, 1 + 0x1p-8f}, 0x8000'7fff), 0x3f81'3f80u);

  // a reads the upper half from its last bit on, b from its first: 0x0001 is half a unit for a and next to nothing for
  // b.
  const Modifiers four = cvt(Type::e4m3x4, Type::f32, {Rounding::rs, false, false});
  const float middle = 1 + 0x1p-4f;
  EXPECT_EQ(run<U>(four, {middle, middle, middle, middle}, 0x0001'0001), 0x39383938u);
  EXPECT_EQ(run<U>(four, {middle, middle, middle, middle}, 0x8000'8000), 0x38393839u);
  EXPECT_EQ(run<U>(four, {1, -1, 449, -1e30f}, 0xffff'ffff), 0x38b87efeu);
  // e2m1x4: a and b share bytes 3 and 1, e and f bytes 2 and 0. 0.75 lies in the middle of 0.5 and 1.
  const Modifiers bits4 = cvt(Type::e2m1x4, Type::f32, {Rounding::rs, false, false});
  EXPECT_EQ(run<std::uint16_t>(bits4, {0.75f, 0.75f, 0.75f, 0.75f}, 0x8000'0000), 0x1211u);
  EXPECT_EQ(run<std::uint16_t>(bits4, {0.75f, 0.75f, 0.75f, 0.75f}, 0x0000'0100), 0x2111u);
  EXPECT_EQ(run<std::uint16_t>(bits4, {0.75f, 0.75f, 0.75f, 0.75f}, 0x0080'0001), 0x1122u);
}

}  // namespace
}  // namespace syncline::isa::test
