#include "platform/observe/trace_tracks.h"

#include <gtest/gtest.h>

#include "platform/observe/number_ranges.h"

namespace syncline::platform {
namespace {

TEST(TraceTracks, NumbersInNamesCountAsNumbers) {
  EXPECT_TRUE(stands_before("gpu.sm2", "gpu.sm10"));
  EXPECT_FALSE(stands_before("gpu.sm10", "gpu.sm2"));
  EXPECT_TRUE(stands_before("gpu.sm2", "gpu.sm2_l1"));
  EXPECT_TRUE(stands_before("gpu.part1_l2", "gpu.sm0"));
  EXPECT_TRUE(stands_before("sm007_a", "sm7_b"));
  EXPECT_FALSE(stands_before("gpu.sm2", "gpu.sm2"));
}

TEST(NumberRanges, HaveWhatTheyName) {
  const NumberRanges some("0-3,7", "--option");
  EXPECT_TRUE(some.has(0) && some.has(3) && some.has(7));
  EXPECT_FALSE(some.has(4) || some.has(8));
  EXPECT_EQ(some.greatest(), 7U);
  EXPECT_TRUE(NumberRanges().has(12345));
}

}  // namespace
}  // namespace syncline::platform
