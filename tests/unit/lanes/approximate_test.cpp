// The approximate functions against long double functions of the C library, within the bounds of the PTX ISA.
#include "tests/unit/lanes/float_formats.h"

namespace syncline::isa::test {
namespace {

using U = std::uint32_t;

Modifiers approx(Type type, bool ftz = false) {
  Modifiers m = mods(type);
  m.approx = true;
  m.ftz = ftz;
  return m;
}

/// Runs a kernel on 32 values; calls check(input, result) for each.
template <class T, class Check>
void run(LaneKernel kernel, const Lanes<T>& input, const Check& check) {
  Lanes<T> result;
  LaneArgs args;
  args.dst = result.v.data();
  args.src[0] = input.v.data();
  args.mask = 0xffffffffu;
  kernel(args);
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) check(input.v[lane], result.v[lane]);
}

/// Every pattern of f32 that is `step` apart: all exponents, both signs, zeros, infinities and NaNs.
template <class Check>
void sweep_f32(Opcode opcode, const Check& check, U step = 9973) {
  const LaneKernel kernel = find_lane_kernel(opcode, approx(Type::f32));
  ASSERT_NE(kernel, nullptr);
  Lanes<float> input;
  for (std::uint64_t base = 0; base < 0x100000000; base += std::uint64_t{step} * kernel_lanes) {
    for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
      input.v[lane] = bits_as<float>(static_cast<U>(base + std::uint64_t{step} * lane));
    }
    run(kernel, input, check);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// |found - exact| is within `ulps` units of the last place of f32 at `exact` (0.5 is a correctly rounded result).
void expect_ulps(float input, float found, long double exact, long double ulps) {
  if (std::isnan(exact)) {
    ASSERT_EQ(bits_as<U>(found), 0x7fffffffu) << input;
    return;
  }
  if (std::fabs(exact) >= 0x1.ffffffp127L) {
    ASSERT_EQ(found, exact < 0 ? -INFINITY : INFINITY) << input;
    return;
  }
  const int unit = (exact == 0 ? -126 : std::max(std::ilogb(exact), -126)) - 23;
  ASSERT_LE(std::fabs(static_cast<long double>(found) - exact), std::ldexp(ulps, unit))
      << std::hexfloat << "f(" << input << ") = " << found << ", expected " << static_cast<double>(exact);
}

// A shade more than half a unit: nearly every result is the nearest f32, which is far inside the bounds of the ISA
// (2 units for ex2, 2^-22 for lg2, 2^-22.9 for rsqrt, 1 unit for rcp).
constexpr long double nearly_nearest = 0.5001L;

TEST(ApproximateForms, Ex2) {
  sweep_f32(Opcode::ex2,
            [](float x, float y) { expect_ulps(x, y, std::exp2(static_cast<long double>(x)), nearly_nearest); });
}
TEST(ApproximateForms, Lg2) {
  sweep_f32(Opcode::lg2,
            [](float x, float y) { expect_ulps(x, y, std::log2(static_cast<long double>(x)), nearly_nearest); });
}
TEST(ApproximateForms, Rsqrt) {
  sweep_f32(Opcode::rsqrt,
            [](float x, float y) { expect_ulps(x, y, 1 / std::sqrt(static_cast<long double>(x)), nearly_nearest); });
}
TEST(ApproximateForms, RcpAndSqrt) {
  sweep_f32(Opcode::rcp, [](float x, float y) { expect_ulps(x, y, 1 / static_cast<long double>(x), 0.5L); });
  sweep_f32(Opcode::sqrt, [](float x, float y) { expect_ulps(x, y, std::sqrt(static_cast<long double>(x)), 0.5L); });
}
TEST(ApproximateForms, SinAndCos) {
  const auto far = [](float x) { return std::isfinite(x) && std::fabs(x) >= 0x1p26f; };
  sweep_f32(Opcode::sin, [&](float x, float y) {
    if (far(x)) {
      ASSERT_EQ(y, 0.0f) << x;
    } else {
      const long double exact = std::isinf(x) ? NAN : std::sin(static_cast<long double>(x));
      expect_ulps(x, y, exact, std::fabs(x) < 10000 ? 0.501L : 4.0L);
      ASSERT_TRUE(std::isnan(exact) || std::fabs(y - exact) < 0x1p-20L) << x;
    }
  });
  sweep_f32(Opcode::cos, [&](float x, float y) {
    if (far(x)) {
      ASSERT_EQ(y, 1.0f) << x;
    } else {
      const long double exact = std::isinf(x) ? NAN : std::cos(static_cast<long double>(x));
      expect_ulps(x, y, exact, std::fabs(x) < 10000 ? 0.501L : 4.0L);
      ASSERT_TRUE(std::isnan(exact) || std::fabs(y - exact) < 0x1p-20L) << x;
    }
  });
}
TEST(ApproximateForms, Tanh) {
  sweep_f32(Opcode::tanh,
            [](float x, float y) { expect_ulps(x, y, std::tanh(static_cast<long double>(x)), nearly_nearest); });
}

TEST(ApproximateForms, SignsOfZeroAndSpecialValues) {
  const auto one = [](Opcode opcode, float x, bool ftz = false) {
    Lanes<float> input;
    input.v.fill(x);
    float found = 0;
    run(find_lane_kernel(opcode, approx(Type::f32, ftz)), input, [&](float, float y) { found = y; });
    return bits_as<U>(found);
  };
  const float tiny = 0x1p-140f;
  EXPECT_EQ(one(Opcode::ex2, 0), 0x3f800000u);
  EXPECT_EQ(one(Opcode::ex2, -INFINITY), 0u);
  EXPECT_EQ(one(Opcode::ex2, -140), bits_as<U>(tiny));
  EXPECT_EQ(one(Opcode::ex2, -140, true), 0u);
  EXPECT_EQ(one(Opcode::ex2, 10), bits_as<U>(1024.0f));
  EXPECT_EQ(one(Opcode::lg2, -0.0f), 0xff800000u);
  EXPECT_EQ(one(Opcode::lg2, 1), 0u);
  EXPECT_EQ(one(Opcode::lg2, -1), 0x7fffffffu);
  EXPECT_EQ(one(Opcode::lg2, tiny), bits_as<U>(-140.0f));
  EXPECT_EQ(one(Opcode::lg2, tiny, true), 0xff800000u);
  EXPECT_EQ(one(Opcode::sin, -0.0f), 0x80000000u);
  EXPECT_EQ(one(Opcode::sin, tiny), bits_as<U>(tiny));
  EXPECT_EQ(one(Opcode::sin, -tiny, true), 0x80000000u);
  EXPECT_EQ(one(Opcode::cos, INFINITY), 0x7fffffffu);
  EXPECT_EQ(one(Opcode::rsqrt, -0.0f), 0xff800000u);
  EXPECT_EQ(one(Opcode::rsqrt, tiny, true), 0x7f800000u);
  EXPECT_EQ(one(Opcode::rsqrt, -1), 0x7fffffffu);
  EXPECT_EQ(one(Opcode::rsqrt, INFINITY), 0u);
  EXPECT_EQ(one(Opcode::rcp, -0.0f), 0xff800000u);
  EXPECT_EQ(one(Opcode::rcp, tiny, true), 0x7f800000u);
  EXPECT_EQ(one(Opcode::tanh, -0.0f), 0x80000000u);
  EXPECT_EQ(one(Opcode::tanh, -INFINITY), 0xbf800000u);
}

TEST(ApproximateForms, UnmodifiedFunctionsOfOldPtxAreApproximateAndFlush) {
  for (const Opcode opcode :
       {Opcode::sin, Opcode::cos, Opcode::ex2, Opcode::lg2, Opcode::rsqrt, Opcode::rcp, Opcode::sqrt, Opcode::div}) {
    const LaneKernel kernel = find_lane_kernel(opcode, mods(Type::f32));
    EXPECT_NE(kernel, nullptr) << name(opcode);
    EXPECT_EQ(kernel, find_lane_kernel(opcode, approx(Type::f32, true))) << name(opcode);
  }
}

template <bool Ftz>
float reference_full(float a, float b) {
  volatile float x = in(a, Ftz), y = in(b, Ftz);
  return out(static_cast<float>(x / y), Ftz, false);
}
template <bool Ftz>
float reference_approx(float a, float b) {
  const float divisor = in(b, Ftz);
  if (std::fabs(divisor) <= 0x1p126f || !std::isfinite(divisor)) return reference_full<Ftz>(a, b);
  // Beyond 2^126: NaN for an infinite dividend, else zero.
  if (!std::isfinite(a)) return canonical_nan<float>();
  return std::copysign(0.0f, std::signbit(a) != std::signbit(b) ? -1.0f : 1.0f);
}

TEST(ApproximateForms, Division) {
  Modifiers full = mods(Type::f32);
  full.full = true;
  expect_form(Opcode::div, full, reference_full<false>, 200);
  expect_form(Opcode::div, approx(Type::f32), reference_approx<false>, 200);
  expect_form(Opcode::div, approx(Type::f32, true), reference_approx<true>, 200);
  full.ftz = true;
  expect_form(Opcode::div, full, reference_full<true>, 200);
}

TEST(ApproximateForms, DoubleForms) {
  const LaneKernel rcp = find_lane_kernel(Opcode::rcp, approx(Type::f64, true));
  const LaneKernel rsqrt_ftz = find_lane_kernel(Opcode::rsqrt, approx(Type::f64, true));
  const LaneKernel rsqrt = find_lane_kernel(Opcode::rsqrt, approx(Type::f64));
  ASSERT_TRUE(rcp != nullptr && rsqrt_ftz != nullptr && rsqrt != nullptr);
  EXPECT_EQ(find_lane_kernel(Opcode::rcp, approx(Type::f64)), nullptr) << "only with .ftz";
  std::mt19937_64 random(1);
  for (unsigned round = 0; round < 500; ++round) {
    Lanes<double> input;
    for (double& x : input.v) x = any_value<double>(random);
    const auto check = [](bool ftz, double x, double y, long double exact) {
      if (ftz) {
        ASSERT_EQ(bits_as<std::uint64_t>(y) & 0xffffffffu, 0u) << "only the upper half is delivered";
      }
      if (std::isnan(exact)) {
        ASSERT_TRUE(std::isnan(y)) << x;
      } else if (std::isinf(exact) || exact == 0) {
        ASSERT_EQ(y, static_cast<double>(exact)) << x;
      } else if (ftz && std::fabs(exact) < 0x1p-1022L) {
        ASSERT_EQ(y, 0) << x;
      } else if (std::fabs(exact) < 0x1p1024L) {
        ASSERT_LE(std::fabs(y - exact), std::fabs(exact) * (ftz ? 0x1p-19L : 0x1p-52L)) << std::hexfloat << x;
      }
    };
    run(rcp, input, [&](double x, double y) { check(true, x, y, 1 / static_cast<long double>(flushed(x))); });
    run(rsqrt_ftz, input,
        [&](double x, double y) { check(true, x, y, 1 / std::sqrt(static_cast<long double>(flushed(x)))); });
    run(rsqrt, input, [&](double x, double y) { check(false, x, y, 1 / std::sqrt(static_cast<long double>(x))); });
  }
}

/// All 65536 patterns, within one unit of the last place (the bounds of the ISA are wider).
template <class Function>
void exhaust_half(Opcode opcode, Type type, const Format& format, bool ftz, Function function) {
  const LaneKernel kernel = find_lane_kernel(opcode, approx(type, ftz));
  ASSERT_NE(kernel, nullptr) << name(opcode) << name(type);
  for (unsigned base = 0; base < 0x10000; base += kernel_lanes) {
    Lanes<std::uint16_t> input;
    for (unsigned lane = 0; lane < kernel_lanes; ++lane) input.v[lane] = static_cast<std::uint16_t>(base + lane);
    run(kernel, input, [&](std::uint16_t x, std::uint16_t y) {
      const std::uint16_t argument = ftz ? flush_pattern(x, format) : x;
      auto exact = static_cast<std::uint16_t>(encode(function(decode(argument, format)), format, Rounding::rn));
      if (ftz) exact = flush_pattern(exact, format);
      ASSERT_LE(std::abs(int{y} - int{exact}), std::isnan(decode(exact, format)) ? 0 : 1)
          << name(opcode) << std::hex << x;
    });
  }
}

TEST(ApproximateForms, SixteenBitFormats) {
  const auto exp2 = [](long double x) { return std::exp2(x); };
  const auto tanh = [](long double x) { return std::tanh(x); };
  exhaust_half(Opcode::ex2, Type::f16, format_f16, false, exp2);
  exhaust_half(Opcode::tanh, Type::f16, format_f16, false, tanh);
  exhaust_half(Opcode::ex2, Type::bf16, format_bf16, true, exp2);
  exhaust_half(Opcode::tanh, Type::bf16, format_bf16, false, tanh);
}

TEST(ApproximateForms, PairsAreTwoSingles) {
  struct Pair {
    Opcode opcode;
    Type single, packed;
    bool ftz;
  };
  for (const Pair& pair :
       {Pair{Opcode::ex2, Type::f16, Type::f16x2, false}, Pair{Opcode::tanh, Type::f16, Type::f16x2, false},
        Pair{Opcode::ex2, Type::bf16, Type::bf16x2, true}, Pair{Opcode::tanh, Type::bf16, Type::bf16x2, false}}) {
    const LaneKernel single = find_lane_kernel(pair.opcode, approx(pair.single, pair.ftz));
    const LaneKernel packed = find_lane_kernel(pair.opcode, approx(pair.packed, pair.ftz));
    ASSERT_TRUE(single != nullptr && packed != nullptr);
    std::mt19937_64 random(8);
    for (unsigned round = 0; round < 50; ++round) {
      Lanes<std::uint16_t> low, high;
      Lanes<U> both;
      for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
        low.v[lane] = any_value<std::uint16_t>(random);
        high.v[lane] = any_value<std::uint16_t>(random);
        both.v[lane] = static_cast<U>(high.v[lane]) << 16 | low.v[lane];
      }
      std::vector<U> expected(kernel_lanes), found;
      unsigned n = 0;
      run(single, low, [&](std::uint16_t, std::uint16_t y) { expected[n++] = y; });
      n = 0;
      run(single, high, [&](std::uint16_t, std::uint16_t y) { expected[n++] |= static_cast<U>(y) << 16; });
      run(packed, both, [&](U, U y) { found.push_back(y); });
      ASSERT_EQ(found, expected) << name(pair.opcode) << name(pair.packed);
    }
  }
}

}  // namespace
}  // namespace syncline::isa::test
