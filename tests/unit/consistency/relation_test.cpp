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

/// Closure step by step, as it is defined.
Relation closed_slowly(Relation r) {
  for (;;) {
    const Relation longer = r | r.then(r);
    if (longer == r) return r;
    r = longer;
  }
}

TEST(Relation, ClosureIsThatOfItsDefinition) {
  unsigned acyclic = 0;
  std::uint64_t random = 1;
  for (unsigned n = 0; n < 400; ++n) {
    Relation r(n % 2 == 0 ? 7U : Relation::capacity);
    const unsigned edges = r.size() + n % 5;
    for (unsigned i = 0; i < edges; ++i) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      const auto from = static_cast<unsigned>((random >> 33U) % r.size());
      const auto to = static_cast<unsigned>((random >> 45U) % r.size());
      if (n % 3 == 0 || from < to) r.add(from, to);
    }
    EXPECT_EQ(r.closure(), closed_slowly(r));
    EXPECT_EQ(r.acyclic(), closed_slowly(r).irreflexive());
    acyclic += r.acyclic() ? 1 : 0;
  }
  EXPECT_GT(acyclic, 50U);
  EXPECT_LT(acyclic, 350U);
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
