// Crossbars whose messages are late, or whose arbiters choose, by chance.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "tests/unit/memory/crossbar_fixture.h"

namespace syncline::models {
namespace {

TEST_F(CrossbarTraffic, JitterAndRandomArbitrationKeepPointToPointOrder) {
  perturbation.network_jitter = 30;
  perturbation.random_arbitration = true;
  build(5, 3);
  run_traffic(2, 600);
  EXPECT_EQ(everything().size(), 600U);
  expect_point_to_point_order();
  expect_clean();
}

TEST_F(CrossbarTest, TheRoomThatIsKeptForALongMessageIsFreeAgainWhenAnotherComesToTheFront) {
  perturbation.network_jitter = 30;
  spec.input_queue = 64;
  build(3, 2);
  for (unsigned i = 0; i < 30; ++i) {
    send(0, 0, i);
    send(1, 0, i);
    send(2, i % 2, i, i % 3 == 0 ? 136 : 8);
  }
  run_ns(2000);
  EXPECT_EQ(sinks[0]->arrivals.size() + sinks[1]->arrivals.size(), 90U);
  expect_clean();
}

TEST_F(CrossbarTest, JitterLetsMessagesForDifferentOutputsOvertake) {
  perturbation.network_jitter = 30;
  spec.input_queue = 64;
  build(1, 2);
  for (unsigned i = 0; i < 40; ++i) send(0, i % 2, i, 8, 0, 10 + i);
  run_ns(1000);
  const auto even = arrivals(0), odd = arrivals(1);
  ASSERT_EQ(even.size() + odd.size(), 40U);
  unsigned overtaken = 0;
  for (std::size_t i = 0; i < even.size(); ++i) {
    EXPECT_EQ(even[i].first, 2 * i) << "messages for one output keep their order";
    EXPECT_EQ(odd[i].first, 2 * i + 1);
    overtaken += odd[i].second < even[i].second ? 1 : 0;
  }
  EXPECT_GT(overtaken, 0U) << "sent later, arrived earlier";
  expect_clean();
}

TEST_F(CrossbarTest, TheSeedDecidesTheOrderOfContenders) {
  perturbation.network_jitter = 20;
  perturbation.random_arbitration = true;
  spec.input_queue = 64;
  context.seed = 1;
  build(4, 1);
  for (unsigned i = 0; i < 40; ++i) send(i % 4, 0, i);
  run_ns(1000);
  const std::vector<std::uint32_t> order = order_at(0);
  std::vector<std::uint32_t> in_turn(40);
  std::iota(in_turn.begin(), in_turn.end(), 0U);
  EXPECT_NE(order, in_turn) << "the perturbation perturbs";
  // The order of seed 1, committed: it may only change together with the generator or the crossbar's use of it.
  const std::uint64_t digest = std::accumulate(order.begin(), order.end(), std::uint64_t{0},
                                               [](std::uint64_t h, std::uint32_t t) { return base::mix64(h ^ t); });
  EXPECT_EQ(digest, 16907582272875231559U);
  expect_clean();
}

TEST_F(CrossbarTest, AnArbiterStartsWhereTheSeedSays) {
  perturbation.arbiter_state = true;
  perturbation.seed = 3;
  const unsigned start = perturbation.random(1, "crossbar.arbiter_state").below(16);  // 8 inputs, 2 networks
  ASSERT_GT(start, 1U) << "a seed whose start shows";
  build(8, 1);
  for (unsigned i = 0; i < 8; ++i) send(i, 0, i);
  run_ns(100);
  const unsigned first = (start + 1) / 2 % 8;  // the messages use network 0
  const std::vector<std::uint32_t> order = order_at(0);
  std::vector<std::uint32_t> expected;
  for (unsigned i = 0; i < 8; ++i) expected.push_back((first + i) % 8);
  EXPECT_EQ(order, expected) << "from the start on in turn";
  expect_clean();
}

}  // namespace
}  // namespace syncline::models
