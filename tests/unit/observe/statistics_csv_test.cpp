#include "platform/observe/statistics_csv.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "a_launch.h"

namespace syncline::platform {
namespace {

TEST(StatisticsCsv, ARowForEachStatisticOfTheRunAndOfEachKernel) {
  base::StatisticsRegistry statistics;
  base::Counter hits;
  base::Distribution latency;
  statistics.add("gpu.sm12_l1", "hits", "accesses", "", hits);
  statistics.add("gpu.sm12_l1", "latency", "cycles", "", latency);
  statistics.add_gauge("gpu.up", "energy", "nJ, all", "", [] { return 1.5; });
  base::Cycle now = 0;
  KernelLog log(statistics, [&] { return now; });
  LaunchListener& gpu = log.listener(0);
  const auto launch = a_launch(6, "work");
  hits.add(2);
  gpu.launch_began(*launch);
  hits.add(3);
  latency.sample(4);
  latency.sample(8);
  gpu.launch_ended(*launch);

  std::ostringstream out;
  write_statistics_csv(out, statistics, {{"platform", "tiny"}}, log.kernels());
  EXPECT_EQ(out.str(),
            "# {\"platform\":\"tiny\"}\n"
            "kernel,kernel_name,block,index,statistic,unit,value,count,min,max\n"
            ",,gpu.sm_l1,12,hits,accesses,5,,,\n"
            ",,gpu.sm_l1,12,latency,cycles,12,2,4,8\n"
            ",,gpu.up,,energy,\"nJ, all\",1.5,,,\n"
            "7,work,gpu.sm_l1,12,hits,accesses,3,,,\n"
            "7,work,gpu.sm_l1,12,latency,cycles,12,2,,\n");
}

TEST(StatisticsCsv, TheNumberOfABlockIsThatOfItsLastPart) {
  const auto split = [](const std::string& block) {
    const BlockName name = split_block_name(block);
    return name.kind + " " + name.index;
  };
  EXPECT_EQ(split("gpu.sm3"), "gpu.sm 3");
  EXPECT_EQ(split("gpu1.part2_l2"), "gpu1.part_l2 2");
  EXPECT_EQ(split("gpu1.up"), "gpu1.up ");
  EXPECT_EQ(split("l2slice"), "l2slice ");
}

}  // namespace
}  // namespace syncline::platform
