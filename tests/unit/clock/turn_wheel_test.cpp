// A calendar of who is due when, beside a list that is looked through.
#include "models/clock/turn_wheel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace syncline::models {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// What a TurnQueue does with a wheel, but for the turns.
class Calendar {
 public:
  explicit Calendar(std::size_t places) : due(places, base::never) { wheel.make_room(places); }

  void put(std::size_t place, base::Cycle at) {
    due[place] = at;
    wheel.put(place, at, now);
  }
  base::Cycle next() { return wheel.first_after(now, due); }
  /// It is `cycle`; takes those out that are due.
  std::vector<std::size_t> come_to(base::Cycle cycle) {
    now = cycle;
    std::vector<std::size_t> found;
    wheel.come_to(now, due);
    std::uint64_t* const set = wheel.set_of(now);
    for (std::size_t place = 0; place < due.size(); ++place) {
      const bool listed = (set[place / 64] >> (place % 64) & 1U) != 0;
      set[place / 64] &= ~(std::uint64_t{1} << (place % 64));
      if (!listed || due[place] != now) continue;
      due[place] = base::never;
      found.push_back(place);
    }
    return found;
  }

  TurnWheel wheel;
  TurnWheel::Due due;
  base::Cycle now = 0;
};

TEST(TurnWheel, NobodyIsDueAtFirst) {
  Calendar calendar(3);
  EXPECT_EQ(calendar.next(), base::never);
  EXPECT_THAT(calendar.come_to(0), IsEmpty());
}

TEST(TurnWheel, WhoIsDueInTheSameCycleIsInOneSet) {
  Calendar calendar(130);
  calendar.put(129, 7);
  calendar.put(2, 7);
  calendar.put(64, 9);
  EXPECT_EQ(calendar.next(), 7U);
  EXPECT_THAT(calendar.come_to(7), ElementsAre(2, 129));
  EXPECT_EQ(calendar.next(), 9U);
  EXPECT_THAT(calendar.come_to(9), ElementsAre(64));
  EXPECT_EQ(calendar.next(), base::never);
}

TEST(TurnWheel, ACycleIsNotTakenForTheOneATurnOfTheWheelLater) {
  Calendar calendar(2);
  calendar.put(0, 5);
  calendar.put(1, 5 + TurnWheel::reach);
  EXPECT_EQ(calendar.next(), 5U);
  EXPECT_THAT(calendar.come_to(5), ElementsAre(0));
  EXPECT_EQ(calendar.next(), 5 + TurnWheel::reach);
  EXPECT_THAT(calendar.come_to(5 + TurnWheel::reach), ElementsAre(1));
}

TEST(TurnWheel, WhoHasBecomeDueEarlierIsNotWaitedForAgain) {
  Calendar calendar(2);
  calendar.put(0, 50);
  calendar.put(0, 3);
  calendar.put(1, 1000);
  calendar.put(1, 4);
  EXPECT_THAT(calendar.come_to(3), ElementsAre(0));
  EXPECT_THAT(calendar.come_to(4), ElementsAre(1));
  EXPECT_EQ(calendar.next(), base::never);
}

/// Whoever is due next, and then, is what a look at all of them finds, for near and far cycles and for cycles that are
/// passed by.
RC_GTEST_PROP(TurnWheelProperties, KnowsWhatALookAtAllWouldFind, ()) {
  const auto places = *rc::gen::inRange<std::size_t>(1, 150);
  Calendar calendar(places);
  std::vector<base::Cycle> expected(places, base::never);
  for (unsigned step = 0; step < 200; ++step) {
    const unsigned wakes = *rc::gen::inRange(0U, 4U);
    for (unsigned i = 0; i < wakes; ++i) {
      const auto place = *rc::gen::inRange<std::size_t>(0, places);
      const base::Cycle at = calendar.now + 1 + *rc::gen::element<base::Cycle>(0, 1, 5, 62, 63, 64, 65, 200, 5000);
      if (at >= expected[place]) continue;  // as TurnQueue::wake
      expected[place] = at;
      calendar.put(place, at);
    }
    const base::Cycle first = *std::min_element(expected.begin(), expected.end());
    RC_ASSERT(calendar.next() == first);
    if (first == base::never) continue;
    std::vector<std::size_t> due;
    for (std::size_t place = 0; place < places; ++place) {
      if (expected[place] != first) continue;
      due.push_back(place);
      expected[place] = base::never;
    }
    RC_ASSERT(calendar.come_to(first) == due);
  }
}

}  // namespace
}  // namespace syncline::models
