// cvt to and from floating point against rounding by definition.
#include "tests/unit/lanes/float_formats.h"

namespace syncline::isa::test {
namespace {

// Formats as types, so that plain functions can be references.
struct F16 {
  using Bits = std::uint16_t;
  static constexpr Type type = Type::f16;
  static constexpr Format format = format_f16;
};
struct Bf16 {
  using Bits = std::uint16_t;
  static constexpr Type type = Type::bf16;
  static constexpr Format format = format_bf16;
};
struct F32 {
  using Bits = std::uint32_t;
  static constexpr Type type = Type::f32;
  static constexpr Format format = format_f32;
};
struct F64 {
  using Bits = std::uint64_t;
  static constexpr Type type = Type::f64;
  static constexpr Format format = format_f64;
};

template <class T>
Type integer_type() {
  constexpr bool is_s = std::is_signed_v<T>;
  switch (sizeof(T)) {
    case 1:
      return is_s ? Type::s8 : Type::u8;
    case 2:
      return is_s ? Type::s16 : Type::u16;
    case 4:
      return is_s ? Type::s32 : Type::u32;
    default:
      return is_s ? Type::s64 : Type::u64;
  }
}

Modifiers cvt(Type to, Type from, Rounding rounding, bool ftz = false, bool sat = false, bool relu = false) {
  Modifiers m = mods(to, from);
  m.rounding = rounding;
  m.ftz = ftz;
  m.sat = sat;
  m.relu = relu;
  return m;
}

template <class D, class S, Rounding R, bool Ftz>
D reference_to_integer(typename S::Bits bits) {
  if (Ftz && S::type == Type::f32) bits = flush_pattern(bits, S::format);
  volatile long double value = decode(bits, S::format);
  // PTX ISA, cvt: 1 << (width of the destination - 1) if the source is .f64 or the destination has 64 bits.
  const bool wide = S::type == Type::f64 || sizeof(D) == 8;
  if (std::isnan(value)) return wide ? static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1)) : D(0);
  const long double rounded = under(R, [&] { return std::nearbyint(value); });
  if (rounded < static_cast<long double>(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
  if (rounded > static_cast<long double>(std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
  return static_cast<D>(rounded);
}
template <class D, class S, Rounding R>
void expect_to_integer_mode() {
  expect_form(Opcode::cvt, cvt(integer_type<D>(), S::type, R), reference_to_integer<D, S, R, false>, 30);
  expect_form(Opcode::cvt, cvt(integer_type<D>(), S::type, R, true), reference_to_integer<D, S, R, true>, 30);
  expect_form(Opcode::cvt, cvt(integer_type<D>(), S::type, R, false, true), reference_to_integer<D, S, R, false>, 10);
}
template <class D, class S>
void expect_to_integer() {
  expect_to_integer_mode<D, S, Rounding::rni>();
  expect_to_integer_mode<D, S, Rounding::rzi>();
  expect_to_integer_mode<D, S, Rounding::rmi>();
  expect_to_integer_mode<D, S, Rounding::rpi>();
}
template <class S>
void expect_to_integers() {
  expect_to_integer<std::uint8_t, S>();
  expect_to_integer<std::int8_t, S>();
  expect_to_integer<std::uint16_t, S>();
  expect_to_integer<std::int16_t, S>();
  expect_to_integer<std::uint32_t, S>();
  expect_to_integer<std::int32_t, S>();
  expect_to_integer<std::uint64_t, S>();
  expect_to_integer<std::int64_t, S>();
}

TEST(FloatConversions, FloatToInteger) {
  expect_to_integers<F16>();
  expect_to_integers<Bf16>();
  expect_to_integers<F32>();
  expect_to_integers<F64>();
}

long double saturated(long double value) {
  if (std::isnan(value) || value <= 0) return 0;
  return value > 1 ? 1 : value;
}

template <class D, class S, Rounding R, bool Sat>
typename D::Bits reference_from_integer(S value) {
  const long double exact = value;
  return static_cast<typename D::Bits>(encode(Sat ? saturated(exact) : exact, D::format, R));
}
template <class D, class S, Rounding R>
void expect_from_integer_mode() {
  const Type type = integer_type<S>();
  expect_form(Opcode::cvt, cvt(D::type, type, R), reference_from_integer<D, S, R, false>, 40);
  expect_form(Opcode::cvt, cvt(D::type, type, R, false, true), reference_from_integer<D, S, R, true>, 10);
  expect_form(Opcode::cvt, cvt(D::type, type, R, true), reference_from_integer<D, S, R, false>, 5);
}
template <class D, class S>
void expect_from_integer() {
  expect_from_integer_mode<D, S, Rounding::rn>();
  expect_from_integer_mode<D, S, Rounding::rz>();
  expect_from_integer_mode<D, S, Rounding::rm>();
  expect_from_integer_mode<D, S, Rounding::rp>();
}
template <class D>
void expect_from_integers() {
  expect_from_integer<D, std::uint8_t>();
  expect_from_integer<D, std::int8_t>();
  expect_from_integer<D, std::uint16_t>();
  expect_from_integer<D, std::int16_t>();
  expect_from_integer<D, std::uint32_t>();
  expect_from_integer<D, std::int32_t>();
  expect_from_integer<D, std::uint64_t>();
  expect_from_integer<D, std::int64_t>();
}

TEST(FloatConversions, IntegerToFloat) {
  expect_from_integers<F16>();
  expect_from_integers<Bf16>();
  expect_from_integers<F32>();
  expect_from_integers<F64>();
}

enum class Then { nothing, sat, relu };

template <class D, class S, Rounding R, bool Ftz, Then After>
typename D::Bits reference_between(typename S::Bits bits) {
  if (Ftz && S::type == Type::f32) bits = flush_pattern(bits, S::format);
  long double value = decode(bits, S::format);
  if (D::type == S::type && R != Rounding::none && std::isfinite(value)) {  // rounds to an integral value
    volatile long double exact = value;
    value = std::copysign(under(R, [&] { return std::nearbyint(exact); }), exact);
  }
  if (After == Then::sat) value = saturated(value);
  if (After == Then::relu && value <= 0) value = 0;
  auto result = static_cast<typename D::Bits>(encode(value, D::format, D::type == S::type ? Rounding::rn : R));
  if (Ftz && D::type == Type::f32) result = flush_pattern(result, D::format);
  return result;
}
template <class D, class S, Rounding R>
void expect_between_mode(bool relu) {
  expect_form(Opcode::cvt, cvt(D::type, S::type, R), reference_between<D, S, R, false, Then::nothing>, 100);
  expect_form(Opcode::cvt, cvt(D::type, S::type, R, false, true), reference_between<D, S, R, false, Then::sat>, 30);
  expect_form(Opcode::cvt, cvt(D::type, S::type, R, true), reference_between<D, S, R, true, Then::nothing>, 30);
  expect_form(Opcode::cvt, cvt(D::type, S::type, R, true, true), reference_between<D, S, R, true, Then::sat>, 30);
  if (!relu) return;
  expect_form(Opcode::cvt, cvt(D::type, S::type, R, false, false, true), reference_between<D, S, R, false, Then::relu>,
              30);
  expect_form(Opcode::cvt, cvt(D::type, S::type, R, true, false, true), reference_between<D, S, R, true, Then::relu>,
              30);
}
template <class D, class S>
void expect_narrowing(bool relu) {
  expect_between_mode<D, S, Rounding::rn>(relu);
  expect_between_mode<D, S, Rounding::rz>(relu);
  expect_between_mode<D, S, Rounding::rm>(relu);
  expect_between_mode<D, S, Rounding::rp>(relu);
}
template <class F>
void expect_same_format() {
  expect_between_mode<F, F, Rounding::none>(false);
  expect_between_mode<F, F, Rounding::rni>(false);
  expect_between_mode<F, F, Rounding::rzi>(false);
  expect_between_mode<F, F, Rounding::rmi>(false);
  expect_between_mode<F, F, Rounding::rpi>(false);
}

TEST(FloatConversions, Widening) {
  expect_between_mode<F32, F16, Rounding::none>(false);
  expect_between_mode<F32, Bf16, Rounding::none>(false);
  expect_between_mode<F64, F16, Rounding::none>(false);
  expect_between_mode<F64, Bf16, Rounding::none>(false);
  expect_between_mode<F64, F32, Rounding::none>(false);
}

TEST(FloatConversions, Narrowing) {
  expect_narrowing<F32, F64>(false);
  expect_narrowing<F16, F32>(true);
  expect_narrowing<F16, F64>(true);
  expect_narrowing<Bf16, F32>(true);
  expect_narrowing<Bf16, F64>(true);
  expect_narrowing<F16, Bf16>(true);
  expect_narrowing<Bf16, F16>(true);
}

TEST(FloatConversions, SameFormatToIntegralValues) {
  expect_same_format<F16>();
  expect_same_format<Bf16>();
  expect_same_format<F32>();
  expect_same_format<F64>();
}

template <Rounding R, bool Relu, bool Finite = false>
std::uint32_t reference_tf32(std::uint32_t bits) {
  long double value = decode(bits, format_f32);
  if (std::isnan(value)) return 0x7fffffff;
  if (Relu && value <= 0) value = 0;
  const auto rounded = static_cast<std::uint32_t>(encode(value, format_tf32, R) << 13);
  return Finite && (rounded & 0x7fffffff) == 0x7f800000 ? (rounded & 0x80000000) | 0x7f7fe000 : rounded;
}
/// .satfinite: the largest number of the format (65504 in f16) in place of an infinity.
template <class D, Rounding R, bool Relu>
std::uint16_t reference_finite(std::uint32_t bits) {
  const std::uint16_t rounded = reference_between < D, F32, R, false, Relu ? Then::relu : Then::nothing > (bits);
  constexpr unsigned infinity = D::type == Type::f16 ? 0x7c00 : 0x7f80;
  if ((rounded & 0x7fffu) != infinity) return rounded;
  return static_cast<std::uint16_t>((rounded & 0x8000u) | (D::type == Type::f16 ? 0x7bffu : 0x7f7fu));
}
template <class D, Rounding R, bool Relu>
std::uint32_t reference_finite_pack(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(reference_finite<D, R, Relu>(a)) << 16 | reference_finite<D, R, Relu>(b);
}
Modifiers finite(Modifiers m) {
  m.satfinite = true;
  return m;
}
template <class D, Rounding R, bool Relu>
void expect_finite(Type pair) {
  expect_form(Opcode::cvt, finite(cvt(D::type, Type::f32, R, false, false, Relu)), reference_finite<D, R, Relu>, 100);
  expect_form(Opcode::cvt, finite(cvt(pair, Type::f32, R, false, false, Relu)), reference_finite_pack<D, R, Relu>, 100);
}
template <class H, Rounding R, bool Relu>
std::uint32_t reference_pack(std::uint32_t a, std::uint32_t b) {
  constexpr Then after = Relu ? Then::relu : Then::nothing;
  return static_cast<std::uint32_t>(reference_between<H, F32, R, false, after>(a)) << 16 |
         reference_between<H, F32, R, false, after>(b);
}

TEST(FloatConversions, Tf32AndPairs) {
  expect_form(Opcode::cvt, cvt(Type::tf32, Type::f32, Rounding::rna), reference_tf32<Rounding::rna, false>, 200);
  expect_form(Opcode::cvt, cvt(Type::tf32, Type::f32, Rounding::rn), reference_tf32<Rounding::rn, false>, 200);
  expect_form(Opcode::cvt, cvt(Type::tf32, Type::f32, Rounding::rz), reference_tf32<Rounding::rz, false>, 200);
  expect_form(Opcode::cvt, cvt(Type::tf32, Type::f32, Rounding::rn, false, false, true),
              reference_tf32<Rounding::rn, true>);
  expect_form(Opcode::cvt, cvt(Type::f16x2, Type::f32, Rounding::rn), reference_pack<F16, Rounding::rn, false>, 100);
  expect_form(Opcode::cvt, cvt(Type::f16x2, Type::f32, Rounding::rz), reference_pack<F16, Rounding::rz, false>);
  expect_form(Opcode::cvt, cvt(Type::bf16x2, Type::f32, Rounding::rn), reference_pack<Bf16, Rounding::rn, false>, 100);
  expect_form(Opcode::cvt, cvt(Type::bf16x2, Type::f32, Rounding::rz, false, false, true),
              reference_pack<Bf16, Rounding::rz, true>);
  expect_form(Opcode::cvt, cvt(Type::f16x2, Type::f32, Rounding::rn, false, false, true),
              reference_pack<F16, Rounding::rn, true>);
}

TEST(FloatConversions, SatfiniteStopsAtTheLargestNumber) {
  expect_finite<F16, Rounding::rn, false>(Type::f16x2);
  expect_finite<F16, Rounding::rz, true>(Type::f16x2);
  expect_finite<Bf16, Rounding::rn, true>(Type::bf16x2);
  expect_finite<Bf16, Rounding::rz, false>(Type::bf16x2);
  expect_form(Opcode::cvt, finite(cvt(Type::tf32, Type::f32, Rounding::rna)),
              reference_tf32<Rounding::rna, false, true>, 100);
  expect_form(Opcode::cvt, finite(cvt(Type::tf32, Type::f32, Rounding::rn, false, false, true)),
              reference_tf32<Rounding::rn, true, true>, 100);
}

TEST(FloatConversions, UndefinedOnesAreNull) {
  EXPECT_EQ(find_lane_kernel(Opcode::cvt, cvt(Type::s32, Type::f32, Rounding::none)), nullptr) << "needs a rounding";
  EXPECT_EQ(find_lane_kernel(Opcode::cvt, cvt(Type::f32, Type::f64, Rounding::none)), nullptr) << "needs a rounding";
  EXPECT_EQ(find_lane_kernel(Opcode::cvt, cvt(Type::f64, Type::f32, Rounding::rn)), nullptr) << "is exact";
  EXPECT_EQ(find_lane_kernel(Opcode::cvt, cvt(Type::f32, Type::s32, Rounding::rni)), nullptr)
      << "wrong kind of rounding";
  EXPECT_EQ(find_lane_kernel(Opcode::cvt, cvt(Type::s32, Type::s32, Rounding::rn)), nullptr) << "integers do not round";
}

TEST(FloatConversions, EveryHalfThereAndBack) {
  for (const Type half : {Type::f16, Type::bf16}) {
    const LaneKernel widen = find_lane_kernel(Opcode::cvt, cvt(Type::f32, half, Rounding::none));
    const LaneKernel narrow = find_lane_kernel(Opcode::cvt, cvt(half, Type::f32, Rounding::rz));
    const unsigned infinity = half == Type::f16 ? 0x7c00 : 0x7f80;
    for (unsigned base = 0; base < 0x10000; base += kernel_lanes) {
      Lanes<std::uint16_t> h, back;
      Lanes<float> f;
      for (unsigned lane = 0; lane < kernel_lanes; ++lane) h.v[lane] = static_cast<std::uint16_t>(base + lane);
      LaneArgs args;
      args.mask = 0xffffffffu;
      args.dst = f.v.data();
      args.src[0] = h.v.data();
      widen(args);
      args.dst = back.v.data();
      args.src[0] = f.v.data();
      narrow(args);
      for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
        const bool nan = (h.v[lane] & 0x7fffu) > infinity;
        ASSERT_EQ(back.v[lane], nan ? 0x7fff : h.v[lane]) << base + lane;
      }
    }
  }
}

}  // namespace
}  // namespace syncline::isa::test
