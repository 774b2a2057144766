// The unit among others: clears, requests that pass through, links that are shared, and what is refused.
#include <gmock/gmock.h>

#include "base/error.h"
#include "protocols/coherence/registry.h"
#include "tests/unit/z_unit/bench.h"

namespace syncline::tests {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class ZUnitNeighbours : public ZUnitBench {
 protected:
  static constexpr std::uint64_t a = 0x1000, b = 0x1080;
};

TEST_F(ZUnitNeighbours, AClearMakesAllDepthsFarthest) {
  spec.cache_size = 128;  // so that some depths are in memory and some in the cache
  spec.ways = 1;
  build();
  write(a, 1, 1);
  write(b, 1, 2);
  ASSERT_TRUE(drained());
  clear();
  ASSERT_TRUE(drained());
  write(a, 0xffffffff, 3);
  write(b, 0xffffffff, 4);
  ASSERT_TRUE(drained());
  EXPECT_EQ(performed("GETU"), 0U) << "what memory holds is no longer true";
  EXPECT_EQ(byte_at(a, 5), byte_of(3, 5));
  EXPECT_EQ(byte_at(b, 5), byte_of(4, 5));
  clear();
  ASSERT_TRUE(drained());
  run_ns(100);
  EXPECT_EQ(stat("clears"), 2);
  expect_clean();
}

TEST_F(ZUnitNeighbours, AClearWaitsForWhatCameBeforeAndHoldsWhatComesAfter) {
  build();
  put_depths_in_memory({a});
  l2.answering = false;
  const std::uint32_t before = write(a, 1, 1);
  const std::uint32_t clearing = clear();
  const std::uint32_t after = write(a, 2, 2);
  run_cycles(100);
  EXPECT_THAT(order, IsEmpty());
  EXPECT_THAT(unit->describe_waiting(), Contains(HasSubstr("clear of SM 3 warp 0 at line 0x0")));
  l2.answering = true;
  l2.resume();
  ASSERT_TRUE(drained());
  EXPECT_THAT(order, UnorderedElementsAre(before, clearing, after));
  EXPECT_EQ(byte_at(a, 0), byte_of(2, 0)) << "farther than the first, but the clear came between";
  expect_clean();
}

TEST_F(ZUnitNeighbours, AClearNeedsNothingOfTheL2) {
  spec.cache_size = 128;
  spec.ways = 1;
  build();
  for (unsigned i = 0; i < 40; ++i) write(i * 128, 1);
  ASSERT_TRUE(drained());
  EXPECT_EQ(stat("write_backs"), 39);
  l2.answering = false;
  clear();
  EXPECT_TRUE(drained());
  l2.answering = true;
  l2.resume();
  for (unsigned i = 0; i < 40; ++i) write(i * 128, 2, 2);
  ASSERT_TRUE(drained());
  EXPECT_EQ(performed("GETU"), 0U);
  for (unsigned i = 0; i < 40; ++i) EXPECT_EQ(byte_at(i * 128, 7), byte_of(2, 7)) << i;
  run_ns(100);
  expect_clean();
}

TEST_F(ZUnitNeighbours, OtherRequestsPassAtOnceAndInOrder) {
  build();
  l2.answering = false;
  write(a);
  run_cycles(20);
  l2.log.clear();
  std::vector<std::uint32_t> loads;
  for (unsigned i = 0; i < 5; ++i) loads.push_back(load(0x8000 + i * 128));
  EXPECT_TRUE(network.idle()) << "in no time";
  l2.answering = true;
  l2.resume();
  ASSERT_TRUE(drained());
  run_ns(100);
  order.erase(std::remove(order.begin(), order.end(), 1U), order.end());
  EXPECT_EQ(order, loads);
  expect_clean();
}

TEST_F(ZUnitNeighbours, AStoreWithoutADepthIsNobodysBusinessHere) {
  build();
  models::Message& m = message(policy.plain->store, a);
  m.mask.set(0, 4);
  network.send(m);
  run_ns(100);
  EXPECT_THAT(l2.log, ElementsAre("WRITE 4096"));
  EXPECT_EQ(stat("writes"), 0);
}

TEST_F(ZUnitNeighbours, SharesItsLinksByTurns) {
  l2.capacity = 1;
  l2.max_delay = 3;
  spec.cache_size = 128;
  spec.ways = 1;
  spec.requests = 3;
  build();
  std::size_t loads = 0;
  for (unsigned i = 0; i < 100; ++i) {
    write(i % 7 * 128, 1000 - i, i);
    for (unsigned n = 0; n < 3; ++n, ++loads) load(0x8000 + (i * 3 + n) * 128);
  }
  for (int i = 0; i < 200 && order.size() < loads + sent; ++i) {  // the network takes replies in bursts
    acks.open = i % 3 != 0;
    acks.resume();
    run_ns(100);
  }
  EXPECT_EQ(order.size(), loads + sent);
  for (unsigned line = 0; line < 7; ++line) {
    const unsigned last = 99 - (99 - line) % 7;  // the nearest one
    EXPECT_EQ(byte_at(line * 128, 9), byte_of(last, 9));
  }
  acks.open = true;
  acks.resume();
  run_ns(1000);
  expect_clean();
}

TEST_F(ZUnitNeighbours, APolicyWithoutPlainAccessIsAUserError) {
  protocols::CoherenceSpec mesi;
  mesi.policy = "mesi";
  const protocols::CoherencePolicy other = protocols::make_coherence_policy(mesi);
  map.emplace(interleaving);
  try {
    models::ZUnit("other", context, z_clock, spec, other, base::PartitionId(0), *map, line_bytes, depth_base);
    FAIL() << "accepted";
  } catch (const base::UserError& error) {
    EXPECT_STREQ(error.what(),
                 "a Z-unit reads and writes lines beside the home, which the coherence policy `mesi` does not allow; "
                 "policies that do: `none`");
  }
}

TEST_F(ZUnitNeighbours, RefusesSizesThatAreNoWholeNumberOfSetsAndDepthsThatAreNotAligned) {
  map.emplace(interleaving);
  const auto error = [&](std::uint64_t base) {
    try {
      models::ZUnit("other", context, z_clock, spec, policy, base::PartitionId(0), *map, line_bytes, base);
    } catch (const base::UserError& caught) {
      return std::string(caught.what());
    }
    return std::string();
  };
  EXPECT_EQ(error(depth_base + 64), "depth memory begins at 0x100000040, which is not a multiple of the line of 128 B");
  spec.granule = 3;
  EXPECT_EQ(error(depth_base), "`granule` must be 1, 2 or 4 bytes, not 3");
  spec.granule = 4;
  spec.cache_size = 1000;
  EXPECT_EQ(error(depth_base), "`cache_size` must be a whole number of sets of 4 lines of 128 B, not 1000 B");
}

TEST_F(ZUnitNeighbours, ALineOfAnotherPartitionIsAModelError) {
  interleaving.partitions = 2;
  build();
  EXPECT_THROW(write(256), base::ModelError);
}

}  // namespace
}  // namespace syncline::tests
