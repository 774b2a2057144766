// Crossbars that grant ways for several cycles at once.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "tests/unit/memory/crossbar_fixture.h"

namespace syncline::models {
namespace {

using testing::ElementsAre;

class CrossbarAllocation : public CrossbarTest, public testing::WithParamInterface<base::Cycle> {
 protected:
  CrossbarAllocation() { spec.allocation_period = GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Periods, CrossbarAllocation, testing::Values(0, 1, 3, 4));

TEST_P(CrossbarAllocation, AMessageTakesAsLong) {
  build(1, 1);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> expected;
  for (unsigned i = 0; i < 8; ++i) {
    send(0, 0, i, 8, 0, 10 + 11 * i);
    expected.emplace_back(i, 15 + 11 * i);
  }
  run_ns(200);
  EXPECT_EQ(arrivals(0), expected);
  EXPECT_EQ(sum("crossbar.queueing"), 0U) << "to come is not to wait";
  expect_clean();
}

TEST_P(CrossbarAllocation, APortMovesAsMuch) {
  build(1, 1);
  for (unsigned i = 0; i < 20; ++i) send(0, 0, i, 136);
  run_ns(200);
  ASSERT_EQ(arrivals(0).size(), 20U);
  for (unsigned i = 0; i < 20; ++i) EXPECT_EQ(arrivals(0)[i].second, 19 + 5 * i) << "five flits behind the one before";
  expect_clean();
}

TEST_P(CrossbarAllocation, AShortQueueIsAsLong) {
  spec.input_queue = 2;
  build(1, 1);
  for (unsigned i = 0; i < 20; ++i) send(0, 0, i);
  run_ns(100);
  ASSERT_EQ(arrivals(0).size(), 20U);
  for (unsigned i = 0; i < 20; ++i) EXPECT_EQ(arrivals(0)[i].second, 15 + i) << "one a cycle";
  expect_clean();
}

TEST_P(CrossbarAllocation, ContendersTakeTurns) {
  spec.input_queue = 1000;
  build(3, 1);
  for (unsigned n = 0; n < 4; ++n) {
    for (unsigned from = 0; from < 3; ++from) send(from, 0, from);
  }
  run_ns(100);
  EXPECT_THAT(order_at(0), ElementsAre(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2));
  EXPECT_EQ(arrivals(0).back().second, 26U) << "one a cycle";
  expect_clean();
}

TEST_P(CrossbarAllocation, AnIdealMessageWaitsForNoPeriod) {
  spec.input_queue = 64;
  build(1, 1);
  send(0, 0, 0, 136, 0);
  for (unsigned i = 1; i <= 3; ++i) send(0, 0, i, 8, 1, 9 + i, true);
  send(0, 0, 4, 136, 0);
  run_ns(100);
  std::map<std::uint32_t, std::uint64_t> at;
  for (const auto& [tag, ns] : arrivals(0)) at[tag] = ns;
  EXPECT_THAT(at, ElementsAre(std::pair(0U, 19UL), std::pair(1U, 11UL), std::pair(2U, 12UL), std::pair(3U, 13UL),
                              std::pair(4U, 24UL)));
  expect_clean();
}

TEST_P(CrossbarAllocation, AnIdealMessageThatWasRefusedWaitsForNoPeriod) {
  spec.output_queue = 1;
  build(1, 1);
  sinks[0]->open = false;
  for (unsigned i = 0; i < 5; ++i) send(0, 0, i, 8, 1, 10, true);
  run_ns(49);
  sinks[0]->open = true;
  sinks[0]->resume();
  run_ns(20);
  std::vector<std::uint64_t> at;
  for (const auto& [tag, ns] : arrivals(0)) at.push_back(ns);
  EXPECT_THAT(at, ElementsAre(49, 49, 51, 51, 51))
      << "two from the link and the queue, and what finds room in the cycle behind";
  expect_clean();
}

TEST_P(CrossbarAllocation, RoomThatComesIsForThePeriodBehind) {
  spec.output_queue = 1;
  build(1, 1);
  sinks[0]->open = false;
  for (unsigned i = 0; i < 4; ++i) send(0, 0, i);  // on the link, in the output queue, and two in the input queue
  run_ns(41);
  sinks[0]->open = true;
  sinks[0]->resume();
  run_ns(100);
  const std::uint64_t period = std::max<base::Cycle>(GetParam(), 1);
  const std::uint64_t granted = (41 / period + 1) * period, arrives = granted + 5 - GetParam();
  EXPECT_THAT(arrivals(0), ElementsAre(std::pair(0U, 41UL), std::pair(1U, 41UL), std::pair(2U, arrives),
                                       std::pair(3U, arrives + 1)));
  expect_clean();
}

class CrossbarTrafficInPeriods : public CrossbarTraffic, public testing::WithParamInterface<base::Cycle> {
 protected:
  CrossbarTrafficInPeriods() { spec.allocation_period = GetParam(); }
  void expect_everything(unsigned messages) {
    std::vector<std::uint32_t> all = everything();
    std::sort(all.begin(), all.end());
    std::vector<std::uint32_t> expected(messages);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(all, expected);
    expect_point_to_point_order();
    expect_clean();
  }
};
INSTANTIATE_TEST_SUITE_P(Periods, CrossbarTrafficInPeriods, testing::Values(0, 1, 3, 4));

TEST_P(CrossbarTrafficInPeriods, NothingIsLostDoubledOrReorderedUnderRandomBackPressure) {
  build(5, 3);
  run_traffic(1, 600);
  expect_everything(600);
}

TEST_P(CrossbarTrafficInPeriods, NeitherWhereQueuesAreShortAndMessagesLateByChance) {
  spec.input_queue = 2;
  spec.output_queue = 3;
  perturbation.network_jitter = 7;
  build(5, 3);
  run_traffic(3, 600);
  expect_everything(600);
}

TEST_F(CrossbarTest, APeriodIsOneTurn) {
  spec.input_queue = 64;
  spec.allocation_period = 4;
  build(1, 1);
  for (unsigned i = 0; i < 40; ++i) send(0, 0, i);
  const std::uint64_t before = sc_core::sc_delta_count();
  run_ns(100);
  EXPECT_EQ(arrivals(0).back().second, 54U);
  EXPECT_LE(sc_core::sc_delta_count() - before, 13U) << "forty are granted in eleven periods at the most";
  expect_clean();
}

}  // namespace
}  // namespace syncline::models
