// f32 and f64 arithmetic against the host's own arithmetic under fesetround.
#include "tests/unit/lanes/float_reference.h"

namespace syncline::isa::test {
namespace {

template <class T>
constexpr Type type_of = sizeof(T) == 4 ? Type::f32 : Type::f64;

template <class T>
T fused(T a, T b, T c) {
  return std::fma(a, b, c);
}

// One form is a set of constants, so that a plain function can be the reference.
template <class T, Rounding R, bool Ftz, bool Sat>
struct Arithmetic {
  static Modifiers form() {
    Modifiers m = mods(type_of<T>);
    m.rounding = R;
    m.ftz = Ftz;
    m.sat = Sat;
    return m;
  }
  template <class F>
  static T compute(F f) {
    return out<T>(under(R, f), Ftz, Sat);
  }
  static T add(T a, T b) {
    volatile T x = in(a, Ftz), y = in(b, Ftz);
    return compute([&] { return x + y; });
  }
  static T sub(T a, T b) {
    volatile T x = in(a, Ftz), y = in(b, Ftz);
    return compute([&] { return x - y; });
  }
  static T mul(T a, T b) {
    volatile T x = in(a, Ftz), y = in(b, Ftz);
    return compute([&] { return x * y; });
  }
  static T fma(T a, T b, T c) {
    volatile T x = in(a, Ftz), y = in(b, Ftz), z = in(c, Ftz);
    return compute([&] { return fused<T>(x, y, z); });
  }
  static T div(T a, T b) {
    volatile T x = in(a, Ftz), y = in(b, Ftz);
    return compute([&] { return x / y; });
  }
  static T rcp(T a) {
    volatile T x = in(a, Ftz), one = 1;
    return compute([&] { return one / x; });
  }
  static T sqrt(T a) {
    volatile T x = in(a, Ftz);
    return compute([&] { return std::sqrt(T(x)); });
  }
  static void expect() {
    expect_form(Opcode::add, form(), add);
    expect_form(Opcode::sub, form(), sub);
    expect_form(Opcode::mul, form(), mul);
    expect_form(Opcode::fma, form(), fma, 120);
    if constexpr (!Sat) {
      expect_form(Opcode::div, form(), div);
      expect_form(Opcode::rcp, form(), rcp);
      expect_form(Opcode::sqrt, form(), sqrt);
    }
  }
};

template <Rounding R>
void expect_rounding() {
  Arithmetic<float, R, false, false>::expect();
  Arithmetic<float, R, false, true>::expect();
  Arithmetic<float, R, true, false>::expect();
  Arithmetic<float, R, true, true>::expect();
  Arithmetic<double, R, false, false>::expect();
}

TEST(FloatForms, ToNearestEven) {
  expect_rounding<Rounding::rn>();
}
TEST(FloatForms, TowardZero) {
  expect_rounding<Rounding::rz>();
}
TEST(FloatForms, Down) {
  expect_rounding<Rounding::rm>();
}
TEST(FloatForms, Up) {
  expect_rounding<Rounding::rp>();
}

TEST(FloatForms, DirectedKernelsLeaveTheHostInItsMode) {
  for (const LaneIsa isa : runnable_builds()) {
    Modifiers m = mods(Type::f32);
    m.rounding = Rounding::rp;
    Lanes<float> a, d;
    LaneArgs args;
    args.dst = d.v.data();
    args.src[0] = args.src[1] = a.v.data();
    args.mask = 0xffffffffu;
    for (const int mode : {FE_TONEAREST, FE_DOWNWARD}) {
      std::fesetround(mode);
      kernel_table(isa)->find(form_of(Opcode::add, m))(args);
      EXPECT_EQ(std::fegetround(), mode) << build_name(isa);
      std::fesetround(FE_TONEAREST);
    }
  }
}

TEST(FloatForms, DefaultsAreThoseOfTheIsa) {
  Modifiers rn = mods(Type::f32);
  rn.rounding = Rounding::rn;
  for (const Opcode opcode : {Opcode::add, Opcode::sub, Opcode::mul}) {
    EXPECT_EQ(find_lane_kernel(opcode, mods(Type::f32)), find_lane_kernel(opcode, rn)) << name(opcode);
  }
  EXPECT_EQ(find_lane_kernel(Opcode::mad, mods(Type::f32)), find_lane_kernel(Opcode::fma, rn));
  EXPECT_EQ(find_lane_kernel(Opcode::fma, mods(Type::f32)), nullptr) << "fma must name its rounding";
}

std::uint32_t magnitude(float value) {
  return bits_as<std::uint32_t>(value) & 0x7fffffffu;
}

template <bool Ftz, bool Max, bool Nan>
float reference_extremum(float a, float b) {
  a = in(a, Ftz);
  b = in(b, Ftz);
  if (Nan && (std::isnan(a) || std::isnan(b))) return canonical_nan<float>();
  if (std::isnan(a)) return std::isnan(b) ? canonical_nan<float>() : b;
  if (std::isnan(b)) return a;
  if (a == 0 && b == 0) return std::signbit(a) == Max ? b : a;
  return (a < b) == Max ? b : a;
}
template <bool Ftz, bool Max, bool Nan>
float reference_xorsign(float a, float b) {
  a = in(a, Ftz);
  b = in(b, Ftz);
  const float extremum = reference_extremum<false, Max, Nan>(std::fabs(a), std::fabs(b));
  if (std::isnan(extremum)) return extremum;
  return std::signbit(a) != std::signbit(b) ? -extremum : extremum;
}
template <bool Ftz, bool Max, bool Nan>
void expect_extremum() {
  Modifiers m = mods(Type::f32);
  m.ftz = Ftz;
  m.nan = Nan;
  expect_form(Max ? Opcode::max : Opcode::min, m, reference_extremum<Ftz, Max, Nan>);
  m.xorsign_abs = true;
  expect_form(Max ? Opcode::max : Opcode::min, m, reference_xorsign<Ftz, Max, Nan>);
}

TEST(FloatForms, MinAndMax) {
  expect_extremum<false, false, false>();
  expect_extremum<false, false, true>();
  expect_extremum<false, true, false>();
  expect_extremum<false, true, true>();
  expect_extremum<true, false, false>();
  expect_extremum<true, false, true>();
  expect_extremum<true, true, false>();
  expect_extremum<true, true, true>();
  expect_form(
      Opcode::min, mods(Type::f64), +[](double a, double b) {
        if (std::isnan(a)) return std::isnan(b) ? canonical_nan<double>() : b;
        if (std::isnan(b) || a < b || (a == b && std::signbit(a))) return a;
        return b;
      });
  expect_form(
      Opcode::max, mods(Type::f64), +[](double a, double b) {
        if (std::isnan(a)) return std::isnan(b) ? canonical_nan<double>() : b;
        if (std::isnan(b) || a > b || (a == b && !std::signbit(a))) return a;
        return b;
      });
}

TEST(FloatForms, SignsAreBits) {
  using U = std::uint32_t;
  using U64 = std::uint64_t;
  Modifiers ftz = mods(Type::f32);
  ftz.ftz = true;
  static constexpr auto zero_if_tiny = [](U a) { return (a & 0x7f800000u) == 0 ? a & 0x80000000u : a; };
  expect_form(
      Opcode::abs_, mods(Type::f32), +[](U a) { return a & 0x7fffffffu; });
  expect_form(
      Opcode::abs_, ftz, +[](U a) { return zero_if_tiny(a) & 0x7fffffffu; });
  expect_form(
      Opcode::neg, mods(Type::f32), +[](U a) { return a ^ 0x80000000u; });
  expect_form(
      Opcode::neg, ftz, +[](U a) { return zero_if_tiny(a) ^ 0x80000000u; });
  expect_form(
      Opcode::abs_, mods(Type::f64), +[](U64 a) { return a << 1 >> 1; });
  expect_form(
      Opcode::neg, mods(Type::f64), +[](U64 a) { return a ^ U64 { 1 } << 63; });
  expect_form(
      Opcode::copysign, mods(Type::f32), +[](U a, U b) { return (a & 0x80000000u) | (b & 0x7fffffffu); });
  expect_form(
      Opcode::copysign, mods(Type::f64), +[](U64 a, U64 b) { return (a >> 63 << 63) | (b << 1 >> 1); });
}

template <class T, TestpMode Mode>
void expect_testp() {
  Modifiers m = mods(type_of<T>);
  m.testp = Mode;
  expect_form(
      Opcode::testp, m, +[](T a) {
        switch (Mode) {
          case TestpMode::finite:
            return std::isfinite(a);
          case TestpMode::infinite:
            return std::isinf(a);
          case TestpMode::number:
            return !std::isnan(a);
          case TestpMode::notanumber:
            return std::isnan(a);
          case TestpMode::normal:
            return std::isnormal(a) || a == 0;
          default:
            return std::fpclassify(a) == FP_SUBNORMAL;
        }
      });
}
template <class T>
void expect_testp_modes() {
  expect_testp<T, TestpMode::finite>();
  expect_testp<T, TestpMode::infinite>();
  expect_testp<T, TestpMode::number>();
  expect_testp<T, TestpMode::notanumber>();
  expect_testp<T, TestpMode::normal>();
  expect_testp<T, TestpMode::subnormal>();
}

TEST(FloatForms, Testp) {
  expect_testp_modes<float>();
  expect_testp_modes<double>();
}

TEST(FloatForms, HandDerivedVectors) {
  const auto run = [](Opcode opcode, Rounding rounding, bool ftz, bool sat, float a, float b, float c) {
    Modifiers m = mods(Type::f32);
    m.rounding = rounding;
    m.ftz = ftz;
    m.sat = sat;
    Lanes<float> x, y, z, d;
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
    return bits_as<std::uint32_t>(d.v[17]);
  };
  const float infinity = INFINITY, tiny = 0x1p-149f;
  // 1 + 2^-24 lies halfway: to even down, up one place, and the sum of opposites is -0 only when rounding down.
  EXPECT_EQ(run(Opcode::add, Rounding::rn, false, false, 1, 0x1p-24f, 0), 0x3f800000u);
  EXPECT_EQ(run(Opcode::add, Rounding::rp, false, false, 1, 0x1p-24f, 0), 0x3f800001u);
  EXPECT_EQ(run(Opcode::sub, Rounding::rn, false, false, 1, 1, 0), 0u);
  EXPECT_EQ(run(Opcode::sub, Rounding::rm, false, false, 1, 1, 0), 0x80000000u);
  // (1 + 2^-12)^2 - 1 - 2^-11 is exactly 2^-24; a product rounded first would give 0.
  EXPECT_EQ(run(Opcode::fma, Rounding::rn, false, false, 1 + 0x1p-12f, 1 + 0x1p-12f, -1 - 0x1p-11f), 0x33800000u);
  EXPECT_EQ(run(Opcode::fma, Rounding::rn, false, false, 0, infinity, 1), 0x7fffffffu);
  EXPECT_EQ(run(Opcode::mul, Rounding::rn, false, true, infinity, 0, 0), 0u);
  EXPECT_EQ(run(Opcode::mul, Rounding::rn, false, true, 3, 2, 0), 0x3f800000u);
  EXPECT_EQ(run(Opcode::mul, Rounding::rn, false, true, -3, 2, 0), 0u);
  EXPECT_EQ(run(Opcode::add, Rounding::rn, false, false, tiny, tiny, 0), 2u);
  EXPECT_EQ(run(Opcode::add, Rounding::rn, true, false, tiny, tiny, 0), 0u);
  EXPECT_EQ(run(Opcode::add, Rounding::rn, true, false, -tiny, -tiny, 0), 0x80000000u);
  // 2^-126 - 2^-149 is subnormal: flushed on the way out.
  EXPECT_EQ(run(Opcode::mul, Rounding::rn, true, false, 0x1p-63f, 0x1p-64f, 0), 0u);
  EXPECT_EQ(run(Opcode::mul, Rounding::rz, false, false, 3e38f, 2, 0), 0x7f7fffffu);
  EXPECT_EQ(run(Opcode::mul, Rounding::rp, false, false, 3e38f, 2, 0), 0x7f800000u);
  EXPECT_EQ(magnitude(bits_as<float>(run(Opcode::div, Rounding::rn, false, false, 1, 3, 0))), 0x3eaaaaabu);
}

}  // namespace
}  // namespace syncline::isa::test
