// The tables of the library's families, and what a platform makes of them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "base/error.h"
#include "models/families/registry.h"
#include "models/sm/l1_interface.h"
#include "models/transport/message_pool.h"
#include "models/transport/message_port.h"
#include "models/z_unit/depth_family.h"
#include "tests/support/error_of.h"

namespace syncline::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(MessageFamilies, HoldTheTablesTogether) {
  std::set<std::string_view> names;
  for (const MessageFamily* const family : message_families()) {
    EXPECT_TRUE(names.insert(family->name).second) << family->name;
    EXPECT_NE(family->meaning, "") << family->name;
    for (const FamilyKind& kind : family->kinds) {
      EXPECT_NE(kind.meaning, "") << kind.name;
      if (family->traffic.empty()) continue;
      EXPECT_LT(kind.traffic, family->traffic.size()) << kind.name;
      EXPECT_TRUE(kind.passage == Passage::as_store || kind.network < family->networks.size()) << kind.name;
    }
  }
  EXPECT_EQ(names.size(), 4U);
  EXPECT_EQ(l1_family.kinds.size(), static_cast<std::size_t>(L1Kind::count_));
  EXPECT_EQ(l1_family.kinds[static_cast<std::size_t>(L1Kind::grid_begin)].name, "grid_begin");
  EXPECT_EQ(coherence_family.traffic.size(), static_cast<std::size_t>(MessageClass::count_));
  for (std::size_t i = 0; i < coherence_family.traffic.size(); ++i)
    EXPECT_EQ(coherence_family.traffic[i].name, name(static_cast<MessageClass>(i)));
}

TEST(MessageFamilies, CountUnderTheNamesOfAllFamilies) {
  const MessageFamilies families;
  EXPECT_THAT(
      families.traffic_names(),
      ElementsAre("load_request", "store_request", "atomic_request", "data_reply", "store_ack", "atomic_reply",
                  "forward", "invalidate", "invalidate_ack", "unblock", "renew", "control", "z_commit", "transaction"));
  EXPECT_EQ(families.networks(), 0U) << "no platform has more virtual networks than its coherence policy needs";
  MessagePool pool;
  Message& m = pool.get();
  m.message_class = MessageClass::renew;
  EXPECT_EQ(families.traffic_of(m), 10U);
  EXPECT_EQ(describe(m), "renew");
  order_by_depth(m, DepthKind::clear);
  EXPECT_EQ(families.traffic_of(m), 12U);
  EXPECT_EQ(describe(m), "depth clear");
  EXPECT_EQ(m.message_class, MessageClass::store_request) << "to a cache on its way";
  set_l1_kind(m, L1Kind::fence);
  EXPECT_THAT(test::error_of<base::ModelError>([&] { families.traffic_of(m); }),
              HasSubstr("a message of the family `l1` is on a network, which it never crosses"));
  m.payload()->release();
}

TEST(MessageFamilies, NumberTheNetworksOfThoseThatAreAdded) {
  static const MessageFamily one{"one", "", {"a", "b"}, {{"one", ""}}, {}}, two{"two", "", {"c"}, {{"two", ""}}, {}};
  MessageFamilies families;
  families.add(one);
  families.add(two);
  EXPECT_EQ(families.first_network(one), 0U);
  EXPECT_EQ(families.first_network(two), 2U);
  EXPECT_EQ(families.networks(), 3U);
  EXPECT_EQ(families.networks(max_virtual_networks - 3), max_virtual_networks);
  EXPECT_THAT(test::error_of<base::UserError>([&] { families.networks(max_virtual_networks - 2); }),
              HasSubstr(fmt::format("the coherence policy needs {} virtual networks, and families of messages 3 (`one` "
                                    "2, `two` 1); a link has {}",
                                    max_virtual_networks - 2, max_virtual_networks)));
}

TEST(MessageFamilies, RefuseNamesThatAreTaken) {
  static const MessageFamily again{"depth", "", {}, {{"new", ""}}, {}}, other{"other", "", {}, {{"z_commit", ""}}, {}};
  MessageFamilies families;
  EXPECT_THAT(test::error_of<base::ModelError>([&] { families.add(again); }),
              HasSubstr("two families of messages are called `depth`"));
  EXPECT_THAT(test::error_of<base::ModelError>([&] { families.add(other); }),
              HasSubstr("the traffic name `z_commit` of the family `other` is taken"));
  EXPECT_THAT(test::error_of<base::ModelError>([&] { families.first_network(other); }),
              HasSubstr("this platform does not speak the message family `other`"));
}

}  // namespace
}  // namespace syncline::models
