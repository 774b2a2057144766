// Identities, their names, and the ports that lead to them.
#include "models/transport/router.h"

#include <gtest/gtest.h>

namespace syncline::models {
namespace {

constexpr NodeId l1(unsigned index, GpuPlace place = {}) {
  return l1_node(base::SmId(static_cast<std::uint16_t>(index)), place);
}
constexpr NodeId home(unsigned index, GpuPlace place = {}) {
  return home_node(base::PartitionId(static_cast<std::uint16_t>(index)), place);
}

TEST(NodeId, SaysWhoItIs) {
  EXPECT_EQ(name(l1(3)), "l1 3");
  EXPECT_EQ(name(home(0)), "home 0");
  EXPECT_EQ(name(unit_node(home(2), 1)), "unit 1 of home 2");
  EXPECT_EQ(name(l1(3, {1, 0})), "gpu1.l1 3");
  EXPECT_EQ(name(home(5, {2, 3})), "gpu2.gpm3.home 5");
  EXPECT_EQ(name(NodeId{}), "nobody");
}

TEST(NodeId, DiffersByEachOfItsParts) {
  const NodeId one = unit_node(home(2, {1, 1}), 1);
  EXPECT_EQ(one, unit_node(home(2, {1, 1}), 1));
  EXPECT_NE(one, unit_node(home(2, {0, 1}), 1));
  EXPECT_NE(one, unit_node(home(2, {1, 0}), 1));
  EXPECT_NE(one, unit_node(home(3, {1, 1}), 1));
  EXPECT_NE(one, unit_node(home(2, {1, 1}), 0));
  EXPECT_NE(one, home(2, {1, 1}));
}

TEST(NodeId, TheFirstPlaceHasNoPrefix) {
  EXPECT_EQ(prefix({0, 0}), "");
  EXPECT_EQ(prefix({1, 0}), "gpu1.");
  EXPECT_EQ(prefix({0, 2}), "gpm2.");
  EXPECT_EQ(prefix({3, 2}), "gpu3.gpm2.");
}

TEST(Router, KnowsThePortOfEachNode) {
  const Router router = Router::to(NodeKind::home, 4).add(NodeKind::home, 2, {1, 0}).add(NodeKind::l1, 3);
  EXPECT_EQ(router.ports(), 9U);
  EXPECT_EQ(router.port(home(0)), 0U);
  EXPECT_EQ(router.port(home(3)), 3U);
  EXPECT_EQ(router.port(home(0, {1, 0})), 4U);
  EXPECT_EQ(router.port(l1(2)), 8U);
  EXPECT_EQ(router.port(unit_node(home(1, {1, 0}), 3)), 5U) << "beside its home";
  EXPECT_EQ(router.port(home(4)), Router::nowhere);
  EXPECT_EQ(router.port(home(0, {0, 1})), Router::nowhere);
  EXPECT_EQ(router.port(l1(0, {1, 0})), Router::nowhere);
  EXPECT_EQ(router.port(NodeId{}), Router::nowhere);
  EXPECT_EQ(Router().ports(), 0U);
}

TEST(Router, OnePortLeadsToAllWhoAreBehindIt) {
  Router router;
  router.add({NodeKind::home, 4, 2, {}}).add_way({{NodeKind::home, 0, 4, {}}, {NodeKind::home, 6, 2, {}}});
  EXPECT_EQ(router.ports(), 3U);
  EXPECT_EQ(router.port(home(4)), 0U);
  EXPECT_EQ(router.port(home(5)), 1U);
  for (const unsigned there : {0, 3, 6, 7}) EXPECT_EQ(router.port(home(there)), 2U);
  EXPECT_EQ(router.port(home(8)), Router::nowhere);
  EXPECT_EQ(router.port(l1(0)), Router::nowhere);
}

}  // namespace
}  // namespace syncline::models
