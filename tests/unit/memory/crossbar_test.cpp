#include <gmock/gmock.h>

#include <map>

#include "base/error.h"
#include "tests/unit/memory/crossbar_fixture.h"

namespace syncline::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(CrossbarTest, AMessageArrivesWithItsLastFlit) {
  build(1, 1);
  send(0, 0, 1, 8, 0, 10);
  send(0, 0, 2, 136, 0, 30);
  run_ns(100);
  EXPECT_THAT(arrivals(0), ElementsAre(std::pair(1U, 15UL), std::pair(2U, 39UL)))
      << "latency 5; 136 bytes are 5 flits, the last one 4 cycles behind the first";
  expect_clean();
}

TEST_F(CrossbarTest, APortIsHeldForTheFlitsOfAMessage) {
  spec.input_queue = 64;
  build(1, 2);
  for (unsigned i = 0; i < 4; ++i) send(0, i % 2, i, 136);
  run_ns(100);
  EXPECT_THAT(arrivals(0), ElementsAre(std::pair(0U, 19UL), std::pair(2U, 29UL)));
  EXPECT_THAT(arrivals(1), ElementsAre(std::pair(1U, 24UL), std::pair(3U, 34UL)));
  EXPECT_EQ(statistic("crossbar.busy_port_cycles"), 20);
  EXPECT_EQ(statistic("crossbar.flits_data_reply"), 20);
  EXPECT_EQ(statistic("crossbar.messages_data_reply"), 4);
  EXPECT_EQ(statistic("crossbar.bytes_data_reply"), 544);
  EXPECT_EQ(statistic("crossbar.queueing"), 4) << "one sample a message";
  EXPECT_NEAR(statistic("crossbar.utilisation"), 20.0 / (2 * 101), 1e-9);
  expect_clean();
}

TEST_F(CrossbarTest, AnOutputWonByAnInputThatSendsElsewhereServesAnotherInTheSameCycle) {
  build(2, 2);
  send(0, 0, 1, 8, 0);
  send(0, 1, 2, 8, 1);  // wins output 1 from the next, and waits for its input
  send(1, 1, 3, 8, 0);
  run_ns(100);
  EXPECT_THAT(arrivals(0), ElementsAre(std::pair(1U, 15UL)));
  EXPECT_THAT(arrivals(1), ElementsAre(std::pair(3U, 15UL), std::pair(2U, 16UL)));
  expect_clean();
}

TEST_F(CrossbarTest, ByAgeGoesFirstWhoHasWaitedLongest) {
  spec.arbitration = Arbitration::age;
  spec.input_queue = 64;
  build(3, 1);
  send(0, 0, 0, 136, 0, 10);
  send(2, 0, 1, 8, 0, 11);
  send(1, 0, 2, 8, 0, 12);
  send(0, 0, 3, 8, 0, 13);
  run_ns(100);
  EXPECT_THAT(arrivals(0),
              ElementsAre(std::pair(0U, 19UL), std::pair(1U, 20UL), std::pair(2U, 21UL), std::pair(3U, 22UL)))
      << "in turns input 1 would be before input 2";
  expect_clean();
}

TEST_F(CrossbarTest, EnergyFollowsFromFlitsShapeAndTime) {
  spec.virtual_networks = 3;
  spec.energy.wire = 200;
  spec.energy.buffer = 10;
  spec.energy.link_length = 5;
  spec.energy.track = 1000;
  spec.energy.buffer_leakage = 1000;
  spec.energy.wire_leakage = 100;
  build(2, 3);
  send(0, 0, 1, 8);    // 1 flit
  send(1, 1, 2, 136);  // 5
  run_ns(1000);
  // 256 bits, 128 change. Queue: 2 * 256 * 10 fJ. Switch: 5 ports of 256 tracks of 1 um, 1.28 mm, 200 fJ/mm.
  const double router = (2 * 256 * 10 + 128 * 1.28 * 200) * 1e-6, link = 128 * 5 * 200 * 1e-6;
  EXPECT_NEAR(statistic("crossbar.energy_load_request"), router + link, 1e-9);
  EXPECT_NEAR(statistic("crossbar.energy_data_reply"), 5 * (router + link), 1e-9);
  EXPECT_EQ(statistic("crossbar.energy_store_request"), 0);
  EXPECT_NEAR(statistic("crossbar.energy_router_dynamic"), 6 * router, 1e-9);
  EXPECT_NEAR(statistic("crossbar.energy_link_dynamic"), 6 * link, 1e-9);
  // nW * s = nJ: 5 ports of 3 networks of 8 flits in queues; 5 ports of half of 5 mm.
  EXPECT_NEAR(statistic("crossbar.energy_router_static"), 256 * 3 * 5 * 8 * 1000 * 1e-6, 1e-9);
  EXPECT_NEAR(statistic("crossbar.energy_link_static"), 256 * 5 * 2.5 * 100 * 1e-6, 1e-9);
}

TEST_F(CrossbarTest, AFreeMessageTakesOneCycleAndNoPort) {
  spec.input_queue = 64;
  build(1, 1);
  send(0, 0, 0, 136, 0);
  for (unsigned i = 1; i <= 3; ++i) send(0, 0, i, 8, 1, 10, true);
  send(0, 0, 4, 136, 0);
  run_ns(100);
  std::map<std::uint32_t, std::uint64_t> at;
  for (const auto& [tag, ns] : arrivals(0)) at[tag] = ns;
  EXPECT_THAT(at, ElementsAre(std::pair(0U, 19UL), std::pair(1U, 11UL), std::pair(2U, 11UL), std::pair(3U, 11UL),
                              std::pair(4U, 24UL)));
  EXPECT_EQ(statistic("crossbar.busy_port_cycles"), 10) << "of the two that are not ideal";
  EXPECT_EQ(statistic("crossbar.messages_load_request"), 3);
  EXPECT_EQ(statistic("crossbar.bytes_load_request"), 0);
  expect_clean();
}

TEST_F(CrossbarTest, AFreeMessageKeepsTheOrderOfItsNetwork) {
  spec.input_queue = 64;
  build(1, 1);
  send(0, 0, 0, 136);
  send(0, 0, 1, 8, 0, 10, true);
  send(0, 0, 2, 8, 0, 10, true);
  run_ns(100);
  EXPECT_THAT(arrivals(0), ElementsAre(std::pair(0U, 19UL), std::pair(1U, 19UL), std::pair(2U, 19UL)));
  expect_clean();
}

TEST_F(CrossbarTest, FreeMessagesWaitForAReceiverThatRefusesThem) {
  spec.input_queue = 4;
  spec.output_queue = 2;
  build(1, 1);
  sinks[0]->open = false;
  for (unsigned i = 0; i < 12; ++i) send(0, 0, i, 8, 1, 10, true);
  run_ns(50);
  EXPECT_TRUE(arrivals(0).empty());
  sinks[0]->open = true;
  sinks[0]->resume();
  run_ns(100);
  EXPECT_THAT(order_at(0), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  expect_clean();
}

TEST_F(CrossbarTest, BandwidthIsAKey) {
  spec.bandwidth = 64;
  spec.input_queue = 64;
  build(1, 1);
  send(0, 0, 0, 136);
  send(0, 0, 1, 136);
  run_ns(100);
  EXPECT_THAT(arrivals(0), ElementsAre(std::pair(0U, 17UL), std::pair(1U, 20UL)))
      << "160 bytes at 64 a cycle: 3 cycles";
  expect_clean();
}

TEST_F(CrossbarTest, DisjointPathsDoNotDisturbEachOther) {
  build(4, 4);
  for (unsigned i = 0; i < 4; ++i) send(i, 3 - i, i, 136);
  run_ns(50);
  for (unsigned i = 0; i < 4; ++i) EXPECT_THAT(arrivals(3 - i), ElementsAre(std::pair(i, 19UL)));
  expect_clean();
}

TEST_F(CrossbarTest, AFullChainOfQueuesHoldsTheSenderBack) {
  spec.input_queue = 2;
  spec.output_queue = 3;
  build(1, 1);
  sinks[0]->open = false;
  for (unsigned i = 0; i < 10; ++i) send(0, 0, i);
  run_ns(100);
  EXPECT_FALSE(sources[0]->idle());
  // 1 on the output link, 3 in the output queue, 2 in the input queue, 1 on the input link, 3 still with the source.
  EXPECT_EQ(pool.in_flight(), 10U);
  EXPECT_GE(statistic("crossbar.refused"), 1);
  const auto waiting = crossbar->describe_waiting();
  ASSERT_EQ(waiting.size(), 2U);
  EXPECT_THAT(waiting[0], HasSubstr("input 0 network 0: 2 messages wait, the first is a load_request"));
  EXPECT_THAT(waiting[1], HasSubstr("output 0 network 0: the receiver does not take a message, 3 more behind it"));
  EXPECT_EQ(crossbar->check_end_of_run(), waiting);

  sinks[0]->open = true;
  sinks[0]->resume();
  run_ns(100);
  EXPECT_TRUE(sources[0]->idle());
  ASSERT_EQ(sinks[0]->arrivals.size(), 10U);
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(sinks[0]->arrivals[i].tag, i);
  expect_clean();
}

TEST_F(CrossbarTest, AMessageLongerThanTheQueueStreamsThrough) {
  spec.input_queue = 2;
  spec.output_queue = 1;
  build(1, 1);
  sinks[0]->open = false;
  for (unsigned i = 0; i < 4; ++i) send(0, 0, i, 136);
  run_ns(50);
  sinks[0]->open = true;
  sinks[0]->resume();
  run_ns(100);
  EXPECT_EQ(sinks[0]->arrivals.size(), 4U);
  expect_clean();
}

// The receiver takes one message in a while, and the room of one flit is not enough for five.
TEST_F(CrossbarTest, ShortMessagesDoNotKeepALongOneWaiting) {
  spec.input_queue = 64;
  build(4, 1);
  sinks[0]->limit = 0;
  for (unsigned i = 0; i < 40; ++i) {
    for (unsigned from = 0; from < 3; ++from) send(from, 0, i);
  }
  send(3, 0, 1000, 136, 0, 20);
  for (unsigned taken = 0; taken < 121; ++taken) {
    sinks[0]->limit = taken + 1;
    sinks[0]->resume();
    run_ns(5);
  }
  const auto order = arrivals(0);
  ASSERT_EQ(order.size(), 121U);
  const auto at = std::find_if(order.begin(), order.end(), [](const auto& one) { return one.first == 1000; });
  // Those that were granted before it asked fill the output queue; behind them at most one of each other input.
  EXPECT_LE(at - order.begin(), 1 + static_cast<long>(spec.output_queue) + 3);
  expect_clean();
}

TEST_F(CrossbarTest, ABlockedVirtualNetworkDoesNotBlockAnother) {
  build(1, 1);
  sinks[0]->open = false;
  for (unsigned i = 0; i < 40; ++i) send(0, 0, i, 8, 0);
  run_ns(60);
  sinks[0]->on_message = nullptr;
  sinks[0]->open = true;  // network 0 stays blocked until somebody resumes it
  send(0, 0, 99, 8, 1);
  run_ns(60);
  ASSERT_EQ(sinks[0]->arrivals.size(), 1U);
  EXPECT_EQ(sinks[0]->arrivals[0].tag, 99U);
  sinks[0]->resume();
  run_ns(100);
  EXPECT_EQ(sinks[0]->arrivals.size(), 41U);
  expect_clean();
}

TEST_F(CrossbarTest, AnIdleCrossbarDoesNoWork) {
  build(8, 8);
  send(0, 0, 1, 8, 0, 1000);
  std::uint64_t before = sc_core::sc_delta_count();
  run_ns(900);
  EXPECT_LE(sc_core::sc_delta_count() - before, 1U);
  before = sc_core::sc_delta_count();
  run_ns(1000);
  EXPECT_LE(sc_core::sc_delta_count() - before, 3U) << "one message is one event";
  expect_clean();
}

TEST_F(CrossbarTest, RefusesImpossibleShapesAndAddresses) {
  EXPECT_THROW(Crossbar("none", context, clock, spec, 0, Router::to(NodeKind::home, 3)), base::UserError);
  build(1, 1);
  Message& m = pool.get();
  m.destination = home_node(base::PartitionId(1));
  try {
    crossbar->receive(m, sc_core::SC_ZERO_TIME, 0);
    FAIL();
  } catch (const base::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a control message for home 1, to which none of the 1 outputs leads"));
  }
  m.destination = home_node(base::PartitionId(0));
  m.network = 5;
  try {
    crossbar->receive(m, sc_core::SC_ZERO_TIME, 0);
    FAIL();
  } catch (const base::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("for virtual network 5, but there are only 2"));
  }
  m.payload()->release();
}

}  // namespace
}  // namespace syncline::models
