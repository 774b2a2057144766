// Integers packed into a register, element by element, and carry-less products.
#include <algorithm>

#include "tests/unit/lanes/lane_harness.h"

namespace syncline::isa::test {
namespace {

using U = std::uint32_t;
using W = std::uint64_t;

template <class T>
Type packed_type() {
  if (sizeof(T) == 2) return std::is_signed_v<T> ? Type::s16x2 : Type::u16x2;
  return std::is_signed_v<T> ? Type::s8x4 : Type::u8x4;
}

/// f on each pair of elements, in plain ints; the result is cut to the element.
template <class T, class F>
U by_elements(U a, U b, F f) {
  std::array<T, 4 / sizeof(T)> x, y;
  std::memcpy(x.data(), &a, 4);
  std::memcpy(y.data(), &b, 4);
  for (std::size_t n = 0; n < x.size(); ++n) x[n] = static_cast<T>(f(int{x[n]}, int{y[n]}));
  U result = 0;
  std::memcpy(&result, x.data(), 4);
  return result;
}

template <class T>
int clamped(int value) {
  return std::clamp(value, int{std::numeric_limits<T>::min()}, int{std::numeric_limits<T>::max()});
}

template <class T>
class PackedIntegers : public testing::Test {};
using Elements = testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t>;
TYPED_TEST_SUITE(PackedIntegers, Elements);

TYPED_TEST(PackedIntegers, SumsDifferencesAndExtrema) {
  using T = TypeParam;
  const Modifiers plain = mods(packed_type<T>());
  expect_form(
      Opcode::add, plain, +[](U a, U b) { return by_elements<T>(a, b, [](int x, int y) { return x + y; }); });
  expect_form(
      Opcode::min, plain, +[](U a, U b) { return by_elements<T>(a, b, [](int x, int y) { return std::min(x, y); }); });
  expect_form(
      Opcode::max, plain, +[](U a, U b) { return by_elements<T>(a, b, [](int x, int y) { return std::max(x, y); }); });
  expect_form(
      Opcode::sub, plain, +[](U a, U b) { return by_elements<T>(a, b, [](int x, int y) { return x - y; }); });
  Modifiers sat = plain;
  sat.sat = true;
  expect_form(
      Opcode::add, sat, +[](U a, U b) { return by_elements<T>(a, b, [](int x, int y) { return clamped<T>(x + y); }); });
  expect_form(
      Opcode::sub, sat, +[](U a, U b) { return by_elements<T>(a, b, [](int x, int y) { return clamped<T>(x - y); }); });
}

TYPED_TEST(PackedIntegers, SetWritesAllOnesPerElement) {
  using T = TypeParam;
  const auto form = [](Compare compare) {
    Modifiers m = mods(packed_type<T>());
    m.compare = compare;
    return m;
  };
  expect_form(
      Opcode::set, form(Compare::eq),
      +[](U a, U b) { return by_elements<T>(a, b, [](int x, int y) { return x == y ? -1 : 0; }); });
  expect_form(
      Opcode::set, form(Compare::ne),
      +[](U a, U b) { return by_elements<T>(a, b, [](int x, int y) { return x != y ? -1 : 0; }); });
  expect_form(
      Opcode::set, form(Compare::lt),
      +[](U a, U b) { return by_elements<T>(a, b, [](int x, int y) { return x < y ? -1 : 0; }); });
  expect_form(
      Opcode::set, form(Compare::le),
      +[](U a, U b) { return by_elements<T>(a, b, [](int x, int y) { return x <= y ? -1 : 0; }); });
  expect_form(
      Opcode::set, form(Compare::gt),
      +[](U a, U b) { return by_elements<T>(a, b, [](int x, int y) { return x > y ? -1 : 0; }); });
  expect_form(
      Opcode::set, form(Compare::ge),
      +[](U a, U b) { return by_elements<T>(a, b, [](int x, int y) { return x >= y ? -1 : 0; }); });
}

TEST(PackedIntegerForms, UnsignedSpellingsOfComparisons) {
  const auto kernel = [](Compare compare) {
    Modifiers m = mods(Type::u8x4);
    m.compare = compare;
    return find_lane_kernel(Opcode::set, m);
  };
  EXPECT_EQ(kernel(Compare::lo), kernel(Compare::lt));
  EXPECT_EQ(kernel(Compare::ls), kernel(Compare::le));
  EXPECT_EQ(kernel(Compare::hi), kernel(Compare::gt));
  EXPECT_EQ(kernel(Compare::hs), kernel(Compare::ge));
}

TEST(PackedIntegerForms, NegativesBecomeZeroWithRelu) {
  Modifiers relu = mods(Type::s8x4);
  relu.relu = true;
  expect_form(
      Opcode::min, relu, +[](U a, U b) {
        return by_elements<std::int8_t>(a, b, [](int x, int y) { return std::max(0, std::min(x, y)); });
      });
  expect_form(
      Opcode::max, relu, +[](U a, U b) {
        return by_elements<std::int8_t>(a, b, [](int x, int y) { return std::max({0, x, y}); });
      });
}

TEST(PackedIntegerForms, NegationAndSaturatedSums) {
  expect_form(
      Opcode::neg, mods(Type::s8x4),
      +[](U a) { return by_elements<std::int8_t>(a, a, [](int x, int) { return -x; }); });
  Modifiers sat = mods(Type::u32);
  sat.sat = true;
  expect_form(
      Opcode::add, sat, +[](U a, U b) { return static_cast<U>(std::min<W>(W{a} + b, 0xffffffffu)); });
}

/// Bit k of the product is the parity of the pairs of bits whose places add up to k.
template <bool High>
W clmad(W a, W b, W c) {
  W result = 0;
  for (unsigned n = 0; n < 64; ++n) {
    const unsigned k = n + (High ? 64 : 0);
    unsigned parity = 0;
    for (unsigned i = 0; i < 64; ++i) {
      if (k < i || k - i > 63) continue;
      parity ^= static_cast<unsigned>(a >> i & 1 & (b >> (k - i)));
    }
    result |= W{parity & 1} << n;
  }
  return result ^ c;
}

TEST(PackedIntegerForms, CarrylessProducts) {
  Modifiers m = mods(Type::u64);
  m.part = MulPart::lo;
  expect_form(Opcode::clmad, m, clmad<false>, 6);
  m.part = MulPart::hi;
  expect_form(Opcode::clmad, m, clmad<true>, 6);
}

}  // namespace
}  // namespace syncline::isa::test
