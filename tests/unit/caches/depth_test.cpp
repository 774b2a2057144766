// Stores that are ordered by depth, as an L1 passes them on and as a home without a unit for them takes them.
#include "models/cache/translate.h"
#include "models/partition/address_map.h"
#include "models/z_unit/depth_family.h"
#include "tests/support/message_endpoints.h"
#include "tests/unit/caches/hierarchy_fixture.h"

namespace syncline::tests {
namespace {

using models::DepthKind;
using models::L1Kind;
using models::Message;
using models::MessageClass;

constexpr std::uint64_t stored_line = 0x1000;

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
  Message& store(unsigned bytes) {
    Message& m = pool.get();
    m.message_class = MessageClass::store_request;
    models::set_l1_kind(m, L1Kind::global);
    m.line = base::LineAddress(stored_line);
    m.tag = 77;
    m.mask.set(4, bytes);
    return m;
  }
  Message& depth_store(DepthKind kind, unsigned bytes) {
    Message& m = store(bytes);
    models::order_by_depth(m, kind, 0x80000001);
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
  sm.send(depth_store(DepthKind::write, 12));
  sm.send(store(12));
  run_ns(50);
  ASSERT_EQ(sent.size(), 2U);
  Message& m = *sent[0];
  EXPECT_EQ(m.family, &models::depth_family);
  EXPECT_EQ(models::depth_kind(m), DepthKind::write);
  EXPECT_EQ(models::body<models::DepthBody>(m).depth, 0x80000001U);
  EXPECT_EQ(context.families.traffic_names()[context.families.traffic_of(m)], "z_commit");
  EXPECT_EQ(m.source, models::l1_node(base::SmId(2)));
  EXPECT_EQ(m.mask, base::ByteMask::range(4, 12));
  EXPECT_EQ(m.destination, models::home_node(map.partition(stored_line)));
  EXPECT_EQ(sent[1]->message_class, MessageClass::store_request);
  EXPECT_EQ(m.bytes, sent[1]->bytes + sizeof(models::DepthBody)) << "the depth travels too";

  for (Message* const request : sent) {
    request->destination = request->source;
    request->source = models::home_node(map.partition(stored_line));
    models::dress(*request, policy, policy.plain->store_ack, 128);
    home.send(*request);
  }
  std::vector<MessageClass> answers;
  std::vector<const models::MessageFamily*> families;
  to_sm.on_message = [&](Message& reply, const sc_core::sc_time&) {
    answers.push_back(reply.message_class);
    families.push_back(reply.family);
    EXPECT_EQ(reply.tag, 77U);
  };
  run_ns(50);
  EXPECT_EQ(answers, (std::vector<MessageClass>{MessageClass::store_ack, MessageClass::store_ack}));
  EXPECT_EQ(families, (std::vector<const models::MessageFamily*>{&models::depth_family, &models::l1_family}));
  expect_clean();
}

TEST_F(DepthStore, AClearWithoutBytesTakesTheSameWay) {
  sm.send(depth_store(DepthKind::clear, 0));
  run_ns(50);
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0]->family, &models::depth_family);
  EXPECT_EQ(models::depth_kind(*sent[0]), DepthKind::clear);
  EXPECT_TRUE(sent[0]->mask.empty());
  sent[0]->payload()->release();
}

using AHome = HierarchyFixture;

TEST_F(AHome, WithoutAUnitForThemRefusesStoresThatAreOrderedByDepth) {
  build();
  Message& m = cores[0]->request(MessageClass::store_request, L1Kind::global, stored_line);
  models::order_by_depth(m, DepthKind::write);
  m.mask.set(0, 4);
  cores[0]->send(m, [](Message&) {});
  expect_model_error(
      "part0_l2: no unit claims the message family `depth`; depth write of line 0x1000 has come to the home");
}

}  // namespace
}  // namespace syncline::tests
