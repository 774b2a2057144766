#include "platform/report/course.h"

#include <gmock/gmock.h>

#include "a_launch.h"

namespace syncline::platform {
namespace {

TEST(Course, ALongRunHasAsManySamplesAsAShortOneAndLosesNothing) {
  base::StatisticsRegistry statistics;
  base::Counter instructions;
  statistics.add("gpu.sm0", "warp_instructions", "instructions", "", instructions);
  base::Cycle now = 0;
  KernelLog kernels(statistics, [&] { return now; });
  constexpr std::size_t most = 8;
  Course course(statistics, kernels, {"warp_instructions"}, most);
  LaunchListener& gpu = kernels.listener(0);
  const auto launch = a_launch(3, "work");

  constexpr base::Cycle end = 10'000, began = 2'000, ended = 3'000;
  base::Cycle next = 0;
  for (; now <= end; ++now) {
    if (now == began) gpu.launch_began(*launch);
    if (now == ended) gpu.launch_ended(*launch);
    if (now == next) next = course.tick(now);
    if (now >= began && now < ended) instructions.add(2);
  }
  course.finish(end);

  const std::vector<Course::Sample>& samples = course.samples();
  EXPECT_GE(samples.size(), most);
  EXPECT_LE(samples.size(), 2 * most);
  double counted = 0;
  base::Cycle at = 0;
  for (const Course::Sample& sample : samples) {
    EXPECT_EQ(sample.from, at) << "no gap";
    at = sample.to;
    counted += sample.values[0] * static_cast<double>(sample.to - sample.from);
    const bool overlaps = sample.to > began && sample.from < ended;
    EXPECT_EQ(sample.kernels.empty(), !overlaps) << "from " << sample.from << " to " << sample.to;
  }
  EXPECT_EQ(at, end);
  EXPECT_NEAR(counted, 2.0 * (ended - began), 1e-6);
}

}  // namespace
}  // namespace syncline::platform
