// The CPU side of the mining: candidates by levels find what a search through all sets finds.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "workloads/apriori/mining.h"

namespace syncline::workloads::apriori {
namespace {

TEST(Apriori, MakesCandidatesOfSetsWhoseSubsetsAreAllFrequent) {
  // 12, 13, 23 and 24 are frequent: 123 may be, 234 may not, for 34 is not.
  EXPECT_EQ(candidates_of({0b0110, 0b1010, 0b1100, 0b10100}), (std::vector<Items>{0b1110}));
  EXPECT_EQ(candidates_of({0b001, 0b010, 0b100}), (std::vector<Items>{0b011, 0b101, 0b110}));
  const Items last = Items{1} << 63;
  EXPECT_EQ(candidates_of({1, last}), (std::vector<Items>{last | 1}));
  EXPECT_TRUE(candidates_of({0b11}).empty());
  EXPECT_TRUE(candidates_of({}).empty());
}

TEST(Apriori, CountsRecordsAndWhatTheyAreWorth) {
  const std::vector<Record> records{{0b011, 5, 0}, {0b111, 7, 0}, {0b110, 11, 0}};
  const Support both = support_of(0b011, records), none = support_of(0b1000, records);
  EXPECT_EQ(both.records, 2U);
  EXPECT_EQ(both.value, 12U);
  EXPECT_EQ(none.records, 0U);
  EXPECT_EQ(none.value, 0U);
}

RC_GTEST_PROP(Apriori, FindsByLevelsWhatDepthFirstAndAllSetsGive, ()) {
  constexpr std::uint32_t items = 6;
  std::vector<Record> records;
  for (const Items set : *rc::gen::container<std::vector<Items>>(rc::gen::inRange<Items>(0, 1U << items)))
    records.push_back({set, 1, 0});
  const std::uint32_t least = *rc::gen::inRange(1U, 5U);
  const auto is_frequent = [&](Items set) { return support_of(set, records).records >= least; };

  std::vector<Items> all;
  for (Items set = 1; set < 1U << items; ++set)
    if (is_frequent(set)) all.push_back(set);
  RC_ASSERT(frequent_sets(records, items, least) == all);

  std::vector<Items> by_levels, level;
  for (std::uint32_t item = 0; item < items; ++item) level.push_back(Items{1} << item);
  while (!level.empty()) {
    level.erase(std::remove_if(level.begin(), level.end(), [&](Items set) { return !is_frequent(set); }), level.end());
    by_levels.insert(by_levels.end(), level.begin(), level.end());
    level = candidates_of(level);
  }
  std::sort(by_levels.begin(), by_levels.end());
  RC_ASSERT(by_levels == all);
}

}  // namespace
}  // namespace syncline::workloads::apriori
