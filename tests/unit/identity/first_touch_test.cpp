// A home map that decides when a page is first asked for: each page lies with the home of the L1 that touched it first.
#include <map>
#include <vector>

#include "tests/unit/caches/hierarchy_fixture.h"

namespace syncline::tests {
namespace {

constexpr std::uint64_t page_bytes = 1024;

/// Pages in the memories of as many homes as there are L1s.
class FirstTouch final : public models::HomeMap {
 public:
  explicit FirstTouch(unsigned homes) : frames_(homes) {}

  models::NodeId home(base::LineAddress line, isa::Scope, const models::NodeId& asker) const override {
    return models::home_node(base::PartitionId(place(line.value() / page_bytes, asker).home));
  }
  using HomeMap::home;
  std::uint64_t local(std::uint64_t address) const override {
    return place(address / page_bytes, {}).frame * page_bytes + address % page_bytes;
  }
  std::uint64_t global(const models::NodeId& home, std::uint64_t local) const override {
    return frames_.at(home.index).at(local / page_bytes) * page_bytes + local % page_bytes;
  }
  std::uint64_t together(std::uint64_t address) const override { return page_bytes - address % page_bytes; }
  unsigned homes() const override { return static_cast<unsigned>(frames_.size()); }
  std::size_t pages(unsigned home) const { return frames_.at(home).size(); }

 private:
  struct Place {
    std::uint16_t home;
    std::uint64_t frame;
  };
  Place place(std::uint64_t page, const models::NodeId& asker) const {
    const auto known = places_.find(page);
    if (known != places_.end()) return known->second;
    const std::uint16_t home = asker.kind == models::NodeKind::l1 ? asker.index : std::uint16_t{0};
    frames_.at(home).push_back(page);
    return places_[page] = {home, frames_[home].size() - 1};
  }
  mutable std::map<std::uint64_t, Place> places_;
  mutable std::vector<std::vector<std::uint64_t>> frames_;  ///< of each home, the pages in it
};

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
  EXPECT_EQ(statistic("l2_0.stores"), 4);
  EXPECT_EQ(statistic("l2_1.stores"), 4);
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(homes.home(far + i * page_bytes).index, i % 2);
    EXPECT_EQ(load((i + 1) % 2, far + i * page_bytes), 100 + i) << "the other L1 asks the same home";
    EXPECT_EQ(system->debug_word(far + i * page_bytes), 100 + i);
  }
  EXPECT_EQ(statistic("l2_0.loads"), 4);
  EXPECT_EQ(statistic("l2_1.loads"), 4);
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
  EXPECT_GT(statistic("l2_1.memory_writes"), 0);
  EXPECT_EQ(homes.pages(0), 20U);
  expect_clean();
}

}  // namespace
}  // namespace syncline::tests
