// Orders of the atomics of one instruction, held against all orders tried one by one.
#include "consistency/online/atomic_order.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace syncline::consistency {
namespace {

AtomicStep step(std::uint64_t found, std::uint64_t left) {
  return {{found, 0}, {left, 0}};
}

bool some_order(std::vector<AtomicStep> steps, const AtomicBits& before, const AtomicBits& after) {
  const auto less = [](const AtomicStep& a, const AtomicStep& b) {
    return std::tie(a.found, a.left) < std::tie(b.found, b.left);
  };
  std::sort(steps.begin(), steps.end(), less);
  do {
    AtomicBits now = before;
    bool fits = true;
    for (const AtomicStep& one : steps) {
      fits = fits && one.found == now;
      now = one.left;
    }
    if (fits && now == after) return true;
  } while (std::next_permutation(steps.begin(), steps.end(), less));
  return false;
}

TEST(AtomicOrderTest, EachFindsWhatTheOneBeforeLeft) {
  EXPECT_TRUE(follow_each_other({step(3, 4)}, {3, 0}, {4, 0}));
  EXPECT_TRUE(follow_each_other({step(4, 9), step(3, 4)}, {3, 0}, {9, 0})) << "in any order";
  EXPECT_FALSE(follow_each_other({step(3, 4), step(3, 4)}, {3, 0}, {4, 0})) << "one is lost";
  EXPECT_FALSE(follow_each_other({step(3, 4)}, {3, 0}, {5, 0})) << "performed twice";
  EXPECT_FALSE(follow_each_other({step(2, 3)}, {3, 0}, {4, 0})) << "an old value";
  EXPECT_FALSE(follow_each_other({step(3, 4), step(7, 7)}, {3, 0}, {4, 0})) << "7 never was there";
  EXPECT_TRUE(follow_each_other({step(3, 3), step(3, 3)}, {3, 0}, {3, 0}));
  EXPECT_FALSE(follow_each_other({{{3, 1}, {4, 1}}}, {3, 0}, {4, 1})) << "of 128 bits";
}

TEST(AtomicOrderTest, ATrailExistsWhereAnOrderDoes) {
  base::Random random(1, "steps");
  unsigned exist = 0;
  constexpr unsigned tries = 20000;
  for (unsigned i = 0; i < tries; ++i) {
    std::vector<AtomicStep> steps;
    const auto value = [&] { return random.below(3); };
    std::uint64_t now = value();
    const AtomicBits before{now, 0};
    for (unsigned n = 1 + random.below(6); n != 0; --n) {
      const std::uint64_t next = value();
      steps.push_back(random.below(8) == 0 ? step(value(), next) : step(now, next));
      now = next;
    }
    for (std::size_t n = steps.size(); n > 1; --n) std::swap(steps[n - 1], steps[random.below(n)]);
    const AtomicBits after{random.below(8) == 0 ? value() : now, 0};
    const bool expected = some_order(steps, before, after);
    EXPECT_EQ(follow_each_other(steps, before, after), expected);
    exist += expected ? 1U : 0U;
  }
  EXPECT_GT(exist, tries / 4);
  EXPECT_LT(exist, tries * 3 / 4);
}

TEST(AtomicOrderTest, OfWhatIsNotReturnedTheEndDecides) {
  const auto twice_plus = [](unsigned i, const AtomicBits& found) { return AtomicBits{found[0] * 2 + i, 0}; };
  EXPECT_EQ(can_leave(2, twice_plus, false, {1, 0}, {5, 0}), OrderVerdict::exists) << "0, 1";
  EXPECT_EQ(can_leave(2, twice_plus, false, {1, 0}, {6, 0}), OrderVerdict::exists) << "1, 0";
  EXPECT_EQ(can_leave(2, twice_plus, false, {1, 0}, {7, 0}), OrderVerdict::none);
  EXPECT_EQ(can_leave(2, twice_plus, true, {1, 0}, {6, 0}), OrderVerdict::none) << "one order stands for all";
  EXPECT_EQ(can_leave(7, twice_plus, false, {0, 0}, {120, 0}), OrderVerdict::exists) << "ascending";
  EXPECT_EQ(can_leave(7, twice_plus, false, {0, 0}, {1, 0}), OrderVerdict::unknown);
}

}  // namespace
}  // namespace syncline::consistency
