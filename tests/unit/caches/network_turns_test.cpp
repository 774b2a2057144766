#include "models/cache/links/network_turns.h"

#include <gtest/gtest.h>

namespace syncline::models {
namespace {

constexpr base::Cycle limit = 100'000;
constexpr std::uint32_t both = 0b1010;

TEST(NetworkTurns, HigherNetworksGoFirst) {
  NetworkTurns turns(4);
  turns.taken(3, 5, false);
  turns.pass_over(1, 6);
  turns.pass_over(1, 5 + limit);
  EXPECT_EQ(turns.first_of(both), 3U) << "a cycle is missing";
  EXPECT_FALSE(turns.keeps_room(1, 5 + limit));
}

TEST(NetworkTurns, AfterLongTheyTakeTurnsUntilNothingWaits) {
  NetworkTurns turns(4);
  turns.taken(3, 5, false);
  turns.pass_over(1, 6);
  turns.pass_over(1, 6 + limit);
  EXPECT_EQ(turns.first_of(both), 1U) << "taken from least recently";
  turns.taken(1, 6 + limit, false);
  EXPECT_EQ(turns.first_of(both), 3U);
  turns.taken(3, 7 + limit, false);
  EXPECT_EQ(turns.first_of(both), 1U);
  turns.taken(1, 8 + limit, true);
  EXPECT_EQ(turns.first_of(both), 3U) << "nothing waits for long any more";
}

TEST(NetworkTurns, TimeIsCountedAnewWhereSomethingElseWasWaitedFor) {
  NetworkTurns turns(4);
  turns.taken(3, 1, false);
  turns.pass_over(1, 0);
  turns.not_passed_over(1);
  turns.pass_over(1, limit);
  EXPECT_EQ(turns.first_of(both), 3U);
}

TEST(NetworkTurns, RoomIsKeptEveryOtherTime) {
  NetworkTurns turns(4);
  turns.pass_over(1, 0);
  turns.pass_over(1, limit);
  EXPECT_TRUE(turns.keeps_room(1, limit));
  EXPECT_FALSE(turns.keeps_room(1, limit + 1000));
  EXPECT_TRUE(turns.keeps_room(1, limit + 2000));
  turns.not_passed_over(1);
  EXPECT_FALSE(turns.keeps_room(1, limit)) << "it does not wait for room";
}

}  // namespace
}  // namespace syncline::models
