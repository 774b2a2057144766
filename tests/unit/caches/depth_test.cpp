// Stores that are ordered by depth, as an L1 passes them on and as a home without a unit for them takes them.
#include "models/cache/translate.h"
#include "tests/support/message_endpoints.h"
#include "tests/unit/caches/hierarchy_fixture.h"

namespace syncline::tests {
namespace {

using models::DepthOp;
using models::L1Kind;
using models::Message;
using models::MessageClass;

constexpr std::uint64_t a = 0x1000;

class DepthStore : public PlatformFixture {
 protected:
  DepthStore() {
    sm.port.socket.bind(l1.from_sm.socket);
    l1.to_sm.socket.bind(to_sm.port.socket);
    l1.to_network.socket.bind(network.port.socket);
    home.port.socket.bind(l1.from_network.socket);
    network.on_message = [this](Message& m, const sc_core::sc_time&) {
      m.payload()->acquire();
      sent.push_back(&m);
    };
  }
  Message& store(DepthOp op, unsigned bytes) {
    Message& m = pool.get();
    m.message_class = MessageClass::store_request;
    models::set_l1_kind(m, L1Kind::global);
    m.line = base::LineAddress(a);
    m.requester = base::SmId(2);
    m.tag = 77;
    m.depth_op = op;
    m.depth = 0x80000001;
    m.mask.set(4, bytes);
    return m;
  }
  models::ClockDomain& clock = scheduler.add_domain("core", 1'400'000'000);
  const models::AddressMap map{models::InterleavingSpec{}};
  const protocols::CoherencePolicy policy = protocols::make_none({});
  models::L1Cache l1{"l1", context, clock, models::L1Spec{}, policy, base::SmId(2), map};
  MessageSource sm{"sm"}, home{"home"};
  MessageSink to_sm{"to_sm"}, network{"network"};
  std::vector<Message*> sent;
};

TEST_F(DepthStore, LeavesTheL1AsACommitAndComesBackAsAStoreAck) {
  sm.send(store(DepthOp::write, 12));
  sm.send(store(DepthOp::none, 12));
  run_ns(50);
  ASSERT_EQ(sent.size(), 2U);
  Message& m = *sent[0];
  EXPECT_EQ(m.message_class, MessageClass::z_commit);
  EXPECT_EQ(m.kind, policy.plain->store);
  EXPECT_EQ(m.depth_op, DepthOp::write);
  EXPECT_EQ(m.depth, 0x80000001U);
  EXPECT_EQ(m.mask, base::ByteMask::range(4, 12));
  EXPECT_EQ(m.destination, map.partition(a).value());
  EXPECT_EQ(sent[1]->message_class, MessageClass::store_request);
  EXPECT_EQ(m.bytes, sent[1]->bytes + sizeof m.depth) << "the depth travels too";

  for (Message* const request : sent) {
    request->destination = request->source;
    request->source = map.partition(a).value();
    models::dress(*request, policy, policy.plain->store_ack, 128);
    home.send(*request);
  }
  std::vector<MessageClass> answers;
  to_sm.on_message = [&](Message& reply, const sc_core::sc_time&) {
    answers.push_back(reply.message_class);
    EXPECT_EQ(reply.tag, 77U);
  };
  run_ns(50);
  EXPECT_EQ(answers, (std::vector<MessageClass>{MessageClass::store_ack, MessageClass::store_ack}));
  expect_clean();
}

TEST_F(DepthStore, AClearWithoutBytesTakesTheSameWay) {
  sm.send(store(DepthOp::clear, 0));
  run_ns(50);
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0]->message_class, MessageClass::z_commit);
  EXPECT_EQ(sent[0]->depth_op, DepthOp::clear);
  EXPECT_TRUE(sent[0]->mask.empty());
  sent[0]->payload()->release();
}

using AHome = HierarchyFixture;

TEST_F(AHome, WithoutAUnitForThemRefusesStoresThatAreOrderedByDepth) {
  build();
  Message& m = cores[0]->request(MessageClass::store_request, L1Kind::global, a);
  m.depth_op = DepthOp::write;
  m.mask.set(0, 4);
  cores[0]->send(m, [](Message&) {});
  expect_model_error(
      "l2_0: a store to line 0x1000 is to be ordered by its depth, but no unit before the home claimed it");
}

}  // namespace
}  // namespace syncline::tests
