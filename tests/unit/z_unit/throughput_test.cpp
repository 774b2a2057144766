// Writes per cycle against the hit rate of the Z-cache, beside what the sizes of the unit allow. The table that this
// prints stands in docs/determinism.md.
#include <cstdio>

#include "tests/unit/z_unit/bench.h"

namespace syncline::tests {
namespace {

class ZUnitThroughput : public ZUnitBench {
 protected:
  static constexpr unsigned writes = 4000;
  ZUnitThroughput() {
    l2.latency = 100;
    l2.capacity = 10'000;
  }
  struct Measured {
    double hit_rate, rate;
  };
  void build() {
    ZUnitBench::build();
    for (unsigned i = 0; i < cold_lines; ++i) write((first_cold + i) * line_bytes, next_depth--);
    EXPECT_TRUE(drained());
  }
  /// Of each ten writes `hot` go to lines that stay in the Z-cache, the others to lines that have long left it. All
  /// win.
  Measured measure(unsigned hot) {
    for (unsigned i = 0; i < hot_lines; ++i) write(i * line_bytes, next_depth--);
    EXPECT_TRUE(drained());
    const double hits = stat("hits");
    acks.arrivals.clear();
    for (unsigned i = 0, next_hot = 0; i < writes; ++i) {
      const bool hits_it = i * 7 % 10 < hot;  // spread evenly
      const std::uint64_t line = hits_it ? next_hot++ % hot_lines : first_cold + next_cold++ % cold_lines;
      write(line * line_bytes, next_depth--);
    }
    EXPECT_TRUE(drained(1e7));
    const double cycles = static_cast<double>(acks.arrivals.back().at_ps - acks.arrivals.front().at_ps) * 0.65e9 / 1e12;
    return {(stat("hits") - hits) / writes, writes / cycles};
  }
  /// A write takes a slot of the link to the L2; a miss, two more for the depths and their victim. A miss holds an
  /// entry of the buffers for the latency of the L2 and the steps around it.
  double bound(double hit_rate, unsigned entries) const {
    const double miss_rate = 1 - hit_rate;
    const double miss_cycles = static_cast<double>(l2.latency) * 650 / 700 + 4;
    return std::min(1 / (1 + 2 * miss_rate), miss_rate == 0 ? 1 : entries / (miss_rate * miss_cycles));
  }
  static constexpr unsigned hot_lines = 16, first_cold = 1024, cold_lines = 1024;
  std::uint64_t next_cold = 0;
  std::uint32_t next_depth = 0xffffffff;
};

TEST_F(ZUnitThroughput, FollowsTheHitRate) {
  build();
  std::printf("| hit rate | writes per cycle | bound |\n|---:|---:|---:|\n");
  for (const unsigned hot : {10U, 9U, 8U, 7U, 5U, 3U, 0U}) {
    const Measured measured = measure(hot);
    const double allowed = bound(measured.hit_rate, spec.requests);
    std::printf("| %.2f | %.3f | %.3f |\n", measured.hit_rate, measured.rate, allowed);
    EXPECT_NEAR(measured.hit_rate, hot / 10.0, 0.01);
    EXPECT_LE(measured.rate, allowed * 1.03);
    EXPECT_GE(measured.rate, allowed * 0.75);
  }
}

TEST_F(ZUnitThroughput, OfLinesWithoutDepthsInMemoryIsBoundByTheLinkAlone) {
  build();
  const double reads = stat("sent_GETU");
  acks.arrivals.clear();
  for (unsigned i = 0; i < writes; ++i) write((first_cold + cold_lines + i) * line_bytes, next_depth--);
  EXPECT_TRUE(drained());
  EXPECT_EQ(stat("sent_GETU"), reads);
  const double cycles = static_cast<double>(acks.arrivals.back().at_ps - acks.arrivals.front().at_ps) * 0.65e9 / 1e12;
  const double rate = writes / cycles;
  std::printf("lines without depths in memory: %.3f writes per cycle, bound 0.500\n", rate);
  EXPECT_LE(rate, 0.5 * 1.03) << "a write, and the victim of its block";
  EXPECT_GE(rate, 0.5 * 0.9);
}

TEST_F(ZUnitThroughput, OfMissesGrowsWithTheBuffers) {
  spec.requests = 64;
  spec.comparators = 64;
  build();
  const Measured measured = measure(0);
  const double allowed = bound(0, 64);
  std::printf("64 requests, all misses: %.3f writes per cycle, bound %.3f\n", measured.rate, allowed);
  EXPECT_LE(measured.rate, allowed * 1.03);
  EXPECT_GE(measured.rate, allowed * 0.9);
}

TEST_F(ZUnitThroughput, OfMissesIsBoundByFewComparators) {
  spec.comparators = 4;
  build();
  const Measured measured = measure(0);
  EXPECT_LE(measured.rate, bound(0, 4) * 1.03);
  EXPECT_GE(measured.rate, bound(0, 4) * 0.9);
}

}  // namespace
}  // namespace syncline::tests
