#include "models/cache/tag_array.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace syncline::models {
namespace {

/// Lines of `sets` sets, and where they are: as the array must have them.
struct Model {
  Model(std::uint32_t of_sets, std::uint32_t of_ways)
      : sets(of_sets), ways(of_ways), tags(sets, ways, Replacement::lru, base::Random(1)) {}
  std::uint32_t sets, ways;
  TagArray tags;
  std::map<std::uint64_t, Index> at;  ///< by line number

  base::LineAddress line(std::uint64_t number) const { return base::LineAddress(number * 128); }
  Index find(std::uint64_t number) const { return tags.find(tags.set_of(number), line(number)); }
};

/// Any number of ways: some fill words of marks, some do not.
class TagArrayTest : public testing::TestWithParam<std::uint32_t> {};

TEST_P(TagArrayTest, FindsEachLineAndNoOther) {
  Model m(6, GetParam());
  std::mt19937_64 random(GetParam());
  for (int step = 0; step < 4000; ++step) {
    const std::uint64_t number = random() % (m.sets * m.ways * 3);
    const std::uint32_t set = m.tags.set_of(number);
    if (const auto found = m.at.find(number); found != m.at.end()) {
      ASSERT_EQ(m.find(number), found->second);
      if (random() % 4 != 0) continue;
      m.tags.release(found->second);
      m.at.erase(found);
      ASSERT_EQ(m.find(number), nowhere);
      continue;
    }
    ASSERT_EQ(m.find(number), nowhere);
    Index frame = m.tags.find_free(set);
    std::uint32_t used = 0;
    for (Index way = 0; way < m.ways; ++way) used += m.tags.used(set * m.ways + way) ? 1 : 0;
    ASSERT_EQ(frame == nowhere, used == m.ways);
    if (frame == nowhere) {
      frame = m.tags.victim(set, 0);
      m.at.erase(m.tags.line(frame).value() / 128);
      m.tags.release(frame);
    }
    ASSERT_EQ(frame / m.ways, set);
    ASSERT_FALSE(m.tags.used(frame));
    m.tags.claim(frame, m.line(number));
    m.at[number] = frame;
  }
  for (const auto& [number, frame] : m.at) EXPECT_EQ(m.find(number), frame);
}

INSTANTIATE_TEST_SUITE_P(Ways, TagArrayTest, testing::Values(1, 3, 4, 7, 8, 9, 16, 20));

TEST(TagArray, TellsLinesOfOneMarkApart) {
  // 300 lines of a set have 254 marks.
  Model m(1, 300);
  for (std::uint64_t number = 0; number < m.ways; ++number) {
    ASSERT_EQ(m.find(number), nowhere);
    m.tags.claim(m.tags.find_free(0), m.line(number));
  }
  for (std::uint64_t number = 0; number < m.ways; ++number) EXPECT_EQ(m.tags.line(m.find(number)), m.line(number));
  EXPECT_EQ(m.tags.find_free(0), nowhere);
}

}  // namespace
}  // namespace syncline::models
