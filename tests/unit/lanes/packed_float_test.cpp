// What f32 arithmetic has beside single operations: pairs in 64 bits, 16-bit factors, extrema of three, and fma on data
// with holes.
#include <algorithm>

#include "tests/unit/lanes/float_formats.h"

namespace syncline::isa::test {
namespace {

using H = std::uint16_t;
using U = std::uint32_t;
using W = std::uint64_t;

template <Rounding R, bool Ftz, bool Sat>
float add(float a, float b) {
  volatile float x = in(a, Ftz), y = in(b, Ftz);
  return out(under(R, [&] { return x + y; }), Ftz, Sat);
}
template <Rounding R, bool Ftz, bool Sat>
float sub(float a, float b) {
  volatile float x = in(a, Ftz), y = in(b, Ftz);
  return out(under(R, [&] { return x - y; }), Ftz, Sat);
}
template <Rounding R, bool Ftz, bool Sat>
float mul(float a, float b) {
  volatile float x = in(a, Ftz), y = in(b, Ftz);
  return out(under(R, [&] { return x * y; }), Ftz, Sat);
}
template <Rounding R, bool Ftz, bool Sat>
float fma(float a, float b, float c) {
  volatile float x = in(a, Ftz), y = in(b, Ftz), z = in(c, Ftz);
  return out(under(R, [&] { return std::fma(x, y, z); }), Ftz, Sat);
}

float half_of(W pair, unsigned n) {
  return bits_as<float>(static_cast<U>(pair >> (32 * n)));
}
W join(float low, float high) {
  return bits_as<U>(low) | static_cast<W>(bits_as<U>(high)) << 32;
}
template <float (*F)(float, float)>
W pairs(W a, W b) {
  return join(F(half_of(a, 0), half_of(b, 0)), F(half_of(a, 1), half_of(b, 1)));
}
template <float (*F)(float, float, float)>
W pairs(W a, W b, W c) {
  return join(F(half_of(a, 0), half_of(b, 0), half_of(c, 0)), F(half_of(a, 1), half_of(b, 1), half_of(c, 1)));
}

template <Rounding R, bool Ftz>
void expect_pairs() {
  Modifiers m = mods(Type::f32x2);
  m.rounding = R;
  m.ftz = Ftz;
  expect_form(Opcode::add, m, static_cast<W (*)(W, W)>(pairs<add<R, Ftz, false>>));
  expect_form(Opcode::sub, m, static_cast<W (*)(W, W)>(pairs<sub<R, Ftz, false>>));
  expect_form(Opcode::mul, m, static_cast<W (*)(W, W)>(pairs<mul<R, Ftz, false>>));
  expect_form(Opcode::fma, m, static_cast<W (*)(W, W, W)>(pairs<fma<R, Ftz, false>>));
}

TEST(PackedFloats, PairsRoundLikeTheirHalves) {
  expect_pairs<Rounding::rn, false>();
  expect_pairs<Rounding::rn, true>();
  expect_pairs<Rounding::rz, false>();
  expect_pairs<Rounding::rz, true>();
  expect_pairs<Rounding::rm, false>();
  expect_pairs<Rounding::rm, true>();
  expect_pairs<Rounding::rp, false>();
  expect_pairs<Rounding::rp, true>();
}

TEST(PackedFloats, NoRoundingMeansNearest) {
  const Modifiers plain = mods(Type::f32x2);
  Modifiers nearest = plain;
  nearest.rounding = Rounding::rn;
  EXPECT_EQ(find_lane_kernel(Opcode::add, plain), find_lane_kernel(Opcode::add, nearest));
  EXPECT_EQ(find_lane_kernel(Opcode::fma, plain), nullptr) << "fma must say how it rounds";
}

template <bool Bf>
float wide(H bits) {
  return static_cast<float>(decode(bits, Bf ? format_bf16 : format_f16));
}
template <bool Bf, Rounding R, bool Sat>
struct Mixed {
  static float add_c(H a, float c) { return add<R, false, Sat>(wide<Bf>(a), c); }
  static float sub_c(H a, float c) { return sub<R, false, Sat>(wide<Bf>(a), c); }
  static float fma_c(H a, H b, float c) { return fma<R, false, Sat>(wide<Bf>(a), wide<Bf>(b), c); }
};
template <bool Bf, Rounding R, bool Sat>
void expect_mixed() {
  using Ops = Mixed<Bf, R, Sat>;
  Modifiers m = mods(Type::f32, Bf ? Type::bf16 : Type::f16);
  m.rounding = R;
  m.sat = Sat;
  expect_form(Opcode::add, m, Ops::add_c);
  expect_form(Opcode::sub, m, Ops::sub_c);
  expect_form(Opcode::fma, m, Ops::fma_c);
}
template <bool Bf>
void expect_mixed_modes() {
  expect_mixed<Bf, Rounding::rn, false>();
  expect_mixed<Bf, Rounding::rn, true>();
  expect_mixed<Bf, Rounding::rz, false>();
  expect_mixed<Bf, Rounding::rm, true>();
  expect_mixed<Bf, Rounding::rp, false>();
}

/// f32x2 with pairs of 16-bit numbers.
template <bool Bf, Rounding R>
struct MixedPairs {
  static float part(U pair, unsigned n) { return wide<Bf>(static_cast<H>(pair >> (16 * n))); }
  static W add_c(U a, W c) {
    return join(add<R, false, false>(part(a, 0), half_of(c, 0)), add<R, false, false>(part(a, 1), half_of(c, 1)));
  }
  static W sub_c(U a, W c) {
    return join(sub<R, false, false>(part(a, 0), half_of(c, 0)), sub<R, false, false>(part(a, 1), half_of(c, 1)));
  }
  static W fma_c(U a, W b, W c) {
    return join(fma<R, false, false>(part(a, 0), half_of(b, 0), half_of(c, 0)),
                fma<R, false, false>(part(a, 1), half_of(b, 1), half_of(c, 1)));
  }
};
template <bool Bf, Rounding R>
void expect_mixed_pairs() {
  Modifiers m = mods(Type::f32x2, Bf ? Type::bf16x2 : Type::f16x2);
  m.third_type = Type::f32x2;
  m.rounding = R;
  expect_form(Opcode::add, m, MixedPairs<Bf, R>::add_c);
  expect_form(Opcode::sub, m, MixedPairs<Bf, R>::sub_c);
  expect_form(Opcode::fma, m, MixedPairs<Bf, R>::fma_c);
}

TEST(PackedFloats, MixedPairsWidenExactly) {
  expect_mixed_pairs<false, Rounding::rn>();
  expect_mixed_pairs<false, Rounding::rz>();
  expect_mixed_pairs<false, Rounding::rm>();
  expect_mixed_pairs<false, Rounding::rp>();
  expect_mixed_pairs<true, Rounding::rn>();
  expect_mixed_pairs<true, Rounding::rz>();
  expect_mixed_pairs<true, Rounding::rm>();
  expect_mixed_pairs<true, Rounding::rp>();
}

/// The exact value (80 bits hold sums and products of f32 with a sticky rest) cut toward zero into 16 bits.
template <bool Bf, bool Ftz, char Operation>
U narrowed(W a, W c) {
  U result = 0;
  for (unsigned n = 0; n < 2; ++n) {
    volatile long double x = static_cast<long double>(in(half_of(a, n), Ftz)),
                         y = static_cast<long double>(in(half_of(c, n), Ftz));
    const long double exact = under(Rounding::rz, [&] {
      return Operation == '+' ? x + y : Operation == '-' ? x - y : x * y;
    });
    U bits = static_cast<U>(encode(exact, Bf ? format_bf16 : format_f16, Rounding::rz));
    if (Ftz && (bits & 0x7c00) == 0) bits &= 0x8000;
    result |= bits << (16 * n);
  }
  return result;
}
template <bool Bf, bool Ftz>
void expect_narrowed() {
  Modifiers m = mods(Bf ? Type::bf16x2 : Type::f16x2, Type::f32x2);
  m.third_type = Type::f32x2;
  m.rounding = Rounding::rz;
  m.ftz = Ftz;
  expect_form(Opcode::add, m, narrowed<Bf, Ftz, '+'>);
  expect_form(Opcode::sub, m, narrowed<Bf, Ftz, '-'>);
  expect_form(Opcode::mul, m, narrowed<Bf, Ftz, '*'>);
}

TEST(PackedFloats, NarrowedPairsAreCut) {
  expect_narrowed<false, true>();
  expect_narrowed<true, false>();
}

template <bool Bf>
H product_with_other(H a, H c) {
  const long double converted = decode(
      static_cast<U>(encode(decode(c, Bf ? format_f16 : format_bf16), Bf ? format_bf16 : format_f16, Rounding::rn)),
      Bf ? format_bf16 : format_f16);
  const long double exact = decode(a, Bf ? format_bf16 : format_f16) * converted;
  return static_cast<H>(encode(exact, Bf ? format_bf16 : format_f16, Rounding::rn));
}
template <bool Bf>
U products_with_other(U a, U c) {
  return product_with_other<Bf>(static_cast<H>(a), static_cast<H>(c)) |
         static_cast<U>(product_with_other<Bf>(static_cast<H>(a >> 16), static_cast<H>(c >> 16))) << 16;
}

TEST(PackedFloats, ProductsOfTheTwo16BitFormats) {
  Modifiers m = mods(Type::f16x2, Type::f16x2);
  m.third_type = Type::bf16x2;
  expect_form(Opcode::mul, m, products_with_other<false>);
  m = mods(Type::bf16x2, Type::bf16x2);
  m.third_type = Type::f16x2;
  expect_form(Opcode::mul, m, products_with_other<true>);
}

TEST(PackedFloats, MixedPrecisionWidensExactly) {
  expect_mixed_modes<false>();
  expect_mixed_modes<true>();
}

/// By the text of the ISA: extrema of numbers, -0 below +0, or a NaN from any operand with .NaN.
template <bool Max, bool Nan, bool Abs, bool Ftz>
float of_three(float a, float b, float c) {
  std::vector<float> numbers;
  for (float value : {a, b, c}) {
    value = in(value, Ftz);
    if (Abs) value = std::fabs(value);
    if (!std::isnan(value)) numbers.push_back(value);
  }
  if (numbers.empty() || (Nan && numbers.size() < 3)) return canonical_nan<float>();
  const auto below = [](float x, float y) { return x < y || (x == y && std::signbit(x) && !std::signbit(y)); };
  return Max ? *std::max_element(numbers.begin(), numbers.end(), below)
             : *std::min_element(numbers.begin(), numbers.end(), below);
}

template <class R, class... A>
void expect_three(Opcode opcode, const Modifiers& m, R (*reference)(A...)) {
  for (const LaneIsa isa : runnable_builds()) {
    const LaneKernel kernel = kernel_table(isa)->find(form_of(opcode, m, 3));
    ASSERT_NE(kernel, nullptr);
    EXPECT_NE(kernel, kernel_table(isa)->find(form_of(opcode, m, 2)));
    std::mt19937_64 random(5);
    for (unsigned round = 0; round < 300; ++round) {
      Source<float> a, b, c, d;
      a.fill(random);
      b.fill(random);
      c.fill(random);
      // Equal magnitudes are the interesting ones.
      for (unsigned lane = 0; lane < kernel_lanes; lane += 3) b.lanes.v[lane] = -a.lanes.v[lane];
      LaneArgs args;
      args.dst = d.lanes.v.data();
      args.src[0] = a.data();
      args.src[1] = b.data();
      args.src[2] = c.data();
      args.mask = 0xffffffffu;
      kernel(args);
      for (unsigned lane = 0; lane < kernel_lanes; ++lane)
        ASSERT_EQ(pattern_of(d.at(lane)), pattern_of(reference(a.at(lane), b.at(lane), c.at(lane))))
            << build_name(isa) << std::hex << " " << pattern_of(a.at(lane)) << " " << pattern_of(b.at(lane)) << " "
            << pattern_of(c.at(lane));
    }
  }
}
template <bool Nan, bool Abs, bool Ftz>
void expect_extrema_of_three() {
  Modifiers m = mods(Type::f32);
  m.nan = Nan;
  m.absolute = Abs;
  m.ftz = Ftz;
  expect_three(Opcode::max, m, of_three<true, Nan, Abs, Ftz>);
  expect_three(Opcode::min, m, of_three<false, Nan, Abs, Ftz>);
}

TEST(PackedFloats, ExtremaOfThree) {
  expect_extrema_of_three<false, false, false>();
  expect_extrema_of_three<false, false, true>();
  expect_extrema_of_three<false, true, false>();
  expect_extrema_of_three<false, true, true>();
  expect_extrema_of_three<true, false, false>();
  expect_extrema_of_three<true, false, true>();
  expect_extrema_of_three<true, true, false>();
  expect_extrema_of_three<true, true, true>();
}

/// One lane of a kernel on 16-bit values.
H run(const Modifiers& m, H a, H b, H c) {
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
  find_lane_kernel(Opcode::fma, m)(args);
  return d.v[3];
}

/// The ordinary fma, which half_test.cpp holds against exact sums, but for factors outside the tensor.
template <Type T, bool Relu>
H guarded(H a, H b, H c) {
  if (a == 0x7ff7 || b == 0x7ff7) return 0;
  Modifiers m = mods(T);
  m.rounding = Rounding::rn;
  m.relu = Relu;
  return run(m, a, b, c);
}
template <Type T, bool Relu>
U guarded_pair(U a, U b, U c) {
  const H low = guarded<T, Relu>(static_cast<H>(a), static_cast<H>(b), static_cast<H>(c));
  return static_cast<U>(guarded<T, Relu>(static_cast<H>(a >> 16), static_cast<H>(b >> 16), static_cast<H>(c >> 16)))
             << 16 |
         low;
}
template <Type T, bool Relu>
void expect_oob(Type pair) {
  Modifiers m = mods(T);
  m.rounding = Rounding::rn;
  m.relu = Relu;
  m.oob = true;
  expect_form(Opcode::fma, m, guarded<T, Relu>, 20);
  EXPECT_EQ(run(m, 0x7ff7, 0x1234, 0x4321), 0);
  EXPECT_EQ(run(m, 0xc000, 0x7ff7, 0x7fff), 0);
  EXPECT_EQ(run(m, 0x3c00, 0x3c00, 0x7ff7), 0x7fff) << "a summand outside is a NaN like others";
  EXPECT_EQ(run(m, 0xfff7, 0x3c00, 0x3c00), 0x7fff) << "and so is the same pattern with a sign";
  m.type = pair;
  expect_form(Opcode::fma, m, guarded_pair<T, Relu>, 10);
}

TEST(PackedFloats, FmaOutsideOfTensors) {
  expect_oob<Type::f16, false>(Type::f16x2);
  expect_oob<Type::f16, true>(Type::f16x2);
  expect_oob<Type::bf16, false>(Type::bf16x2);
  expect_oob<Type::bf16, true>(Type::bf16x2);
}

}  // namespace
}  // namespace syncline::isa::test
