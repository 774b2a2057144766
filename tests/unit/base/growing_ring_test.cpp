#include "base/growing_ring.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace syncline::base {
namespace {

TEST(GrowingRing, IsAFifoOfAnyLengthUpToItsLimit) {
  std::mt19937 random(1);
  for (const std::size_t limit : {1, 3, 4, 5, 64, 100}) {
    GrowingRing<int> ring(limit);
    std::deque<int> plain;
    for (int step = 0; step < 2000; ++step) {
      if (plain.size() == limit || (!plain.empty() && random() % 5 < 2)) {
        ring.pop_front();
        plain.pop_front();
      } else if (random() % 2 == 0) {
        ring.push_back(step);
        plain.push_back(step);
      } else {
        const auto place = static_cast<std::ptrdiff_t>(random() % (plain.size() + 1));
        ring.insert(ring.begin() + place, step);
        plain.insert(plain.begin() + place, step);
      }
      ASSERT_EQ(ring.full(), plain.size() == limit);
      ASSERT_TRUE(std::equal(ring.begin(), ring.end(), plain.begin(), plain.end())) << "limit " << limit;
    }
  }
}

TEST(GrowingRing, RefusesMoreThanItsLimit) {
  GrowingRing<int> ring(6);
  for (int i = 0; i < 6; ++i) ring.push_back(i);
  EXPECT_THROW(ring.push_back(6), ModelError);
  EXPECT_THROW(ring.insert(ring.begin(), 6), ModelError);
  EXPECT_EQ(ring.size(), 6U);
  ring.set_limit(7);
  ring.push_back(6);
  EXPECT_EQ(ring.back(), 6);
  EXPECT_EQ(ring.front(), 0);
}

}  // namespace
}  // namespace syncline::base
