#include "platform/observe/kernel_log.h"

#include <gmock/gmock.h>

#include "a_launch.h"

namespace syncline::platform {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A counter, a distribution and two gauges, and a clock that the test sets.
struct Watched {
  Watched() {
    statistics.add("gpu.sm0", "loads", "instructions", "", loads);
    statistics.add("gpu.sm0", "latency", "cycles", "", latency);
    statistics.add_gauge("gpu.up", "energy", "nJ", "", [this] { return 0.5 * static_cast<double>(loads.value()); });
    statistics.add_gauge("gpu.up", "utilisation", "ratio", "",
                         [this] { return static_cast<double>(loads.value()) / 100; });
  }
  base::StatisticsRegistry statistics;
  base::Counter loads;
  base::Distribution latency;
  base::Cycle now = 0;
};

TEST(KernelLog, AKernelHasWhatWasGainedWhileItRan) {
  Watched watched;
  KernelLog log(watched.statistics, [&] { return watched.now; });
  LaunchListener& gpu = log.listener(0);
  const auto first = a_launch(0, "fill"), second = a_launch(1, "sum");

  watched.loads.add(100);  // before
  watched.latency.sample(40);
  watched.now = 10;
  gpu.launch_began(*first);
  watched.loads.add(6);
  watched.latency.sample(5, 3);
  watched.now = 25;
  gpu.launch_ended(*first);
  watched.loads.add(50);  // between
  watched.now = 30;
  gpu.launch_began(*second);
  watched.now = 31;
  gpu.launch_ended(*second);

  ASSERT_EQ(log.kernels().size(), 2U);
  const KernelRecord& fill = log.kernels()[0];
  EXPECT_EQ(fill.name, "fill");
  EXPECT_EQ(fill.number, 1U);
  EXPECT_EQ(fill.began, 10U);
  EXPECT_EQ(fill.cycles(), 15U);
  EXPECT_EQ(fill.grid, (base::Dim3{3, 2, 1}));
  ASSERT_EQ(fill.gains.size(), 3U) << "a ratio gains nothing";
  EXPECT_EQ(fill.gains[0].statistic->name, "latency");
  EXPECT_EQ(fill.gains[0].value, 15);
  EXPECT_EQ(fill.gains[0].count, 3U);
  EXPECT_THAT(fill.gains[0].histogram, ElementsAre(std::pair(std::uint64_t{7}, std::uint64_t{3})));
  EXPECT_EQ(fill.gains[1].statistic->name, "loads");
  EXPECT_EQ(fill.gains[1].value, 6);
  EXPECT_EQ(fill.gains[2].statistic->name, "energy");
  EXPECT_EQ(fill.gains[2].value, 3);
  EXPECT_THAT(log.kernels()[1].gains, IsEmpty());
}

TEST(KernelLog, KernelsSideBySideBothHaveWhatHappens) {
  Watched watched;
  KernelLog log(watched.statistics, [&] { return watched.now; });
  LaunchListener& gpu = log.listener(0);
  const auto first = a_launch(0, "fill"), second = a_launch(1, "sum");

  EXPECT_THAT(log.under_way_since(0), IsEmpty());
  gpu.launch_began(*first);
  watched.now = 10;
  gpu.launch_began(*second);
  watched.loads.add(4);
  EXPECT_THAT(log.under_way_since(5), ElementsAre(1, 2));
  watched.now = 20;
  gpu.launch_ended(*second);
  EXPECT_THAT(log.under_way_since(15), ElementsAre(1, 2));
  EXPECT_THAT(log.under_way_since(20), ElementsAre(1));
  watched.now = 30;
  gpu.launch_ended(*first);
  EXPECT_THAT(log.under_way_since(20), ElementsAre(1));
  EXPECT_THAT(log.under_way_since(30), IsEmpty());
  for (const KernelRecord& kernel : log.kernels()) EXPECT_EQ(kernel.gains.front().value, 4) << kernel.name;
}

}  // namespace
}  // namespace syncline::platform
