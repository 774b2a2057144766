// The parts of the unit without time: where depths lie, the comparison, the cache and its locks, the request buffer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>
#include <vector>

#include "base/error.h"
#include "models/partition/address_map.h"
#include "models/transport/message_pool.h"
#include "models/z_unit/depth_lines.h"
#include "models/z_unit/line_numbers.h"
#include "models/z_unit/request_buffer.h"
#include "models/z_unit/z_cache.h"

namespace syncline::models {
namespace {

InterleavingSpec interleaving(std::uint32_t partitions, bool hash) {
  InterleavingSpec spec;
  spec.partitions = partitions;
  spec.hash = hash;
  return spec;
}

TEST(DepthLines, LieInThePartitionOfTheirDataEachForItself) {
  EXPECT_TRUE(rc::check([] {
    const AddressMap map(interleaving(*rc::gen::inRange(1U, 9U), *rc::gen::arbitrary<bool>()));
    const base::PartitionId partition(static_cast<std::uint16_t>(*rc::gen::inRange(0U, map.partitions())));
    const unsigned granule = *rc::gen::element(1U, 2U, 4U);
    const std::uint64_t base = 1 << 20;
    const DepthLines depths(map, home_node(partition), 128, granule, base);
    std::set<std::uint64_t> seen;
    for (std::uint64_t local = 0; local < 64 * 128; local += 128) {
      const base::LineAddress line(map.global(partition, local));
      for (unsigned part = 0; part < depths.parts(); ++part) {
        const base::LineAddress at = depths.address(line, part);
        RC_ASSERT(map.partition(at) == partition);
        RC_ASSERT(map.local(at.value()) >= base);
        RC_ASSERT(at.value() % 128 == 0);
        RC_ASSERT(seen.insert(at.value()).second);
        RC_ASSERT(depths.number(at) == map.local(at.value()) / 128);
        RC_ASSERT(depths.place(at) == seen.size() - 1);
      }
    }
    RC_ASSERT(*seen.rbegin() <= map.global(partition, base + 64 * 128 * DepthLines::expansion(granule)));
  }));
}

TEST(DepthLines, WithoutAHashAreAConstantDistanceAway) {
  const AddressMap map(interleaving(6, false));
  const DepthLines depths(map, home_node(base::PartitionId(2)), 128, 4, 256 * 1000);
  EXPECT_EQ(depths.address(base::LineAddress(512 + 128), 0).value(), 512U + 128 + 256 * 1000 * 6);
}

TEST(DepthLines, CompareWritesWhatIsNotNearer) {
  const AddressMap map(interleaving(1, false));
  const DepthLines depths(map, home_node(base::PartitionId(0)), 128, 4, 0);
  base::LineData line;
  line.fill(DepthLines::farthest_byte);
  base::ByteMask mask = base::ByteMask::range(0, 8);
  mask.set(126, 1);
  DepthLines::Outcome outcome = depths.compare(0, mask, 7, line);
  EXPECT_EQ(outcome.written, mask);
  EXPECT_EQ(outcome.won, 3U);
  outcome = depths.compare(0, base::ByteMask::range(4, 8), 8, line);
  EXPECT_EQ(outcome.written, base::ByteMask::range(8, 4));
  EXPECT_EQ(outcome.won, 1U);
  EXPECT_EQ(outcome.lost, 1U);
  EXPECT_EQ(depths.compare(0, base::ByteMask::range(4, 4), 7, line).won, 1U) << "equally near";
  EXPECT_EQ(depths.compare(0, base::ByteMask::range(124, 4), 8, line).lost, 1U) << "part of the word stood for it";
}

TEST(DepthLines, DepthsOfBytesAreInFourParts) {
  const AddressMap map(interleaving(1, false));
  const DepthLines depths(map, home_node(base::PartitionId(0)), 128, 1, 0);
  EXPECT_EQ(depths.touched(base::ByteMask::range(31, 2)), 0b0011U);
  EXPECT_EQ(depths.touched(base::ByteMask::range(127, 1)), 0b1000U);
  EXPECT_EQ(depths.touched({}), 0U);
  base::LineData line;
  line.fill(DepthLines::farthest_byte);
  const DepthLines::Outcome outcome = depths.compare(1, base::ByteMask::all(128), 3, line);
  EXPECT_EQ(outcome.written, base::ByteMask::range(32, 32));
  EXPECT_EQ(outcome.won, 32U);
}

TEST(ZCache, EvictsTheLeastRecentlyUsedBlockThatIsNotLocked) {
  ZCache cache(1, 2);
  const base::LineAddress a(0), b(128), c(256);
  const Index block_a = cache.allocate(a, 0).block;
  const Index block_b = cache.allocate(b, 1).block;
  EXPECT_EQ(cache.probe(a, 0).probe, ZCache::Probe::locked);
  EXPECT_EQ(cache.allocate(c, 2).block, nowhere) << "both are locked";
  EXPECT_EQ(cache.locked(), 2U);
  cache.data(block_b)[5] = 9;
  cache.mark_dirty(block_b);
  cache.unlock(block_b);
  EXPECT_EQ(cache.probe(b, 1).probe, ZCache::Probe::hit);
  const ZCache::Allocated allocated = cache.allocate(c, 2);
  EXPECT_EQ(allocated.block, block_b);
  ASSERT_TRUE(allocated.write_back);
  EXPECT_EQ(allocated.write_back->line, b);
  EXPECT_EQ((*allocated.write_back->data)[5], 9);
  EXPECT_EQ(cache.probe(b, 1).probe, ZCache::Probe::miss);
  cache.unlock(block_a);
  EXPECT_FALSE(cache.allocate(b, 1).write_back) << "nothing has changed in it";
}

TEST(ZCache, MisusedLocksAreModelErrors) {
  ZCache cache(1, 1);
  const Index block = cache.allocate(base::LineAddress(0), 0).block;
  EXPECT_THROW(cache.lock(block), base::ModelError);
  EXPECT_THROW(cache.clear(), base::ModelError);
  cache.unlock(block);
  EXPECT_THROW(cache.unlock(block), base::ModelError);
  cache.clear();
  EXPECT_EQ(cache.probe(base::LineAddress(0), 0).probe, ZCache::Probe::miss);
}

TEST(LineNumbers, AreKnownUntilTheyAreForgotten) {
  EXPECT_TRUE(rc::check([](const std::set<std::uint16_t>& numbers) {
    LineNumbers lines;
    for (const std::uint64_t number : numbers) lines.insert(number);
    for (std::uint32_t number = 0; number < 70'000; ++number)
      RC_ASSERT(lines.contains(number) == (number < 65536 && numbers.count(static_cast<std::uint16_t>(number)) != 0));
    lines.clear();
    for (const std::uint64_t number : numbers) RC_ASSERT(!lines.contains(number));
    lines.insert(63);
    RC_ASSERT(lines.contains(63) && !lines.contains(62) && !lines.contains(64));
  }));
}

TEST(RequestBuffer, SchedulesTheOldestAndKeepsTheOrderOfALine) {
  MessagePool pool;
  RequestBuffer buffer(3);
  Message* messages[3];
  Index index[3];
  for (unsigned i = 0; i < 3; ++i) {
    messages[i] = &pool.get();
    messages[i]->line = base::LineAddress(i == 1 ? 128 : 0);
    index[i] = buffer.insert(*messages[i], i == 0 ? 0b11 : 0b10, 10 + i);
  }
  EXPECT_TRUE(buffer.full());
  EXPECT_THROW(buffer.insert(*messages[0], 1, 13), base::ModelError);
  EXPECT_EQ(buffer.schedulable(10), nowhere);
  EXPECT_EQ(buffer.next_schedulable(10), 11U);
  EXPECT_EQ(buffer.schedulable(12), index[0]);
  EXPECT_FALSE(buffer.behind_older(index[1], 1)) << "another line";
  EXPECT_TRUE(buffer.behind_older(index[2], 1)) << "the first has both parts to do";
  buffer[index[0]].status = RequestStatus::active;
  EXPECT_EQ(buffer.schedulable(12), index[1]);
  buffer[index[1]].clears = true;
  EXPECT_EQ(buffer.schedulable(20), nowhere) << "a clear waits for what is older, and nothing overtakes it";
  buffer.release(index[0]);
  EXPECT_EQ(buffer.schedulable(20), index[1]);
  EXPECT_FALSE(buffer.behind_older(index[2], 1));
  for (Message* const m : messages) m->payload()->release();
}

}  // namespace
}  // namespace syncline::models
