// Integer arithmetic against 128-bit arithmetic of the host.
#include "tests/unit/lanes/lane_harness.h"

namespace syncline::isa::test {
namespace {

__extension__ typedef __int128 Big;

template <class T>
Type type_of() {
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

template <class T>
T clamp(Big value) {
  const Big low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(value < low ? low : value > high ? high : value);
}

template <class T>
T reference_div(T a, T b) {
  return static_cast<T>(b == 0 ? ~Big{0} : static_cast<Big>(a) / b);
}
template <class T>
T reference_rem(T a, T b) {
  return static_cast<T>(b == 0 ? static_cast<Big>(a) : static_cast<Big>(a) % b);
}

Modifiers part(Type type, MulPart which) {
  Modifiers m = mods(type);
  m.part = which;
  return m;
}

template <class T>
class IntegerLanes : public testing::Test {};
using Integers = testing::Types<std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>;
TYPED_TEST_SUITE(IntegerLanes, Integers);

TYPED_TEST(IntegerLanes, AddSubMinMaxSad) {
  using T = TypeParam;
  const Modifiers m = mods(type_of<T>());
  expect_form(
      Opcode::add, m, +[](T a, T b) { return static_cast<T>(Big{a} + b); });
  expect_form(
      Opcode::sub, m, +[](T a, T b) { return static_cast<T>(Big{a} - b); });
  expect_form(
      Opcode::min, m, +[](T a, T b) { return std::min(a, b); });
  expect_form(
      Opcode::max, m, +[](T a, T b) { return std::max(a, b); });
  expect_form(
      Opcode::sad, m, +[](T a, T b, T c) {
        const Big difference = Big{a} - b;
        return static_cast<T>(c + (difference < 0 ? -difference : difference));
      });
}

TYPED_TEST(IntegerLanes, MulAndMad) {
  using T = TypeParam;
  const Type t = type_of<T>();
  expect_form(
      Opcode::mul, part(t, MulPart::lo), +[](T a, T b) {
        return static_cast<T>(static_cast<unsigned long long>(a) * static_cast<unsigned long long>(b));
      });
  expect_form(
      Opcode::mad, part(t, MulPart::lo), +[](T a, T b, T c) {
        return static_cast<T>(static_cast<unsigned long long>(a) * static_cast<unsigned long long>(b) +
                              static_cast<unsigned long long>(c));
      });
  // The product of two u64 does not fit a signed 128-bit number, its halves by long multiplication do.
  constexpr auto high = [](T a, T b) {
    if constexpr (sizeof(T) < 8 || std::is_signed_v<T>) {
      return static_cast<T>(Big{a} * b >> 8 * sizeof(T));
    } else {
      const Big low_a = a & 0xffffffffu, high_a = a >> 32, low_b = b & 0xffffffffu, high_b = b >> 32;
      const Big middle = high_a * low_b + (low_a * low_b >> 32);
      return static_cast<T>(high_a * high_b + (middle >> 32) + (((middle & 0xffffffffu) + low_a * high_b) >> 32));
    }
  };
  static constexpr auto multiply_high = high;
  expect_form(
      Opcode::mul, part(t, MulPart::hi), +[](T a, T b) { return multiply_high(a, b); });
  expect_form(
      Opcode::mad, part(t, MulPart::hi), +[](T a, T b, T c) {
        return static_cast<T>(static_cast<unsigned long long>(multiply_high(a, b)) +
                              static_cast<unsigned long long>(c));
      });
}

TYPED_TEST(IntegerLanes, DivisionLikeTheHardware) {
  using T = TypeParam;
  expect_form(
      Opcode::div, mods(type_of<T>()), +[](T a, T b) { return reference_div(a, b); });
  expect_form(
      Opcode::rem, mods(type_of<T>()), +[](T a, T b) { return reference_rem(a, b); });
}

template <class T, class W>
void expect_wide() {
  expect_form(
      Opcode::mul, part(type_of<T>(), MulPart::wide), +[](T a, T b) { return static_cast<W>(Big{a} * b); });
  expect_form(
      Opcode::mad, part(type_of<T>(), MulPart::wide), +[](T a, T b, W c) { return static_cast<W>(Big{a} * b + c); });
}

TEST(IntegerForms, WideProducts) {
  expect_wide<std::uint16_t, std::uint32_t>();
  expect_wide<std::int16_t, std::int32_t>();
  expect_wide<std::uint32_t, std::uint64_t>();
  expect_wide<std::int32_t, std::int64_t>();
}

template <class T>
void expect_signs() {
  expect_form(
      Opcode::neg, mods(type_of<T>()), +[](T a) { return static_cast<T>(-Big{a}); });
  expect_form(
      Opcode::abs_, mods(type_of<T>()), +[](T a) { return static_cast<T>(a < 0 ? -Big{a} : Big{a}); });
}

TEST(IntegerForms, Signs) {
  expect_signs<std::int16_t>();
  expect_signs<std::int32_t>();
  expect_signs<std::int64_t>();
}

using S = std::int32_t;
using U = std::uint32_t;

TEST(IntegerForms, Saturation) {
  Modifiers m = mods(Type::s32);
  m.sat = true;
  expect_form(
      Opcode::add, m, +[](S a, S b) { return clamp<S>(Big{a} + b); });
  expect_form(
      Opcode::sub, m, +[](S a, S b) { return clamp<S>(Big{a} - b); });
  m.part = MulPart::hi;
  expect_form(
      Opcode::mad, m, +[](S a, S b, S c) { return clamp<S>((Big{a} * b >> 32) + c); });
  Modifiers relu = mods(Type::s32);
  relu.relu = true;
  expect_form(
      Opcode::min, relu, +[](S a, S b) { return std::max(0, std::min(a, b)); });
  expect_form(
      Opcode::max, relu, +[](S a, S b) {
        return std::max({0, a, b});
      });
}

template <class T>
Big low24(T value) {
  const Big cut = value & 0xffffff;
  return std::is_signed_v<T> && (cut & 0x800000) != 0 ? cut - 0x1000000 : cut;
}
template <class T>
void expect_24() {
  const Type t = type_of<T>();
  expect_form(
      Opcode::mul24, part(t, MulPart::lo), +[](T a, T b) { return static_cast<T>(low24(a) * low24(b)); });
  expect_form(
      Opcode::mul24, part(t, MulPart::hi), +[](T a, T b) { return static_cast<T>(low24(a) * low24(b) >> 16); });
  expect_form(
      Opcode::mad24, part(t, MulPart::lo), +[](T a, T b, T c) { return static_cast<T>(low24(a) * low24(b) + c); });
  expect_form(
      Opcode::mad24, part(t, MulPart::hi),
      +[](T a, T b, T c) { return static_cast<T>((low24(a) * low24(b) >> 16) + c); });
}

TEST(IntegerForms, Products24) {
  expect_24<U>();
  expect_24<S>();
  Modifiers m = part(Type::s32, MulPart::hi);
  m.sat = true;
  expect_form(
      Opcode::mad24, m, +[](S a, S b, S c) { return clamp<S>(Big{static_cast<S>(low24(a) * low24(b) >> 16)} + c); });
}

template <class H, class F>
U by_halves(U a, U b, F f) {
  const auto low = static_cast<std::uint16_t>(f(static_cast<H>(a), static_cast<H>(b)));
  const auto high = static_cast<std::uint16_t>(f(static_cast<H>(a >> 16), static_cast<H>(b >> 16)));
  return static_cast<U>(high) << 16 | low;
}

TEST(IntegerForms, PackedHalves) {
  using H = std::int16_t;
  using HU = std::uint16_t;
  expect_form(
      Opcode::add, mods(Type::u16x2),
      +[](U a, U b) { return by_halves<HU>(a, b, [](int x, int y) { return x + y; }); });
  expect_form(
      Opcode::sub, mods(Type::s16x2), +[](U a, U b) { return by_halves<H>(a, b, [](int x, int y) { return x - y; }); });
  expect_form(
      Opcode::min, mods(Type::u16x2),
      +[](U a, U b) { return by_halves<HU>(a, b, [](int x, int y) { return std::min(x, y); }); });
  expect_form(
      Opcode::max, mods(Type::s16x2),
      +[](U a, U b) { return by_halves<H>(a, b, [](int x, int y) { return std::max(x, y); }); });
  Modifiers relu = mods(Type::s16x2);
  relu.relu = true;
  expect_form(
      Opcode::max, relu, +[](U a, U b) {
        return by_halves<H>(a, b, [](int x, int y) { return std::max({x, y, 0}); });
      });
  expect_form(
      Opcode::min, relu,
      +[](U a, U b) { return by_halves<H>(a, b, [](int x, int y) { return std::max(std::min(x, y), 0); }); });
}

template <bool Signed>
int byte_at(U value, unsigned n) {
  const int b = static_cast<int>(value >> 8 * n & 0xff);
  return Signed && b > 127 ? b - 256 : b;
}
template <bool Signed>
int half_at(U value, unsigned n) {
  const int h = static_cast<int>(value >> 16 * n & 0xffff);
  return Signed && h > 32767 ? h - 65536 : h;
}
template <bool A, bool B>
void expect_dot() {
  const Modifiers m = mods(A ? Type::s32 : Type::u32, B ? Type::s32 : Type::u32);
  expect_form(
      Opcode::dp4a, m, +[](U a, U b, U c) {
        Big sum = c;
        for (unsigned n = 0; n < 4; ++n) sum += Big{byte_at<A>(a, n)} * byte_at<B>(b, n);
        return static_cast<U>(sum);
      });
  Modifiers low = m, high = m;
  low.part = MulPart::lo;
  high.part = MulPart::hi;
  expect_form(
      Opcode::dp2a, low, +[](U a, U b, U c) {
        return static_cast<U>(Big{c} + Big{half_at<A>(a, 0)} * byte_at<B>(b, 0) +
                              Big{half_at<A>(a, 1)} * byte_at<B>(b, 1));
      });
  expect_form(
      Opcode::dp2a, high, +[](U a, U b, U c) {
        return static_cast<U>(Big{c} + Big{half_at<A>(a, 0)} * byte_at<B>(b, 2) +
                              Big{half_at<A>(a, 1)} * byte_at<B>(b, 3));
      });
}

TEST(IntegerForms, DotProducts) {
  expect_dot<false, false>();
  expect_dot<false, true>();
  expect_dot<true, false>();
  expect_dot<true, true>();
}

TEST(IntegerForms, HandDerivedCorners) {
  const auto one = [](Opcode opcode, Type type, U a, U b) {
    Lanes<U> x, y, d;
    x.v.fill(a);
    y.v.fill(b);
    LaneArgs args;
    args.dst = d.v.data();
    args.src[0] = x.v.data();
    args.src[1] = y.v.data();
    args.mask = 0xffffffffu;
    find_lane_kernel(opcode, mods(type))(args);
    return d.v[31];
  };
  EXPECT_EQ(one(Opcode::div, Type::u32, 7, 0), 0xffffffffu);
  EXPECT_EQ(one(Opcode::div, Type::s32, 7, 0), 0xffffffffu);
  EXPECT_EQ(one(Opcode::rem, Type::u32, 7, 0), 7u);
  EXPECT_EQ(one(Opcode::div, Type::s32, 0x80000000, 0xffffffff), 0x80000000u);
  EXPECT_EQ(one(Opcode::rem, Type::s32, 0x80000000, 0xffffffff), 0u);
  EXPECT_EQ(one(Opcode::div, Type::s32, 0xfffffff9, 2), 0xfffffffdu);
  EXPECT_EQ(one(Opcode::rem, Type::s32, 0xfffffff9, 2), 0xffffffffu);
}

TEST(IntegerForms, DestinationMayBeASource) {
  for (const LaneIsa isa : runnable_builds()) {
    for (const std::uint32_t mask : {0xffffffffu, 0x00ff10f1u}) {
      Lanes<U> a, b;
      for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
        a.v[lane] = 3 * lane + 1;
        b.v[lane] = 1000 - lane;
      }
      LaneArgs args;
      args.dst = a.v.data();
      args.src[0] = a.v.data();
      args.src[1] = b.v.data();
      args.src[2] = a.v.data();
      args.mask = mask;
      kernel_table(isa)->find(form_of(Opcode::mad, part(Type::u32, MulPart::lo)))(args);
      for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
        const U old = 3 * lane + 1;
        ASSERT_EQ(a.v[lane], (mask >> lane & 1u) != 0 ? old * (1000 - lane) + old : old);
      }
    }
  }
}

template <class D, class S>
void expect_conversion() {
  Modifiers m = mods(type_of<D>(), type_of<S>());
  expect_form(
      Opcode::cvt, m, +[](S a) { return static_cast<D>(Big{a}); }, 20);
  m.sat = true;
  expect_form(
      Opcode::cvt, m, +[](S a) { return clamp<D>(Big{a}); }, 20);
}
template <class D>
void expect_conversions_to() {
  expect_conversion<D, std::uint8_t>();
  expect_conversion<D, std::int8_t>();
  expect_conversion<D, std::uint16_t>();
  expect_conversion<D, std::int16_t>();
  expect_conversion<D, std::uint32_t>();
  expect_conversion<D, std::int32_t>();
  expect_conversion<D, std::uint64_t>();
  expect_conversion<D, std::int64_t>();
}

TEST(IntegerConversions, AllPairsWithAndWithoutSaturation) {
  expect_conversions_to<std::uint8_t>();
  expect_conversions_to<std::int8_t>();
  expect_conversions_to<std::uint16_t>();
  expect_conversions_to<std::int16_t>();
  expect_conversions_to<std::uint32_t>();
  expect_conversions_to<std::int32_t>();
  expect_conversions_to<std::uint64_t>();
  expect_conversions_to<std::int64_t>();
}

}  // namespace
}  // namespace syncline::isa::test
