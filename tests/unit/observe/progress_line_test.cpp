#include "platform/observe/progress_line.h"

#include <gtest/gtest.h>

#include <sstream>

namespace syncline::platform {
namespace {

TEST(ProgressLine, IsDueTwiceASecondAndEstimatesWhatIsLeft) {
  double now = 100;
  std::ostringstream out;
  ProgressLine line(out, [&] { return now; });
  EXPECT_FALSE(line.is_due());
  now = 100.4;
  EXPECT_FALSE(line.is_due());
  now = 102;
  ASSERT_TRUE(line.is_due());
  EXPECT_FALSE(line.is_due());
  line.print("cycle 7", {});
  EXPECT_EQ(out.str(), "\r2.0 s: cycle 7   ");
  out.str("");
  line.print("cycle 8", {10, 40});
  EXPECT_EQ(out.str(), "\r2.0 s: cycle 8, 10 of 40 CTAs done, about 6 s left   ");
}

TEST(ProgressLine, LeavesNothingBehind) {
  std::ostringstream out;
  {
    const ProgressLine silent(out, [] { return 0.0; });
  }
  EXPECT_EQ(out.str(), "");
  {
    ProgressLine line(out, [] { return 0.0; });
    line.print("x", {});
    out.str("");
  }
  EXPECT_EQ(out.str(), "\r\033[K");
}

}  // namespace
}  // namespace syncline::platform
