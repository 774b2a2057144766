#include <gmock/gmock.h>

#include "base/error.h"
#include "models/transport/message_port.h"
#include "tests/support/message_endpoints.h"
#include "tests/support/platform_fixture.h"

namespace syncline::models {
namespace {

using testing::HasSubstr;
using tests::MessageSink;
using tests::MessageSource;

class TransportTest : public tests::PlatformFixture {
 protected:
  Message& message(std::uint32_t tag, VirtualNetwork network = 0) {
    Message& m = pool.get();
    m.tag = tag;
    m.network = network;
    return m;
  }
};

TEST(MessagePool, HandsOutMessagesWithDefaultsAgainAndAgainWithoutGrowing) {
  MessagePool pool;
  for (int round = 0; round < 3; ++round) {
    std::vector<Message*> taken;
    for (unsigned i = 0; i < 10; ++i) {
      Message& m = pool.get();
      EXPECT_EQ(m.tag, 0U);
      EXPECT_TRUE(m.mask.empty());
      EXPECT_EQ(m.atomic_count, 0);
      EXPECT_EQ(m.depth_op, DepthOp::none);
      EXPECT_EQ(m.depth, 0U);
      EXPECT_EQ(&message_of(*m.payload()), &m);
      EXPECT_EQ(m.payload()->get_ref_count(), 1);
      m.tag = 7;
      m.mask = base::ByteMask::all(128);
      m.atomic_count = 3;
      m.depth_op = DepthOp::clear;
      m.depth = 4;
      taken.push_back(&m);
    }
    EXPECT_EQ(pool.in_flight(), 10U);
    for (Message* m : taken) m->payload()->release();
    EXPECT_EQ(pool.in_flight(), 0U);
    EXPECT_EQ(pool.capacity(), 10U);
  }
}

TEST(MessagePool, ACopyIsAValueAndKeepsItsOwnPayload) {
  MessagePool pool;
  Message& a = pool.get();
  Message& b = pool.get();
  a.tag = 5;
  a.data[3] = 9;
  a.depth_op = DepthOp::write;
  a.depth = 12;
  b.copy_from(a);
  EXPECT_EQ(b.tag, 5U);
  EXPECT_EQ(b.data[3], 9);
  EXPECT_EQ(b.depth_op, DepthOp::write);
  EXPECT_EQ(b.depth, 12U);
  EXPECT_EQ(&message_of(*b.payload()), &b);
  a.payload()->release();
  b.payload()->release();
  EXPECT_EQ(pool.in_flight(), 0U);
}

TEST(MessagePool, APayloadWithoutMessageIsAModelError) {
  tlm::tlm_generic_payload bare;
  EXPECT_THROW(message_of(bare), base::ModelError);
}

TEST(Message, EveryClassHasAName) {
  for (unsigned i = 0; i < static_cast<unsigned>(MessageClass::count_); ++i)
    EXPECT_STRNE(name(static_cast<MessageClass>(i)), "");
  EXPECT_STREQ(name(MessageClass::z_commit), "z_commit");
}

TEST_F(TransportTest, ATakenMessageLeavesTheLinkFree) {
  MessageSource source("source");
  MessageSink sink("sink");
  source.port.socket.bind(sink.port.socket);
  run_ns(0);
  EXPECT_TRUE(source.port.send(message(1), sc_core::sc_time(7, sc_core::SC_PS)));
  EXPECT_TRUE(source.port.send(message(2)));
  ASSERT_EQ(sink.arrivals.size(), 2U);
  EXPECT_EQ(sink.arrivals[0].at_ps, 7U) << "the annotated delay is part of the arrival";
  expect_clean();
}

TEST_F(TransportTest, ARefusedMessageWaitsOnTheLinkUntilTheReceiverResumes) {
  MessageSource source("source");
  MessageSink sink("sink");
  source.port.socket.bind(sink.port.socket);
  run_ns(0);
  sink.open = false;
  source.send(message(1), sc_core::sc_time(3, sc_core::SC_NS));
  source.send(message(2));
  EXPECT_FALSE(source.port.ready(0));
  EXPECT_TRUE(source.port.ready(1)) << "virtual networks do not block each other";
  EXPECT_TRUE(sink.port.waiting(0));
  sink.resume();
  EXPECT_TRUE(sink.arrivals.empty()) << "still closed";
  run_ns(1);
  sink.open = true;
  sink.limit = 1;
  sink.resume();
  ASSERT_EQ(sink.arrivals.size(), 1U);
  EXPECT_EQ(sink.arrivals[0].at_ps, 3000U) << "it was annotated to arrive later than the receiver had room";
  EXPECT_FALSE(source.port.ready(0)) << "the second took its place on the link";
  run_ns(9);
  sink.limit.reset();
  sink.resume();
  ASSERT_EQ(sink.arrivals.size(), 2U);
  EXPECT_EQ(sink.arrivals[1].at_ps, 10'000U) << "a message that waited arrives when it is taken";
  EXPECT_FALSE(source.port.any_busy());
  EXPECT_FALSE(sink.port.any_waiting());
  expect_clean();
}

TEST_F(TransportTest, BreakingTheExclusionRuleIsAModelError) {
  MessageSource source("source");
  MessageSink sink("sink");
  source.port.socket.bind(sink.port.socket);
  run_ns(0);
  sink.open = false;
  source.port.send(message(1));
  Message& second = message(2);
  EXPECT_THROW(source.port.send(second), base::ModelError);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  EXPECT_THROW(source.port.socket->nb_transport_fw(*second.payload(), phase, delay), base::ModelError)
      << "also when somebody goes around the port";
}

TEST_F(TransportTest, OtherPhasesAndNetworksAreModelErrors) {
  MessageSource source("source");
  MessageSink sink("sink");
  source.port.socket.bind(sink.port.socket);
  run_ns(0);
  Message& m = message(1);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  EXPECT_THROW(sink.port.socket->nb_transport_bw(*m.payload(), phase, delay), base::ModelError);
  phase = tlm::END_RESP;
  EXPECT_THROW(source.port.socket->nb_transport_fw(*m.payload(), phase, delay), base::ModelError);
  m.network = max_virtual_networks;
  EXPECT_THROW(source.port.send(m), base::ModelError);
  phase = tlm::BEGIN_REQ;
  EXPECT_THROW(source.port.socket->nb_transport_fw(*m.payload(), phase, delay), base::ModelError);
  m.payload()->release();
}

}  // namespace
}  // namespace syncline::models
