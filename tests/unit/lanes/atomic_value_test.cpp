#include "isa/lanes/atomic_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/error.h"

namespace syncline::isa {
namespace {

std::uint64_t bits(float value) {
  std::uint32_t out;
  std::memcpy(&out, &value, sizeof out);
  return out;
}
std::uint64_t bits(double value) {
  std::uint64_t out;
  std::memcpy(&out, &value, sizeof out);
  return out;
}

struct Case {
  AtomicOp op;
  Type type;
  std::uint64_t old, b, c, expected;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << "operation " << static_cast<int>(c.op) << " on " << name(c.type) << ' ' << c.old << ' ' << c.b << ' ' << c.c;
}

class AtomicValue : public testing::TestWithParam<Case> {};

TEST_P(AtomicValue, LeavesWhatTheIsaSays) {
  const Case& c = GetParam();
  EXPECT_EQ(apply_atomic(c.op, c.type, false, c.old, c.b, c.c), c.expected);
}

constexpr std::uint64_t all = ~std::uint64_t{0};

INSTANTIATE_TEST_SUITE_P(Bitwise, AtomicValue,
                         testing::Values(Case{AtomicOp::and_, Type::b32, 0xff00ff00, 0x0ff00ff0, 0, 0x0f000f00},
                                         Case{AtomicOp::or_, Type::b64, 0xff00ff00ull << 32, 1, 0, 0xff00ff0000000001},
                                         Case{AtomicOp::xor_, Type::b32, all, 0x0000ffff, 0, 0xffff0000},
                                         Case{AtomicOp::exch, Type::b64, 1, all, 0, all},
                                         Case{AtomicOp::exch, Type::b32, 1, all, 0, 0xffffffff},
                                         Case{AtomicOp::exch, Type::f32, 1, 0x7fc12345, 0, 0x7fc12345},
                                         Case{AtomicOp::cas, Type::b32, 5, 5, 9, 9},
                                         Case{AtomicOp::cas, Type::b32, 5, 6, 9, 5},
                                         Case{AtomicOp::cas, Type::b16, 0xabc0005, 0xdef0005, 0x70009, 9},
                                         Case{AtomicOp::cas, Type::b64, 1ull << 40, 1ull << 40, 3, 3},
                                         Case{AtomicOp::cas, Type::u64, 1ull << 40, 0, 3, 1ull << 40}));

INSTANTIATE_TEST_SUITE_P(
    Integer, AtomicValue,
    testing::Values(Case{AtomicOp::add, Type::u32, 0xffffffff, 2, 0, 1},
                    Case{AtomicOp::add, Type::s32, 5, 0xfffffff9, 0, 0xfffffffe},
                    Case{AtomicOp::add, Type::u64, all, 2, 0, 1}, Case{AtomicOp::inc, Type::u32, 3, 4, 0, 4},
                    Case{AtomicOp::inc, Type::u32, 4, 4, 0, 0}, Case{AtomicOp::inc, Type::u32, 9, 4, 0, 0},
                    Case{AtomicOp::dec, Type::u32, 3, 4, 0, 2}, Case{AtomicOp::dec, Type::u32, 0, 4, 0, 4},
                    Case{AtomicOp::dec, Type::u32, 5, 4, 0, 4}, Case{AtomicOp::min, Type::u32, 0xffffffff, 1, 0, 1},
                    Case{AtomicOp::min, Type::s32, 0xffffffff, 1, 0, 0xffffffff},
                    Case{AtomicOp::max, Type::s64, all, 1, 0, 1}, Case{AtomicOp::max, Type::u64, all, 1, 0, all},
                    Case{AtomicOp::max, Type::s32, 0x80000000, 0x7fffffff, 0, 0x7fffffff}));

INSTANTIATE_TEST_SUITE_P(
    Float, AtomicValue,
    testing::Values(
        Case{AtomicOp::add, Type::f32, bits(1.0f), bits(0x1p-24f), 0, bits(1.0f)},
        Case{AtomicOp::add, Type::f32, bits(INFINITY), bits(-INFINITY), 0, 0x7fffffff},
        Case{AtomicOp::add, Type::f32, 0x7f800001, bits(1.0f), 0, 0x7fffffff},
        Case{AtomicOp::add, Type::f64, bits(0.1), bits(0.2), 0, bits(0.1 + 0.2)},
        Case{AtomicOp::add, Type::f64, 0x7ff8000000000123, bits(1.0), 0, 0xfff8000000000000},
        Case{AtomicOp::min, Type::f32, bits(-0.0f), bits(0.0f), 0, bits(-0.0f)},
        Case{AtomicOp::max, Type::f32, bits(-0.0f), bits(0.0f), 0, bits(0.0f)},
        Case{AtomicOp::min, Type::f32, bits(-1.0f), bits(-2.0f), 0, bits(-2.0f)},
        Case{AtomicOp::max, Type::f32, 0x7fc00000, bits(-2.0f), 0, bits(-2.0f)},
        Case{AtomicOp::min, Type::f64, bits(3.0), 0x7ff8000000000000, 0, bits(3.0)},
        Case{AtomicOp::min, Type::f64, bits(-3.0), bits(2.0), 0, bits(-3.0)},
        // 1 + 2^-11 is halfway between 1 and 1 + 2^-10: ties to even. 65504 + 16 is halfway to 65536: infinity.
        Case{AtomicOp::add, Type::f16, 0x3c00, 0x1000, 0, 0x3c00},
        Case{AtomicOp::add, Type::f16, 0x3c01, 0x1000, 0, 0x3c02},
        Case{AtomicOp::add, Type::f16, 0x7bff, 0x4c00, 0, 0x7c00},
        Case{AtomicOp::add, Type::f16, 0x7bff, 0x4bff, 0, 0x7bff},
        Case{AtomicOp::add, Type::f16, 0x0001, 0x0002, 0, 0x0003},
        Case{AtomicOp::add, Type::f16, 0x7c00, 0xfc00, 0, 0x7fff},
        Case{AtomicOp::add, Type::bf16, 0x3f80, 0x3b80, 0, 0x3f80},
        Case{AtomicOp::add, Type::bf16, 0x3f81, 0x3b80, 0, 0x3f82},
        Case{AtomicOp::add, Type::f16x2, 0x3c00'4000, 0x3c00'0001, 0, 0x4000'4000},
        Case{AtomicOp::add, Type::bf16x2, 0x3f80'3f80, 0xbf80'3f80, 0, 0x0000'4000},
        Case{AtomicOp::min, Type::f16, 0xbc00, 0xc000, 0, 0xc000},
        Case{AtomicOp::max, Type::f16x2, 0x7e00'3c00, 0x3c00'8000, 0, 0x3c003c00},
        Case{AtomicOp::max, Type::bf16, 0x8000, 0x0000, 0, 0x0000},
        Case{AtomicOp::min, Type::bf16x2, 0x7fc0'bf80, 0x7fc1'7fc0, 0, 0x7fff'bf80}));

TEST(AtomicValueFlush, FlushesInputsAndResultsOfAddOnly) {
  const std::uint64_t tiny = 1, smallest_normal = bits(0x1p-126f);
  EXPECT_EQ(apply_atomic(AtomicOp::add, Type::f32, true, tiny, tiny), 0u);
  EXPECT_EQ(apply_atomic(AtomicOp::add, Type::f32, false, tiny, tiny), 2u);
  EXPECT_EQ(apply_atomic(AtomicOp::add, Type::f32, true, 0x80000001, 0x80000001), 0x80000000u);
  EXPECT_EQ(apply_atomic(AtomicOp::add, Type::f32, true, smallest_normal, 0x80800001), 0x80000000u);
  EXPECT_EQ(apply_atomic(AtomicOp::add, Type::f16, true, 0x0001, 0x3c00), 0x3c00u);
  EXPECT_EQ(apply_atomic(AtomicOp::min, Type::f32, true, tiny, 2), tiny);
}

TEST(AtomicValueForms, PairsOutsideTheIsaAreRefusedByName) {
  EXPECT_FALSE(atomic_is_defined(AtomicOp::inc, Type::s32));
  EXPECT_FALSE(atomic_is_defined(AtomicOp::and_, Type::f32));
  EXPECT_FALSE(atomic_is_defined(AtomicOp::none, Type::u32));
  EXPECT_FALSE(atomic_is_defined(AtomicOp::add, Type::u8));
  EXPECT_FALSE(atomic_is_defined(AtomicOp::add, Type::b32));
  try {
    apply_atomic(AtomicOp::inc, Type::s32, false, 0, 0);
    FAIL() << "atom.inc.s32 was accepted";
  } catch (const base::ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("no atomic operation inc on type s32"));
  }
}

/// A location between two others that must keep their values.
using Wide = std::array<std::uint64_t, 2>;

TEST(AtomicValueWide, ExchangesAndComparesAll128Bits) {
  std::array<std::uint64_t, 4> memory = {7, 1, 2, 9};
  Wide old{};
  const Wide b = {3, 4}, c = {5, 6};
  update_atomic(AtomicOp::exch, Type::b128, false, &memory[1], b.data(), nullptr, old.data());
  EXPECT_EQ(old, (Wide{1, 2}));
  EXPECT_EQ(memory, (std::array<std::uint64_t, 4>{7, 3, 4, 9}));
  // One bit of either half that differs, and nothing is stored.
  for (const Wide& other : {Wide{2, 4}, Wide{3, 5}, Wide{4, 3}}) {
    update_atomic(AtomicOp::cas, Type::b128, false, &memory[1], other.data(), c.data(), old.data());
    EXPECT_EQ(old, (Wide{3, 4}));
    EXPECT_EQ(memory, (std::array<std::uint64_t, 4>{7, 3, 4, 9}));
  }
  // The old value may go where the operand was.
  Wide operand = b;
  update_atomic(AtomicOp::cas, Type::b128, false, &memory[1], operand.data(), c.data(), operand.data());
  EXPECT_EQ(operand, b);
  EXPECT_EQ(memory, (std::array<std::uint64_t, 4>{7, 5, 6, 9}));
  EXPECT_THROW(update_atomic(AtomicOp::add, Type::b128, false, &memory[1], b.data(), nullptr, old.data()),
               base::ModelError);
}

/// On bytes the narrow ones do what they do on numbers.
RC_GTEST_PROP(AtomicValueBytes, AreTheNumbers, (std::uint64_t before, std::uint64_t b, std::uint64_t c, bool equal)) {
  const auto type = *rc::gen::element(Type::b16, Type::b32, Type::b64);
  const unsigned bytes = type_bytes(type);
  const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  if (equal) b = before;
  std::uint64_t place = before, old = 0;
  update_atomic(AtomicOp::cas, type, false, &place, &b, &c, &old);
  RC_ASSERT(old == (before & mask));
  const std::uint64_t fresh = (before & mask) == (b & mask) ? c : before;
  RC_ASSERT(place == ((before & ~mask) | (fresh & mask)));
}

TEST(AtomicValueSixteenBits, EveryHalfSumRoundsLikeTheExactSum) {
  // f64 holds the sum of any two f16 exactly; nearbyint in units of the result's last place rounds it once.
  const auto value = [](std::uint64_t h) {
    const int exponent = static_cast<int>(h >> 10 & 31);
    const double magnitude = exponent == 0 ? std::ldexp(static_cast<double>(h & 1023), -24)
                                           : std::ldexp(static_cast<double>((h & 1023) + 1024), exponent - 25);
    return (h & 0x8000) != 0 ? -magnitude : magnitude;
  };
  for (std::uint64_t a = 0; a < 0x10000; a += 37) {
    for (std::uint64_t b = 0; b < 0x10000; b += 1009) {
      if ((a & 0x7c00) == 0x7c00 || (b & 0x7c00) == 0x7c00) continue;
      const double exact = value(a) + value(b);
      const std::uint64_t sum = apply_atomic(AtomicOp::add, Type::f16, false, a, b);
      const int exponent = std::max(exact == 0 ? -24 : std::ilogb(exact) - 10, -24);
      const double rounded = std::ldexp(std::nearbyint(std::ldexp(exact, -exponent)), exponent);
      if (std::fabs(rounded) >= 65536) {
        ASSERT_EQ(sum, rounded < 0 ? 0xfc00u : 0x7c00u);
      } else {
        ASSERT_EQ(value(sum), rounded) << std::hex << a << " + " << b;
      }
    }
  }
}

}  // namespace
}  // namespace syncline::isa
