// What a sweep says of the time that it still takes.
#include <gtest/gtest.h>

#include "sc_main/sweep/time_left.h"

namespace syncline::sweep {
namespace {

SweepRun run_of(const std::string& workload, const std::string& platform = "gtx480") {
  SweepRun run;
  run.workload = workload;
  run.platform = platform;
  return run;
}

TEST(TimeLeft, TakesRunsOfOneProgramToBeAlike) {
  TimeLeft time;
  for (int n = 0; n < 3; ++n) time.waits(run_of("bfs"));
  for (int n = 0; n < 2; ++n) time.waits(run_of("saxpy"));
  EXPECT_EQ(time.left(1), 0) << "nothing is known yet";
  time.ended(run_of("bfs"), 10);
  EXPECT_EQ(time.left(1), 4 * 10) << "of what has not ended the mean of all is taken";
  time.ended(run_of("saxpy"), 2);
  EXPECT_EQ(time.left(1), 2 * 10 + 2);
  time.ended(run_of("bfs"), 20);
  EXPECT_EQ(time.left(1), 15 + 2);
  EXPECT_EQ(time.left(2), 8.5) << "two at a time";
}

TEST(TimeLeft, TellsPlatformsApart) {
  TimeLeft time;
  for (int n = 0; n < 2; ++n) time.waits(run_of("bfs")), time.waits(run_of("bfs", "hmg16"));
  time.ended(run_of("bfs"), 1);
  time.ended(run_of("bfs", "hmg16"), 9);
  EXPECT_EQ(time.left(1), 1 + 9);
}

}  // namespace
}  // namespace syncline::sweep
