// Caches over a home map that decides when a page is first asked for.
#include "tests/support/first_touch.h"
#include "tests/unit/caches/hierarchy_fixture.h"

namespace syncline::tests {
namespace {

constexpr std::uint64_t page_bytes = FirstTouch::page_bytes;

class FirstTouchTest : public HierarchyFixture {
 protected:
  FirstTouchTest() {
    spec.slices = 2;
    spec.own_homes = &homes;
  }
  FirstTouch homes{2};
};

TEST_F(FirstTouchTest, PutsEachPageWhereItIsFirstAskedFor) {
  build();
  // Far beyond what a memory holds: what counts is where the page lies.
  constexpr std::uint64_t far = 0x7000'0000'0000;
  for (unsigned i = 0; i < 8; ++i) store(i % 2, far + i * page_bytes, 100 + i);
  EXPECT_EQ(homes.pages(0), 4U);
  EXPECT_EQ(homes.pages(1), 4U);
  EXPECT_EQ(statistic("part0_l2.stores"), 4);
  EXPECT_EQ(statistic("part1_l2.stores"), 4);
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(homes.home(far + i * page_bytes).index, i % 2);
    EXPECT_EQ(load((i + 1) % 2, far + i * page_bytes), 100 + i) << "the other L1 asks the same home";
    EXPECT_EQ(system->debug_word(far + i * page_bytes), 100 + i);
  }
  EXPECT_EQ(statistic("part0_l2.loads"), 4);
  EXPECT_EQ(statistic("part1_l2.loads"), 4);
  EXPECT_EQ(homes.pages(0) + homes.pages(1), 8U);
  EXPECT_EQ(homes.global(models::home_node(base::PartitionId(1)), homes.local(far + 3 * page_bytes + 8)),
            far + 3 * page_bytes + 8);
  expect_clean();
}

TEST_F(FirstTouchTest, KeepsValuesThatLeaveTheCaches) {
  spec.l2.size = 4 * 128;
  spec.l2.ways = 1;
  build();
  for (unsigned i = 0; i < 40; ++i) store(i % 2, i * 0x100000, i + 1);
  for (unsigned i = 0; i < 40; ++i) EXPECT_EQ(load(0, i * 0x100000), i + 1);
  EXPECT_GT(statistic("part1_l2.memory_writes"), 0);
  EXPECT_EQ(homes.pages(0), 20U);
  expect_clean();
}

}  // namespace
}  // namespace syncline::tests
