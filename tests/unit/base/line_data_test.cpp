#include "base/line_data.h"

#include <gtest/gtest.h>

namespace syncline::base {
namespace {

TEST(ByteMask, RangesAcrossTheWordBoundary) {
  for (unsigned first = 0; first < max_line_bytes; ++first) {
    for (unsigned count = 0; first + count <= max_line_bytes; ++count) {
      const ByteMask mask = ByteMask::range(first, count);
      ASSERT_EQ(mask.count(), count) << first;
      if (count != 0) {
        ASSERT_TRUE(mask.test(first));
        ASSERT_TRUE(mask.test(first + count - 1));
      }
      if (first != 0) {
        ASSERT_FALSE(mask.test(first - 1));
      }
    }
  }
}

TEST(ByteMask, MergeTouchesOnlyItsBytes) {
  LineData to{}, from{};
  from.fill(7);
  ByteMask::range(60, 8).merge(to, from);
  for (unsigned i = 0; i < max_line_bytes; ++i) EXPECT_EQ(to[i], i >= 60 && i < 68 ? 7 : 0);
}

}  // namespace
}  // namespace syncline::base
