#include "base/fixed_divisor.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <algorithm>

namespace syncline::base {
namespace {

constexpr std::uint64_t most = ~std::uint64_t{0};

TEST(FixedDivisor, DividesWhereRoundingIsHardest) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    for (const std::uint64_t near : {std::uint64_t{0}, std::uint64_t{1}, most}) {
      const std::uint64_t divisor = (std::uint64_t{1} << bit) + near;
      if (divisor == 0) continue;
      const FixedDivisor by(divisor);
      const std::uint64_t last = most / divisor * divisor;
      for (const std::uint64_t number : {std::uint64_t{0}, divisor - 1, divisor, last - 1, last, most - 1, most})
        EXPECT_EQ(by.quotient(number), number / divisor) << number << " / " << divisor;
    }
  }
}

RC_GTEST_PROP(FixedDivisor, DividesAsTheProcessorDoes, ()) {
  // Of any length, for most numbers of 64 bits are near 2^64.
  const auto any = [] { return *rc::gen::arbitrary<std::uint64_t>() >> *rc::gen::inRange(0, 64); };
  const std::uint64_t number = any(), divisor = std::max<std::uint64_t>(any(), 1);
  RC_ASSERT(FixedDivisor(divisor).quotient(number) == number / divisor);
}

TEST(FixedDivisor, DoesNotDivideByNothing) {
  EXPECT_THROW(FixedDivisor(0), ModelError);
}

}  // namespace
}  // namespace syncline::base
