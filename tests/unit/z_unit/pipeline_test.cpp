// The steps of a request through the unit (GPUDet thesis 4.4.3, figure 4.6).
#include <gmock/gmock.h>

#include "tests/unit/z_unit/bench.h"

namespace syncline::tests {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ZUnitPipeline : public ZUnitBench {
 protected:
  /// One block in one set: every other line evicts.
  void one_block() {
    spec.cache_size = 128;
    spec.ways = 1;
  }
  std::string performed_on(const char* kind, std::uint64_t line) {
    return std::string(kind) + " " + std::to_string(line);
  }
  static constexpr std::uint64_t a = 0x1000, b = 0x1080, c = 0x1100;
  std::uint64_t za = depth_base + a;
};

TEST_F(ZUnitPipeline, AMissReadsTheDepthsAndThenWritesTheData) {
  build();
  put_depths_in_memory({a});
  write(a, 5);
  ASSERT_TRUE(drained());
  EXPECT_THAT(l2.log, ElementsAre(performed_on("GETU", za), performed_on("WRITE", a)));
  EXPECT_EQ(byte_at(a, 17), byte_of(1, 17));
  EXPECT_EQ(stat("misses"), 1);
  EXPECT_EQ(stat("granules_written"), 32);
  expect_clean();
}

TEST_F(ZUnitPipeline, DepthsThatNobodyHasWrittenAreNotRead) {
  build();
  l2.line(za).fill(0);  // were they read, the write would lose
  write(a, 5);
  ASSERT_TRUE(drained());
  EXPECT_THAT(l2.log, ElementsAre(performed_on("WRITE", a)));
  EXPECT_EQ(byte_at(a, 17), byte_of(1, 17));
  EXPECT_EQ(stat("misses"), 1);
  EXPECT_EQ(stat("unwritten"), 1);
  expect_clean();
}

TEST_F(ZUnitPipeline, AHitNeedsNoDepthsFromTheL2AndAFartherWriteNothing) {
  build();
  write(a, 5, 1);
  ASSERT_TRUE(drained());
  write(a, 4, 2);
  ASSERT_TRUE(drained());
  EXPECT_THAT(l2.log, ElementsAre(performed_on("WRITE", a), performed_on("WRITE", a)));
  for (const base::Statistic* const one : statistics.sorted()) {
    if (one->name == "residence") {
      EXPECT_EQ(one->distribution->min(), 2U) << "a hit: accepted, probed, compared";
    }
  }
  write(a, 6, 3);
  ASSERT_TRUE(drained());
  EXPECT_EQ(l2.log.size(), 2U) << "no byte is to be written";
  EXPECT_EQ(byte_at(a, 0), byte_of(2, 0));
  EXPECT_EQ(stat("hits"), 2);
  EXPECT_EQ(stat("granules_lost"), 32);
  expect_clean();
}

TEST_F(ZUnitPipeline, ALockedBlockBlocksAnotherRequestUntilItIsReleased) {
  build();
  put_depths_in_memory({a});
  l2.answering = false;
  write(a, 5, 1);
  write(a, 4, 2);
  run_cycles(50);
  EXPECT_EQ(stat("blocked"), 1);
  EXPECT_EQ(stat("sent_GETU"), 1);
  EXPECT_THAT(unit->describe_waiting(), ElementsAre(HasSubstr("write of SM 3 warp 0 at line 0x1000, accepted in cycle"),
                                                    HasSubstr("blocked, waits for depths 0x100001000"),
                                                    "depths 0x100001000 are on their way from the L2"));
  l2.answering = true;
  l2.resume();
  ASSERT_TRUE(drained());
  EXPECT_EQ(stat("misses"), 1);
  EXPECT_EQ(stat("hits"), 1);
  EXPECT_EQ(byte_at(a, 0), byte_of(2, 0));
  expect_clean();
}

TEST_F(ZUnitPipeline, AnEvictionWritesChangedDepthsBack) {
  one_block();
  build();
  write(a, base::ByteMask::range(4, 4), 5, 1);
  ASSERT_TRUE(drained());
  write(b, 7, 2);
  ASSERT_TRUE(drained());
  run_ns(100);
  EXPECT_THAT(l2.log, ElementsAre(performed_on("WRITE", a), performed_on("WRITE", za), performed_on("WRITE", b)));
  std::uint32_t stored[2];
  std::memcpy(stored, l2.line(za).data(), sizeof stored);
  EXPECT_EQ(stored[0], ~0U) << "untouched";
  EXPECT_EQ(stored[1], 5U);
  write(a, base::ByteMask::range(4, 8), 6, 3);
  ASSERT_TRUE(drained());
  EXPECT_EQ(byte_at(a, 4), byte_of(1, 4)) << "the depth came back from memory";
  EXPECT_EQ(byte_at(a, 8), byte_of(3, 8));
  EXPECT_EQ(stat("write_backs"), 2);
  EXPECT_EQ(stat("misses"), 3);
  EXPECT_EQ(stat("unwritten"), 2);
  run_ns(100);
  expect_clean();
}

TEST_F(ZUnitPipeline, UnchangedDepthsAreNotWrittenBack) {
  one_block();
  build();
  write(a, 0, 1);
  write(b, 0, 2);
  write(a, 1, 3);
  ASSERT_TRUE(drained());
  EXPECT_EQ(stat("write_backs"), 2);
  write(b, 1, 4);
  ASSERT_TRUE(drained());
  EXPECT_EQ(stat("write_backs"), 2) << "the depths of the first line are as they were fetched";
  EXPECT_EQ(byte_at(a, 0), byte_of(1, 0));
  EXPECT_EQ(byte_at(b, 0), byte_of(2, 0));
  run_ns(100);
  expect_clean();
}

TEST_F(ZUnitPipeline, ALockedBlockIsNeverEvicted) {
  spec.cache_size = 2 * 128;
  spec.ways = 2;
  build();
  put_depths_in_memory({a, b});
  l2.answering = false;
  write(a, 1, 1);
  write(b, 1, 2);
  write(c, 1, 3);
  run_cycles(50);
  EXPECT_EQ(stat("sent_GETU"), 2) << "the third finds both blocks of the set locked";
  EXPECT_THAT(unit->describe_waiting(), Contains(HasSubstr("blocked, waits for a block of its set")));
  l2.answering = true;
  l2.resume();
  ASSERT_TRUE(drained());
  EXPECT_EQ(stat("write_backs"), 1);
  run_ns(100);
  expect_clean();
}

TEST_F(ZUnitPipeline, AFullBufferRefusesAndResumes) {
  spec.requests = 2;
  build();
  put_depths_in_memory({a, b, c});
  l2.answering = false;
  write(a);
  write(b);
  write(c);
  const std::uint32_t behind = load(c);
  run_cycles(50);
  EXPECT_FALSE(network.idle());
  EXPECT_THAT(unit->describe_waiting(), Contains(HasSubstr("a request waits at its input")));
  EXPECT_EQ(statistic("z_unit.requests_in_use"), 2);
  l2.answering = true;
  l2.resume();
  ASSERT_TRUE(drained());
  run_ns(100);
  EXPECT_THAT(order, Contains(behind));
  EXPECT_GT(stat("stall_full"), 40);
  expect_clean();
}

TEST_F(ZUnitPipeline, TheComparatorTakesOneRequestPerCycle) {
  constexpr unsigned lines = 16, rounds = 8;
  l2.capacity = 64;
  build();
  for (unsigned i = 0; i < lines; ++i) write(i * 128, 9);
  ASSERT_TRUE(drained());
  acks.arrivals.clear();
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned i = 0; i < lines; ++i) write(i * 128, 8 - round, round);
  }
  ASSERT_TRUE(drained());
  const double cycles =
      static_cast<double>(acks.arrivals.back().at_ps - acks.arrivals.front().at_ps) * 0.65e9 / 1e12 + 1;
  EXPECT_NEAR(cycles, lines * rounds, 4);
  EXPECT_EQ(stat("hits"), lines * rounds);
  EXPECT_EQ(stat("blocked"), 0);
}

TEST_F(ZUnitPipeline, RequestsOfOneLineTakeTurnsOfTwoCycles) {
  l2.capacity = 64;
  build();
  write(a, 100);
  ASSERT_TRUE(drained());
  acks.arrivals.clear();
  for (unsigned i = 0; i < 64; ++i) write(a, 99 - i, i);
  ASSERT_TRUE(drained());
  const double cycles =
      static_cast<double>(acks.arrivals.back().at_ps - acks.arrivals.front().at_ps) * 0.65e9 / 1e12 + 1;
  EXPECT_NEAR(cycles, 2 * 64, 4) << "a probe, and the comparison that releases the block for the next one";
  EXPECT_EQ(byte_at(a, 3), byte_of(63, 3));
}

TEST_F(ZUnitPipeline, TheAcknowledgementWaitsForTheL2) {
  build();
  write(a, 9);
  ASSERT_TRUE(drained());
  l2.answering = false;
  write(a, 8, 2);
  run_cycles(200);
  EXPECT_EQ(answered, 1U);
  EXPECT_THAT(unit->describe_waiting(), IsEmpty()) << "it is with the L2, and its place in the buffer is free";
  l2.answering = true;
  l2.resume();
  ASSERT_TRUE(drained());
  expect_clean();
}

TEST_F(ZUnitPipeline, TheAcknowledgementWaitsForAllPartsOfTheLine) {
  spec.granule = 1;
  build();
  write(a, base::ByteMask::range(0, 32), 9, 1);
  write(a, base::ByteMask::range(96, 32), 4, 1);
  ASSERT_TRUE(drained());
  l2.answering = false;
  write(a, 5, 2);  // wins the first part and the next two, and loses the last one
  run_cycles(50);
  EXPECT_THAT(unit->describe_waiting(), Contains(HasSubstr("active, 3 writes are not acknowledged")));
  l2.answering = true;
  l2.resume();
  ASSERT_TRUE(drained());
  EXPECT_EQ(performed("WRITE " + std::to_string(a)), 2U + 3U);
  EXPECT_EQ(stat("sent_ACK"), 1);
  EXPECT_EQ(byte_at(a, 95), byte_of(2, 95));
  EXPECT_EQ(byte_at(a, 96), byte_of(1, 96));
  expect_clean();
}

TEST_F(ZUnitPipeline, AWriteOfNoBytesIsAnswered) {
  build();
  write(a, base::ByteMask{}, 1, 1);
  ASSERT_TRUE(drained());
  EXPECT_THAT(l2.log, IsEmpty());
  expect_clean();
}

TEST_F(ZUnitPipeline, AMaskOfPartOfAWordStandsForTheWord) {
  build();
  write(a, base::ByteMask::range(0, 1), 5, 1);
  write(a, base::ByteMask::range(1, 1), 6, 2);
  ASSERT_TRUE(drained());
  EXPECT_EQ(byte_at(a, 0), byte_of(1, 0));
  EXPECT_EQ(byte_at(a, 1), 0) << "the word is nearer";
  write(a, base::ByteMask::range(1, 1), 5, 3);
  ASSERT_TRUE(drained());
  EXPECT_EQ(byte_at(a, 0), byte_of(1, 0)) << "outside of the mask";
  EXPECT_EQ(byte_at(a, 1), byte_of(3, 1));
}

TEST_F(ZUnitPipeline, DepthsOfBytesAreFetchedAsFarAsTheMaskGoes) {
  spec.granule = 1;
  build();
  put_depths_in_memory({a});
  write(a, base::ByteMask::range(30, 4), 5, 1);  // the end of the first quarter and the begin of the second
  ASSERT_TRUE(drained());
  const std::uint64_t first = depth_base + 4 * a;
  EXPECT_THAT(l2.log, ElementsAre(performed_on("GETU", first), performed_on("WRITE", a),
                                  performed_on("GETU", first + 128), performed_on("WRITE", a)));
  for (unsigned byte = 30; byte < 34; ++byte) EXPECT_EQ(byte_at(a, byte), byte_of(1, byte));
  EXPECT_EQ(stat("granules_written"), 4);
}

TEST_F(ZUnitPipeline, ALaterWriteToAFurtherPartOfTheLineWaitsForTheEarlierOne) {
  spec.granule = 1;
  build();
  write(a, base::ByteMask::range(0, 64), 5, 1);
  write(a, base::ByteMask::range(32, 32), 5, 2);  // equally near: the later one stays
  ASSERT_TRUE(drained());
  EXPECT_EQ(byte_at(a, 31), byte_of(1, 31));
  EXPECT_EQ(byte_at(a, 32), byte_of(2, 32));
  EXPECT_EQ(stat("blocked"), 1);
}

}  // namespace
}  // namespace syncline::tests
