#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <set>

#include "base/error.h"
#include "models/partition/address_map.h"
#include "models/partition/partition_unit.h"
#include "models/transport/message_family.h"
#include "tests/support/message_endpoints.h"
#include "tests/support/platform_fixture.h"

namespace syncline::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::MessageSink;
using tests::MessageSource;

InterleavingSpec interleaving(std::uint32_t partitions, std::uint32_t chunk, bool hash) {
  InterleavingSpec spec;
  spec.partitions = partitions;
  spec.chunk = chunk;
  spec.hash = hash;
  return spec;
}

TEST(AddressMap, IsABijection) {
  EXPECT_TRUE(rc::check("global(partition(a), local(a)) == a", [] {
    const AddressMap map(
        interleaving(*rc::gen::inRange(1U, 65U), 32U << *rc::gen::inRange(0, 8), *rc::gen::arbitrary<bool>()));
    const auto address = *rc::gen::arbitrary<std::uint64_t>() >> 16;
    const base::PartitionId partition = map.partition(address);
    RC_ASSERT(partition.value() < map.partitions());
    RC_ASSERT(map.global(partition, map.local(address)) == address);
    // The other way round: every place of every partition has an address.
    const base::PartitionId any(static_cast<std::uint16_t>(*rc::gen::inRange(0U, map.partitions())));
    const auto place = *rc::gen::arbitrary<std::uint64_t>() >> 24;
    RC_ASSERT(map.partition(map.global(any, place)) == any);
    RC_ASSERT(map.local(map.global(any, place)) == place);
  }));
}

TEST(AddressMap, AChunkStaysTogetherAndEveryGroupReachesEveryPartition) {
  EXPECT_TRUE(rc::check([] {
    const std::uint32_t partitions = *rc::gen::inRange(1U, 33U), chunk = 32U << *rc::gen::inRange(0, 6);
    const AddressMap map(interleaving(partitions, chunk, *rc::gen::arbitrary<bool>()));
    const auto group = *rc::gen::inRange<std::uint64_t>(0, 1U << 20);
    std::set<unsigned> reached;
    for (unsigned i = 0; i < partitions; ++i) {
      const std::uint64_t first = (group * partitions + i) * chunk;
      reached.insert(map.partition(first).value());
      RC_ASSERT(map.partition(first) == map.partition(first + chunk - 1));
      RC_ASSERT(map.local(first + chunk - 1) == map.local(first) + chunk - 1);
    }
    RC_ASSERT(reached.size() == partitions);
  }));
}

TEST(AddressMap, InterleavesChunksByDefault) {
  const AddressMap map(interleaving(6, 256, false));
  EXPECT_EQ(map.partition(0).value(), 0);
  EXPECT_EQ(map.partition(255).value(), 0);
  EXPECT_EQ(map.partition(256).value(), 1);
  EXPECT_EQ(map.partition(6 * 256).value(), 0);
  EXPECT_EQ(map.local(6 * 256 + 3), 259U);
  EXPECT_EQ(map.partition(base::LineAddress(512)).value(), 2);
}

TEST(AddressMap, TheHashSpreadsPowerOfTwoStrides) {
  const auto busiest = [](const AddressMap& map) {
    std::vector<unsigned> hits(map.partitions());
    for (unsigned i = 0; i < 800; ++i) ++hits[map.partition(std::uint64_t{i} * 8 * 256).value()];
    return *std::max_element(hits.begin(), hits.end());
  };
  EXPECT_EQ(busiest(AddressMap(interleaving(8, 256, false))), 800U) << "all on one partition";
  EXPECT_LT(busiest(AddressMap(interleaving(8, 256, true))), 150U);
}

TEST(AddressMap, IsTheHomeMapOfAPlaceForAllScopesAndAskers) {
  constexpr GpuPlace second{1, 0};
  const AddressMap map(interleaving(6, 256, true), second);
  const HomeMap& homes = map;
  EXPECT_EQ(homes.homes(), 6U);
  for (std::uint64_t address = 0; address < 20 * 256; address += 64) {
    const NodeId home = home_node(map.partition(address), second);
    EXPECT_EQ(homes.home(address), home);
    EXPECT_EQ(homes.home(base::LineAddress(address), isa::Scope::sys, l1_node(base::SmId(3))), home);
    EXPECT_EQ(homes.global(home, homes.local(address)), address);
    EXPECT_EQ(homes.together(address), 256 - address % 256);
  }
}

TEST(AddressMap, RefusesWhatItCannotDivide) {
  EXPECT_THROW(AddressMap(interleaving(0, 256, false)), base::UserError);
  EXPECT_THROW(AddressMap(interleaving(6, 0, false)), base::UserError);
  EXPECT_THROW(AddressMap(interleaving(6, 300, false)), base::UserError);
}

const MessageFamily held_family{"held",
                                "of the units of these tests",
                                {},
                                {{"held", ""}},
                                {{"request", 0, protocols::Payload::none, 0, 0, Passage::by, "to be held"}}};

/// Claims a family: holds requests until told, then answers with a control message, or passes them on as stores.
class TestUnit : public PartitionUnit {
 public:
  using PartitionUnit::PartitionUnit;
  bool claims(const Message& request) const override { return request.family == &held_family; }
  bool accept(Message& request, const sc_core::sc_time& arrival) override {
    if (held != nullptr) return false;
    held = &request;
    seen_at = arrival;
    return true;
  }
  void answer() {
    Message* const message = held;
    held = nullptr;
    message->family = &coherence_family;
    reply(*message, sc_core::sc_time_stamp());
    request_in.resume(0);
  }
  void pass_on() {
    Message* const message = held;
    held = nullptr;
    message->family = &coherence_family;
    message->message_class = MessageClass::store_request;
    forward(*message, sc_core::sc_time_stamp() + sc_core::sc_time(2, sc_core::SC_NS));
    request_in.resume(0);
  }
  bool open_towards_l2() const { return can_forward(0); }
  bool open_towards_sms() const { return can_reply(0); }
  Message* held = nullptr;
  sc_core::sc_time seen_at;
};

class PartitionPathTest : public tests::PlatformFixture {
 protected:
  void build(unsigned count) {
    std::vector<PartitionUnit*> chain;
    for (unsigned i = 0; i < count; ++i) {
      units.push_back(std::make_unique<TestUnit>(("unit" + std::to_string(i)).c_str(), context));
      chain.push_back(units.back().get());
    }
    bind_partition_path(network_out.port.socket, chain, l2_in.port.socket, l2_out.port.socket, network_in.port.socket);
    run_ns(1);
  }
  Message& message(MessageClass message_class, std::uint32_t tag) {
    Message& m = pool.get();
    m.message_class = message_class;
    m.tag = tag;
    return m;
  }
  Message& held(std::uint32_t tag) {
    Message& m = message(MessageClass::control, tag);
    set_kind(m, held_family, 0);
    return m;
  }
  std::vector<std::uint32_t> tags(const MessageSink& sink) const {
    std::vector<std::uint32_t> list;
    for (const auto& a : sink.arrivals) list.push_back(a.tag);
    return list;
  }
  MessageSource network_out{"network_out"}, l2_out{"l2_out"};
  MessageSink l2_in{"l2_in"}, network_in{"network_in"};
  std::vector<std::unique_ptr<TestUnit>> units;
};

TEST_F(PartitionPathTest, WithoutUnitsTheCrossbarMeetsTheL2) {
  build(0);
  network_out.send(message(MessageClass::load_request, 1), sc_core::sc_time(4, sc_core::SC_NS));
  l2_out.send(message(MessageClass::data_reply, 2));
  EXPECT_THAT(tags(l2_in), ElementsAre(1));
  EXPECT_EQ(l2_in.arrivals[0].at_ps, 5000U);
  EXPECT_THAT(tags(network_in), ElementsAre(2));
  expect_clean();
}

TEST_F(PartitionPathTest, UnclaimedMessagesPassInNoTimeAndUnderBackPressure) {
  build(2);
  network_out.send(message(MessageClass::load_request, 1), sc_core::sc_time(4, sc_core::SC_NS));
  EXPECT_EQ(l2_in.arrivals.at(0).at_ps, 5000U);
  l2_in.open = network_in.open = false;
  for (std::uint32_t i = 2; i < 8; ++i) network_out.send(message(MessageClass::load_request, i));
  for (std::uint32_t i = 20; i < 26; ++i) l2_out.send(message(MessageClass::data_reply, i));
  EXPECT_FALSE(network_out.idle());
  EXPECT_THAT(units[0]->describe_waiting(), ElementsAre(HasSubstr("unit0: a request waits at its input"),
                                                        HasSubstr("unit0: a reply waits at its input")));
  l2_in.open = network_in.open = true;
  l2_in.resume();
  network_in.resume();
  EXPECT_THAT(tags(l2_in), ElementsAre(1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(tags(network_in), ElementsAre(20, 21, 22, 23, 24, 25));
  expect_clean();
}

TEST_F(PartitionPathTest, AUnitHoldsAnswersAndTurnsWhatItClaims) {
  build(1);
  network_out.send(held(1));
  network_out.send(held(2));
  EXPECT_TRUE(tags(l2_in).empty());
  ASSERT_NE(units[0]->held, nullptr);
  EXPECT_EQ(units[0]->held->tag, 1U);
  EXPECT_EQ(units[0]->seen_at, sc_core::sc_time(1, sc_core::SC_NS));
  EXPECT_FALSE(network_out.idle()) << "the second waits on the link";
  EXPECT_TRUE(units[0]->open_towards_sms());
  units[0]->answer();
  EXPECT_THAT(tags(network_in), ElementsAre(1));
  units[0]->pass_on();
  EXPECT_THAT(tags(l2_in), ElementsAre(2));
  EXPECT_EQ(l2_in.arrivals[0].at_ps, 3000U);
  expect_clean();
}

TEST_F(PartitionPathTest, TheFirstUnitThatClaimsGetsIt) {
  build(2);
  network_out.send(held(1));
  EXPECT_NE(units[0]->held, nullptr);
  EXPECT_EQ(units[1]->held, nullptr);
  units[0]->answer();
  expect_clean();
}

TEST_F(PartitionPathTest, AReplyToAUnitThatAskedNobodyIsAModelError) {
  build(2);
  Message& m = message(MessageClass::data_reply, 1);
  m.source = home_node(base::PartitionId(0));
  m.destination = unit_node(m.source, 1);
  try {
    l2_out.send(m);
    FAIL() << "taken";
  } catch (const base::ModelError& error) {
    EXPECT_STREQ(error.what(), "unit1 has asked nobody, but a data_reply for it arrives from home 0");
  }
}

}  // namespace
}  // namespace syncline::models
