#include "platform/observe/time_series.h"

#include <gtest/gtest.h>

#include <sstream>

namespace syncline::platform {
namespace {

TEST(TimeSeries, CountersAreRatesAndGaugesAreValues) {
  base::StatisticsRegistry statistics;
  base::Counter instructions, other;
  double depth = 3;
  statistics.add("gpu.sm1", "warp_instructions", "instructions", "issued", instructions);
  statistics.add("gpu.sm0", "stalls", "cycles", "not watched", other);
  statistics.add_gauge("gpu.l2", "queue_depth", "messages", "waiting", [&] { return depth; });

  std::ostringstream out;
  TimeSeries series(out, statistics, {"warp_instructions", "queue_depth"}, 100);
  EXPECT_EQ(series.columns(), 2U);
  EXPECT_EQ(series.tick(0), 100U);
  instructions.add(50);
  EXPECT_EQ(series.tick(100), 200U);
  instructions.add(200);
  depth = 0;
  series.tick(200);
  instructions.add(5);
  series.finish(210);
  series.finish(210);
  EXPECT_EQ(out.str(),
            "cycle,gpu.l2.queue_depth,gpu.sm1.warp_instructions/cycle\n"
            "100,3,0.5\n"
            "200,0,2\n"
            "210,0,0.5\n");
}

}  // namespace
}  // namespace syncline::platform
