// What units of GETM are made of: tables and filters of times, the commit unit, and who agrees on a rollover.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "base/random.h"
#include "protocols/transactions/getm/commit_unit.h"
#include "protocols/transactions/getm/metadata_table.h"
#include "protocols/transactions/getm/recency_filter.h"
#include "protocols/transactions/getm/rollover.h"

namespace syncline::tests {
namespace {

using namespace protocols::getm;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Granule a = 5, b = 6;

// Whatever moves between table, stash, list and filter: what is reserved is exact, what is not is never too early.
TEST(GetmTable, IsExactForTheReservedAndNeverTooEarly) {
  GetmSpec spec;
  spec.precise_entries = 32;
  spec.stash_entries = 2;
  spec.approximate_entries = 16;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    base::Random random(seed);
    MetadataTable table(spec, 1);
    std::map<Granule, Metadata> truth;
    std::uint64_t probes = 0, evicted = 0;
    std::size_t overflowed = 0;
    for (unsigned step = 0; step < 4'000; ++step) {
      const Granule granule = random.below(120);
      TableCost cost;
      Metadata& entry = table.at(granule, cost);
      probes += cost.probes;
      evicted += cost.evicted;
      Metadata& known = truth[granule];
      ASSERT_GE(entry.wts, known.wts);
      ASSERT_GE(entry.rts, known.rts);
      if (entry.rts == known.rts && !known.reader.is_several() && known.rts != 0) {
        ASSERT_TRUE(entry.reader.is_several() || entry.reader.code() == known.reader.code());
      }
      if (known.reserved) {
        ASSERT_EQ(entry.owner, known.owner);
        ASSERT_EQ(entry.writes, known.writes);
        ASSERT_EQ(entry.wts, known.wts);
      }
      switch (random.below(4)) {
        case 0:
          if (step / 1'000 % 2 == 0 || random.below(3) == 0) {
            entry.reserved = true;
            entry.owner = random.below(9);
            entry.writes = 1 + random.below(9);
            entry.wts += random.below(3);
          }
          break;
        case 1:
          entry.reserved = false;
          break;
        default:
          entry.rts += random.below(3);
          entry.reader = random.below(2) == 0 ? Reader(random.below(4)) : Reader::several();
      }
      known = entry;
      table.tidy();
      overflowed = std::max(overflowed, table.overflowed());
      ASSERT_LE(table.stashed(), 2U);
    }
    EXPECT_GT(probes, 0U);
    EXPECT_GT(evicted, 0U);
    EXPECT_GT(overflowed, 0U);
  }
}

/// A table of one set of so many ways, without a stash.
GetmSpec one_set(unsigned ways) {
  GetmSpec spec;
  spec.precise_entries = spec.precise_ways = ways;
  spec.stash_entries = 0;
  return spec;
}

TEST(GetmTable, TellsWhatTheListInMemoryCosts) {
  GetmSpec spec = one_set(1);
  spec.insertion_probes = 0;
  MetadataTable table(spec, 1);
  TableCost cost;
  for (const Granule granule : {1, 2, 3}) table.at(granule, cost).reserved = true;
  EXPECT_EQ(table.overflowed(), 2U);
  EXPECT_EQ(cost.overflow, 1 + 1 + 1) << "one is appended, one is passed, one is appended";
  cost = {};
  table.at(3, cost).reserved = false;
  EXPECT_EQ(cost.overflow, 2);
  table.tidy();
  EXPECT_EQ(table.overflowed(), 1U);
}

TEST(GetmTable, TheEntryOfTheEarliestTimesLeaves) {
  MetadataTable table(one_set(2), 1);
  TableCost cost;
  table.at(1, cost).wts = 3;
  table.at(2, cost).rts = 9;
  table.at(3, cost).wts = 9;
  EXPECT_EQ(cost.evicted, 1);
  EXPECT_EQ(table.find(1), nullptr);
  EXPECT_NE(table.find(2), nullptr);
}

TEST(GetmTable, IsAsInTheBeginningWhenItHasBeenCleared) {
  MetadataTable table(one_set(1), 1);
  TableCost cost;
  table.at(1, cost).wts = 9;
  table.at(2, cost);
  ASSERT_EQ(cost.evicted, 1);
  EXPECT_EQ(table.at(1, cost).wts, 9U);
  table.clear();
  EXPECT_EQ(table.at(1, cost).wts, 0U) << "also its bound";
}

TEST(GetmTable, SharesTheEntriesOfTheGpu) {
  const MetadataTable table(GetmSpec{}, 6);
  EXPECT_EQ(table.capacity(), 4096 / 6 / 4 * 4 + 4);
}

TEST(GetmHash, IsLinearAndSpreads) {
  base::Random random(1);
  const protocols::transactions::H3 hash(random);
  EXPECT_EQ(hash(0), 0U);
  EXPECT_EQ(hash(0x1234) ^ hash(0x5600000), hash(0x5601234));
  std::set<std::uint32_t> seen;
  for (std::uint64_t key = 0; key < 1'000; ++key) seen.insert(hash(key << 20U));
  EXPECT_THAT(seen, SizeIs(testing::Gt(990U)));
}

TEST(GetmFilter, ForgetsNoReader) {
  RecencyFilter filter(1, 1);
  filter.insert(1, {4, 7, Reader(3)});
  EXPECT_TRUE(filter.bound(9).reader.is_only(3)) << "a bound for everything that shares its place";
  filter.insert(2, {6, 7, Reader(4)});
  EXPECT_EQ(filter.bound(1).wts, 6U);
  EXPECT_TRUE(filter.bound(1).reader.is_several());
  filter.insert(1, {0, 8, Reader(3)});
  EXPECT_TRUE(filter.bound(2).reader.is_only(3));
  filter.insert(1, {0, 2, Reader(4)});
  EXPECT_EQ(filter.bound(1).rts, 8U);
  EXPECT_TRUE(filter.bound(1).reader.is_only(3));
}

TEST(GetmFilter, OfBoundsOfOneTimeTheOneThatKnowsMoreIsTaken) {
  Times one{4, 7, Reader::several()};
  one.lower({5, 7, Reader(3)});
  EXPECT_TRUE(one.reader.is_only(3));
  one.lower({5, 7, Reader::several()});
  EXPECT_TRUE(one.reader.is_only(3));
  EXPECT_EQ(one.wts, 4U);
}

TEST(GetmCommitUnit, CommitsAGranuleOnce) {
  GetmSpec spec;
  for (const bool coalescing : {true, false}) {
    spec.coalescing = coalescing;
    CommitUnit unit(spec);
    unit.accept({{a, 1, 2, true, {{40, 7, 0xf, 0}}}, {b, 1, 1, false, {}}, {a, 1, 1, false, {}}});
    unit.accept({{a, 2, 1, true, {{40, 8, 0xf, 0}}}});
    EXPECT_EQ(unit.size(), coalescing ? 3U : 4U);
    const CommitUnit::Applied first = unit.take();
    EXPECT_EQ(first.region.writes, coalescing ? 3U : 2U);
    EXPECT_TRUE(first.region.commits);
    EXPECT_FALSE(first.completes);
    if (!coalescing) {
      EXPECT_FALSE(unit.take().completes);
    }
    EXPECT_TRUE(unit.take().completes) << "the last of warp 1";
    EXPECT_TRUE(unit.take().completes);
    EXPECT_TRUE(unit.empty());
    EXPECT_THROW(unit.take(), base::ModelError);
  }
}

TEST(GetmCommitUnit, TakesALargeLogWhenItIsEmpty) {
  GetmSpec spec;
  spec.commit_regions = 2;
  CommitUnit unit(spec);
  EXPECT_TRUE(unit.has_room(5));
  unit.accept({{a, 1, 1, true, {}}});
  EXPECT_TRUE(unit.has_room(1));
  EXPECT_FALSE(unit.has_room(2));
}

TEST(GetmRollover, StopsUnitsAndThenCores) {
  Rollover rollover(2, 2);
  EXPECT_THROW(rollover.unit_stopped(), base::ModelError);
  rollover.ask();
  rollover.ask();
  rollover.unit_stopped();
  EXPECT_THROW(rollover.core_stopped(), base::ModelError);
  rollover.unit_stopped();
  EXPECT_EQ(rollover.phase(), Rollover::Phase::stopping_cores);
  EXPECT_FALSE(rollover.core_stopped());
  EXPECT_TRUE(rollover.core_stopped());
  EXPECT_EQ(rollover.phase(), Rollover::Phase::none);
}

}  // namespace
}  // namespace syncline::tests
