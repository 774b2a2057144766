// One direction of a link: what it carries in which time, what credits hold back, and what is left over.
#include "models/nvlink/nvlink_port.h"

#include <gmock/gmock.h>

#include <memory>

#include "models/nvlink/nvlink_room.h"
#include "tests/support/error_of.h"
#include "tests/support/message_endpoints.h"
#include "tests/support/platform_fixture.h"

namespace syncline::models {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::MessageSink;
using tests::MessageSource;

NodeId link_home(unsigned index) {
  return home_node(base::PartitionId(static_cast<std::uint16_t>(index)));
}

class NvlinkPortTest : public tests::PlatformFixture {
 protected:
  NvlinkPortTest() : clock(scheduler.add_domain("icnt", 1'000'000'000)) {  // 1 ns a cycle
    spec.bandwidth = 32e9;                                                 // a flit a cycle
    spec.latency = 100e-9;
  }

  void build(unsigned ways = 1, unsigned networks = 2) {
    LinkPeers peers{Router().add_way({{NodeKind::home, 0, 1, {}}}).add_way({{NodeKind::home, 1, 1, {}}}), {"a", "b"}};
    link = std::make_unique<NvlinkPort>("link", context, clock, spec, ways, networks, peers);
    room = std::make_unique<NvlinkRoom>("room", context, clock, spec, ways, networks);
    room->credits.bind(link->credits);
    for (unsigned i = 0; i < ways; ++i) {
      sources.push_back(std::make_unique<MessageSource>(("source" + std::to_string(i)).c_str()));
      sinks.push_back(std::make_unique<MessageSink>(("sink" + std::to_string(i)).c_str()));
      sources[i]->port.socket.bind(link->input(i).socket);
      link->output(i).socket.bind(room->input(i).socket);
      room->output(i).socket.bind(sinks[i]->port.socket);
    }
    run_ns(0);
  }
  void send(std::uint32_t tag, unsigned bytes, VirtualNetwork network = 0, unsigned way = 0, unsigned to = 0,
            double delay_ns = 10) {
    Message& m = pool.get();
    m.message_class = MessageClass::data_reply;
    m.destination = link_home(to);
    m.tag = tag;
    m.bytes = static_cast<std::uint16_t>(bytes);
    m.network = network;
    sources[way]->send(m, sc_core::sc_time(delay_ns, sc_core::SC_NS));
  }
  /// Tags with the nanosecond of their arrival.
  std::vector<std::pair<std::uint32_t, double>> arrivals(unsigned way = 0) const {
    std::vector<std::pair<std::uint32_t, double>> list;
    for (const auto& a : sinks[way]->arrivals) list.emplace_back(a.tag, static_cast<double>(a.at_ps) / 1000);
    return list;
  }

  ClockDomain& clock;
  LinkSpec spec;
  std::unique_ptr<NvlinkPort> link;
  std::unique_ptr<NvlinkRoom> room;
  std::vector<std::unique_ptr<MessageSource>> sources;
  std::vector<std::unique_ptr<MessageSink>> sinks;
};

TEST_F(NvlinkPortTest, MessagesFollowEachOtherOnTheWireWithoutAGap) {
  spec.bandwidth = 80e9;  // 40 bytes take half a nanosecond
  build();
  for (std::uint32_t tag = 0; tag < 4; ++tag) send(tag, 40);
  run_ns(500);
  EXPECT_THAT(arrivals(),
              ElementsAre(std::pair(0U, 110.5), std::pair(1U, 111.0), std::pair(2U, 111.5), std::pair(3U, 112.0)));
  expect_clean();
}

TEST_F(NvlinkPortTest, CountsWhatItMovesByClassAndByWhoIsBehindIt) {
  build();
  send(0, 136);
  send(1, 8, 0, 0, 1);
  run_ns(1000);
  EXPECT_EQ(statistic("link.messages_data_reply"), 2);
  EXPECT_EQ(statistic("link.flits_data_reply"), 6);
  EXPECT_EQ(statistic("link.bytes_data_reply"), 144);
  EXPECT_EQ(statistic("link.bytes_to_a"), 136);
  EXPECT_EQ(statistic("link.bytes_to_b"), 8);
  EXPECT_EQ(statistic("link.queueing"), 2) << "one sample a message";
  EXPECT_EQ(sum("link.queueing"), 4U) << "the second one waited until the wire was free";
  EXPECT_NEAR(statistic("link.utilisation"), 144 / 32.0 / 1000, 1e-9);
}

TEST_F(NvlinkPortTest, CreditsComeBackALatencyAfterTheReceiverHasTakenWhatWaited) {
  spec.credits = 2;
  build();
  sinks[0]->open = false;
  for (std::uint32_t tag = 0; tag < 4; ++tag) send(tag, 32);  // one is refused, and one waits behind it
  run_ns(400);
  sinks[0]->open = true;
  sinks[0]->resume();
  run_ns(1000);
  EXPECT_THAT(arrivals(),
              ElementsAre(std::pair(0U, 400.0), std::pair(1U, 400.0), std::pair(2U, 601.0), std::pair(3U, 602.0)));
  expect_clean();
}

TEST_F(NvlinkPortTest, IdealMessagesCrossInACycleWithoutWireOrCredits) {
  spec.credits = 4;
  build();
  send(0, 128);  // takes all credits, and the wire for four cycles
  Message& free = pool.get();
  free.message_class = MessageClass::invalidate;
  free.destination = link_home(0);
  free.tag = 1;
  free.bytes = 8;
  free.network = 1;
  free.ideal = true;
  sources[0]->send(free, sc_core::sc_time(10, sc_core::SC_NS));
  run_ns(1000);
  EXPECT_THAT(arrivals(), ElementsAre(std::pair(1U, 11.0), std::pair(0U, 114.0)));
  expect_clean();
}

TEST_F(NvlinkPortTest, VirtualNetworksAndWaysTakeTurns) {
  build(2);
  for (std::uint32_t tag = 0; tag < 2; ++tag) {
    send(tag, 320, 0, 0);
    send(10 + tag, 32, 1, 0);
    send(20 + tag, 32, 0, 1);
  }
  run_ns(1000);
  EXPECT_THAT(arrivals(0),
              ElementsAre(std::pair(0U, 120.0), std::pair(10U, 121.0), std::pair(1U, 132.0), std::pair(11U, 133.0)));
  EXPECT_THAT(arrivals(1), ElementsAre(std::pair(20U, 122.0), std::pair(21U, 134.0)));
  expect_clean();
}

TEST_F(NvlinkPortTest, ACreditComesBackALatencyAfterItsFlitWasTaken) {
  spec.credits = 2;
  build();
  for (std::uint32_t tag = 0; tag < 3; ++tag) send(tag, 32);
  run_ns(1000);
  EXPECT_THAT(arrivals(), ElementsAre(std::pair(0U, 111.0), std::pair(1U, 112.0), std::pair(2U, 312.0)))
      << "taken at 111, the credit is back at 211";
  expect_clean();
}

TEST_F(NvlinkPortTest, ACreditIsNotBackBeforeWhoeverElseIsLookedAt) {
  spec.credits = 2;
  build();
  for (std::uint32_t tag = 0; tag < 3; ++tag) send(tag, 32);
  run_ns(140);
  send(9, 32, 1);
  run_ns(1000);
  EXPECT_THAT(arrivals(),
              ElementsAre(std::pair(0U, 111.0), std::pair(1U, 112.0), std::pair(9U, 251.0), std::pair(2U, 312.0)));
  expect_clean();
}

TEST_F(NvlinkPortTest, AMessageLongerThanAllCreditsGoesAlone) {
  spec.credits = 2;
  build();
  send(0, 320);
  send(1, 32);
  run_ns(1000);
  EXPECT_THAT(arrivals(), ElementsAre(std::pair(0U, 120.0), std::pair(1U, 321.0)));
  expect_clean();
}

TEST_F(NvlinkPortTest, AReceiverThatIsFullHoldsBackItsNetworkAlone) {
  spec.credits = 3;
  spec.queue = 2;
  build();
  sinks[0]->open = false;
  for (std::uint32_t tag = 0; tag < 8; ++tag) send(tag, 32);
  run_ns(500);
  EXPECT_THAT(
      link->describe_waiting(),
      ElementsAre("link: in0 network 0: 2 messages wait, the first is a data_reply of line 0x0 for home 0; 0 of 3 "
                  "credits are there"));
  EXPECT_THAT(room->describe_waiting(),
              ElementsAre("room: in0 network 0: the receiver does not take a message, 2 more behind it"));
  EXPECT_FALSE(sources[0]->idle()) << "the other three wait before the link";
  EXPECT_EQ(statistic("link.refused"), 4) << "the third to the sixth, each of which found two before it";
  sinks[0]->open = true;
  sinks[0]->resume();
  run_ns(2000);
  std::vector<std::uint32_t> tags;
  for (const auto& [tag, at] : arrivals()) tags.push_back(tag);
  EXPECT_THAT(tags, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  expect_clean();
}

TEST_F(NvlinkPortTest, NoMessageGoesOnBeforeItHasArrived) {
  build();
  send(0, 16, 0);  // the wire is free within the cycle
  send(1, 32, 1, 0, 0, 50);
  run_ns(1000);
  EXPECT_THAT(arrivals(), ElementsAre(std::pair(0U, 110.5), std::pair(1U, 151.0)));
  expect_clean();
}

TEST_F(NvlinkPortTest, ACreditWaitsForAReceiverThatIsFull) {
  spec.credits = 1;
  build();
  sinks[0]->open = false;
  send(0, 32);
  send(1, 32);
  run_ns(500);
  sinks[0]->open = true;
  sinks[0]->resume();
  run_ns(1000);
  ASSERT_EQ(arrivals().size(), 2U);
  EXPECT_EQ(arrivals()[1], std::pair(1U, 701.0)) << "taken at 500, the credit is back at 600";
  expect_clean();
}

TEST_F(NvlinkPortTest, WhatIsBehindARefusedMessageArrivesInItsTime) {
  build();
  sinks[0]->open = false;
  send(0, 32);
  send(1, 32, 0, 0, 0, 20);
  send(2, 32, 0, 0, 0, 210);
  run_ns(250);
  EXPECT_THAT(room->describe_waiting(),
              ElementsAre("room: in0 network 0: the receiver does not take a message, 2 more behind it"));
  sinks[0]->open = true;
  sinks[0]->resume();
  EXPECT_THAT(room->describe_waiting(),
              ElementsAre("room: in0 network 0: 1 messages are on the wire, the first is a data_reply of line 0x0 for "
                          "home 0"));
  run_ns(1000);
  EXPECT_THAT(arrivals(), ElementsAre(std::pair(0U, 250.0), std::pair(1U, 250.0), std::pair(2U, 311.0)));
  expect_clean();
}

TEST_F(NvlinkPortTest, ALostCreditIsNamed) {
  spec.credits = 2;
  build();
  run_ns(1);
  link->lose_credits(0, 1, 2);
  send(0, 32, 0);
  send(1, 32, 1);
  run_ns(1000);
  EXPECT_THAT(arrivals(), ElementsAre(std::pair(0U, 112.0))) << "the other network has its own";
  EXPECT_THAT(link->describe_waiting(),
              ElementsAre(HasSubstr("in0 network 1: 1 messages wait, the first is a data_reply "
                                    "of line 0x0 for home 0; 0 of 2 credits are there")));
  EXPECT_THAT(link->check_end_of_run(), testing::Contains("link: in0 network 1: 2 of 2 credits have not come back"));
  EXPECT_THAT(error_of<base::ModelError>([&] { link->lose_credits(0, 1, 1); }),
              HasSubstr("1 credits cannot be lost, there are 0"));
}

TEST_F(NvlinkPortTest, AReceivingEndTakesWhateverComes) {
  NvlinkPort direct("direct", context, clock, spec, 1, 1);
  MessageSource source("source");
  MessageSink sink("sink");
  source.port.socket.bind(direct.input(0).socket);
  direct.output(0).socket.bind(sink.port.socket);
  sink.open = false;
  run_ns(0);
  Message& message = pool.get();
  message.ideal = true;
  EXPECT_THAT(error_of<base::ModelError>([&] { source.send(message); }),
              HasSubstr("direct: the receiving end has refused a message that it has room for"));
}

TEST_F(NvlinkPortTest, RefusesNetworksThatItDoesNotHave) {
  build(1, 1);
  EXPECT_THAT(error_of<base::ModelError>([&] { send(0, 32, 1); }),
              HasSubstr("link: a data_reply message for virtual network 1, but there are only 1"));
}

TEST_F(NvlinkPortTest, NamesAndGroupsOfPeersAreEqualInNumber) {
  EXPECT_THAT(error_of<base::ModelError>([&] {
                NvlinkPort("other", context, clock, spec, 1, 1, {Router(), {"a"}});
              }),
              HasSubstr("other: 1 names for 0 groups of nodes behind it"));
}

}  // namespace
}  // namespace syncline::models
