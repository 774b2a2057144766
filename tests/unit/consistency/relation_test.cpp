#include "consistency/relation.h"

#include <gtest/gtest.h>

namespace syncline::consistency {
namespace {

Relation chain() {
  Relation r(4);
  r.add(0, 1);
  r.add(1, 2);
  return r;
}

TEST(Relation, ComposesAndInverts) {
  const Relation twice = chain().then(chain());
  EXPECT_TRUE(twice.at(0, 2));
  EXPECT_EQ(twice.successors(1), 0U);
  EXPECT_TRUE(chain().inverse().at(2, 1));
  EXPECT_FALSE(chain().inverse().at(1, 2));
}

TEST(Relation, ClosureFindsCycles) {
  Relation r = chain();
  EXPECT_TRUE(r.closure().at(0, 2));
  EXPECT_TRUE(r.acyclic());
  r.add(2, 0);
  EXPECT_TRUE(r.irreflexive());
  EXPECT_FALSE(r.acyclic());
}

TEST(Relation, AlgebraOfSets) {
  Relation other(4);
  other.add(1, 2);
  other.add(3, 3);
  EXPECT_EQ((chain() & other).successors(1), event_bit(2));
  EXPECT_TRUE((chain() - other).at(0, 1));
  EXPECT_FALSE((chain() - other).at(1, 2));
  EXPECT_TRUE((chain() | other).at(3, 3));
  EXPECT_TRUE((chain() & other).within(other));
  EXPECT_FALSE(chain().within(other));
  EXPECT_TRUE(chain().restricted(event_bit(3), ~EventSet{0}).empty());
}

TEST(Relation, HoldsTheLastEventOfItsCapacity) {
  Relation r(Relation::capacity);
  r.add(63, 0);
  r.add(0, 63);
  EXPECT_TRUE(r.closure().at(63, 63));
}

}  // namespace
}  // namespace syncline::consistency
