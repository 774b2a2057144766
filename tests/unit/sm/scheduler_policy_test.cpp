// The order in which each scheduling policy lets warps issue.
#include <gtest/gtest.h>

#include <set>

#include "models/sm/schedulers/greedy_then_oldest.h"
#include "models/sm/schedulers/lrr.h"
#include "models/sm/schedulers/pipe_turns.h"
#include "models/sm/schedulers/two_level.h"

namespace syncline::models {
namespace {

/// Lets `policy` issue `count` times among warps that are always ready.
std::vector<unsigned> order_of(WarpScheduler& policy, WarpMask ready, unsigned count, base::Cycle from = 0) {
  std::vector<unsigned> order;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned slot = policy.pick(ready, 0, from + i);
    policy.issued(slot);
    order.push_back(slot);
  }
  return order;
}

TEST(LooseRoundRobin, GoesRoundAndSkipsWarpsThatAreNotReady) {
  LooseRoundRobin policy;
  EXPECT_EQ(order_of(policy, 0b1111, 5), (std::vector<unsigned>{0, 1, 2, 3, 0}));
  EXPECT_EQ(order_of(policy, 0b1001, 3), (std::vector<unsigned>{3, 0, 3}));
}

TEST(LooseRoundRobin, WrapsBehindTheLastSlot) {
  LooseRoundRobin policy;
  policy.issued(63);
  EXPECT_EQ(policy.pick(warp_bit(63) | warp_bit(5), 0, 0), 5U);
}

TEST(RoundRobin, BeginsWhereItIsTold) {
  LooseRoundRobin policy(2);
  EXPECT_EQ(order_of(policy, 0b1111, 3), (std::vector<unsigned>{2, 3, 0}));
  TwoLevel two_level(3, 1'000'000, 2);
  for (unsigned slot = 0; slot < 4; ++slot) two_level.started(slot);
  EXPECT_EQ(order_of(two_level, 0b1111, 3), (std::vector<unsigned>{2, 0, 1}));
}

TEST(GreedyThenOldest, StaysUntilTheWarpStallsThenTakesTheOldest) {
  GreedyThenOldest policy(1'000'000);
  for (const unsigned slot : {2u, 0u, 1u}) policy.started(slot);  // slot 2 is the oldest
  EXPECT_EQ(order_of(policy, 0b111, 3), (std::vector<unsigned>{2, 2, 2}));
  EXPECT_EQ(order_of(policy, 0b011, 2), (std::vector<unsigned>{0, 0})) << "2 stalls; 0 is older than 1";
  EXPECT_EQ(order_of(policy, 0b111, 2), (std::vector<unsigned>{0, 0})) << "2 is back, but 0 has not stalled";
  policy.ended(0);
  EXPECT_EQ(order_of(policy, 0b110, 1), (std::vector<unsigned>{2}));
}

TEST(GreedyThenOldest, NobodyStarves) {
  GreedyThenOldest policy(50);
  for (unsigned slot = 0; slot < 4; ++slot) policy.started(slot);
  const std::vector<unsigned> order = order_of(policy, 0b1111, 400);
  for (unsigned slot = 0; slot < 4; ++slot) EXPECT_GE(std::count(order.begin(), order.end(), slot), 3) << slot;
  EXPECT_GT(std::count(order.begin(), order.end(), 0u), 100) << "it is greedy all the same";
}

TEST(TwoLevel, OnlyTheActiveSetIssuesUntilOneStalls) {
  TwoLevel policy(2, 1'000'000);
  for (unsigned slot = 0; slot < 4; ++slot) policy.started(slot);
  EXPECT_EQ(order_of(policy, 0b1111, 4), (std::vector<unsigned>{0, 1, 0, 1}));
  // 0 waits for memory: 2, which has waited longest outside, takes its place.
  const unsigned next = policy.pick(0b1110, 0b0001, 4);
  policy.issued(next);
  EXPECT_EQ(policy.active(), WarpMask{0b0110});
  EXPECT_EQ(order_of(policy, 0b1111, 4, 5), (std::vector<unsigned>{1, 2, 1, 2})) << "0 is back, but outside";
}

TEST(TwoLevel, FillsTheActiveSetWhenAWarpEnds) {
  TwoLevel policy(1, 1'000'000);
  for (unsigned slot = 0; slot < 3; ++slot) policy.started(slot);
  EXPECT_EQ(order_of(policy, 0b111, 2), (std::vector<unsigned>{0, 0}));
  policy.ended(0);
  EXPECT_EQ(order_of(policy, 0b110, 2), (std::vector<unsigned>{1, 1}));
}

TEST(TwoLevel, NobodyStarvesOutsideOfTheActiveSet) {
  TwoLevel policy(1, 50);
  for (unsigned slot = 0; slot < 4; ++slot) policy.started(slot);
  const std::vector<unsigned> order = order_of(policy, 0b1111, 400);
  EXPECT_EQ(std::set<unsigned>(order.begin(), order.end()).size(), 4U);
}

TEST(SchedulerRegistry, MakesEveryPolicyThatItLists) {
  for (const auto& [name, policy] : scheduler_policies()) {
    SchedulerSpec spec;
    spec.policy = policy;
    const auto scheduler = make_warp_scheduler(spec);
    scheduler->started(3);
    EXPECT_EQ(scheduler->pick(warp_bit(3), 0, 0), 3U) << name;
  }
  EXPECT_EQ(scheduler_policies().size(), 3U);
}

/// A pipeline that takes one of the warps that may have it, each `busy` cycles, as an adversary chooses.
template <class Choose>
base::Cycle longest_wait(PipeTurns& turns, unsigned warps, base::Cycle busy, Choose&& choose) {
  std::vector<base::Cycle> since(warps, 0);
  base::Cycle longest = 0;
  for (base::Cycle now = 0; now < 20'000; ++now) {
    if (turns.due(now)) turns.next_span(all_warps(warps), now);
    if (now % busy != 0) continue;
    const unsigned slot = choose(turns.may_have_it(all_warps(warps)));
    turns.issued(slot);
    longest = std::max(longest, now - since[slot]);
    since[slot] = now;
  }
  for (const base::Cycle from : since) longest = std::max(longest, 20'000 - from);
  return longest;
}

TEST(PipeTurns, ALowestFirstChoiceServesEveryWarpWithinTheBound) {
  for (const unsigned warps : {2U, 7U, 48U, 64U}) {
    for (const base::Cycle busy : {1U, 3U, 17U}) {
      PipeTurns turns(100);
      const auto lowest = [](WarpMask who) { return first_warp(who); };
      EXPECT_LE(longest_wait(turns, warps, busy, lowest), 2 * 100 + 2 * warps * busy) << warps << ' ' << busy;
    }
  }
}

TEST(PipeTurns, KeepOutOfTheWayOfPoliciesThatServeAll) {
  PipeTurns turns(100);
  const WarpMask all = all_warps(8);
  LooseRoundRobin policy;
  for (base::Cycle now = 0; now < 1000; ++now) {
    if (turns.due(now)) turns.next_span(all, now);
    EXPECT_EQ(turns.may_have_it(all), all) << now;
    const unsigned slot = policy.pick(all, 0, now);
    policy.issued(slot);
    turns.issued(slot);
  }
}

TEST(PipeTurns, AWarpThatWasNotReadyHasNoClaim) {
  PipeTurns turns(100);
  turns.next_span(0b011, 100);
  turns.issued(0);
  turns.next_span(0b111, 200);
  EXPECT_EQ(turns.may_have_it(0b111), 0b010U);
  turns.issued(1);
  EXPECT_EQ(turns.may_have_it(0b111), 0b111U);
}

}  // namespace
}  // namespace syncline::models
