#include "platform/observe/time_series.h"

#include <gtest/gtest.h>

#include <sstream>

#include "a_launch.h"

namespace syncline::platform {
namespace {

TEST(TimeSeries, CountersAreRatesAndGaugesAreValues) {
  base::StatisticsRegistry statistics;
  base::Counter instructions, other;
  double depth = 3;
  statistics.add("gpu.sm1", "warp_instructions", "instructions", "issued", instructions);
  statistics.add("gpu.sm0", "stalls", "cycles", "not watched", other);
  statistics.add_gauge("gpu.l2", "queue_depth", "messages", "waiting", [&] { return depth; });
  const KernelLog kernels(statistics, [] { return base::Cycle{0}; });

  std::ostringstream out;
  TimeSeries series(out, statistics, kernels, {"warp_instructions", "queue_depth"}, 100);
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
            "cycle,kernel,gpu.l2.queue_depth,gpu.sm1.warp_instructions/cycle\n"
            "100,,3,0.5\n"
            "200,,0,2\n"
            "210,,0,0.5\n");
}

/// Two launches side by side, which begin and end within rows.
std::string rows_of_two_launches(TimeSeries::Rows rows) {
  base::StatisticsRegistry statistics;
  base::Counter instructions;
  statistics.add("gpu.sm0", "warp_instructions", "instructions", "issued", instructions);
  base::Cycle now = 0;
  KernelLog kernels(statistics, [&] { return now; });
  LaunchListener& gpu = kernels.listener(0);
  std::ostringstream out;
  TimeSeries series(out, statistics, kernels, {"warp_instructions"}, 100, rows);
  const auto first = a_launch(0, "fill"), second = a_launch(1, "sum");
  series.tick(0);
  series.tick(100);
  instructions.add(10);  // not lost, whether the row is written or not
  gpu.launch_began(*first);
  now = 150;
  gpu.launch_began(*second);
  series.tick(200);
  now = 210;
  gpu.launch_ended(*first);
  now = 300;
  gpu.launch_ended(*second);
  series.tick(300);
  instructions.add(20);
  series.tick(400);
  return out.str();
}

TEST(TimeSeries, ARowNamesTheKernelsThatWereUnderWay) {
  const std::string head = "cycle,kernel,gpu.sm0.warp_instructions/cycle\n", kernels = "200,1 2,0.1\n300,1 2,0\n";
  EXPECT_EQ(rows_of_two_launches(TimeSeries::Rows::all), head + "100,,0\n" + kernels + "400,,0.2\n");
  EXPECT_EQ(rows_of_two_launches(TimeSeries::Rows::kernels), head + kernels);
}

}  // namespace
}  // namespace syncline::platform
