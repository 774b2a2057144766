#include "platform/observe/statistics_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"

namespace syncline::platform {
namespace {

TEST(StatisticsJson, HoldsNameValueUnitAndDescriptionSortedByName) {
  base::StatisticsRegistry statistics;
  base::Counter hits;
  hits.add(7);
  base::Distribution latency;
  latency.sample(0);
  latency.sample(5);
  latency.sample(6, 2);
  statistics.add("gpu.sm0.l1", "latency", "cycles", "load to use", latency);
  statistics.add("gpu.sm0.l1", "hits", "accesses", "found", hits);
  statistics.add_gauge("gpu", "ipc", "instructions/cycle", "rate", [] { return 1.5; });

  std::ostringstream out;
  write_statistics(out, statistics, {{"platform", "tiny"}}, {});
  const auto json = nlohmann::json::parse(out.str());
  ASSERT_EQ(json["statistics"].size(), 3U);
  EXPECT_EQ(json["statistics"][0]["name"], "gpu.ipc");
  EXPECT_EQ(json["statistics"][0]["value"], 1.5);
  EXPECT_EQ(json["statistics"][1]["value"], 7);
  EXPECT_EQ(json["statistics"][1]["unit"], "accesses");
  EXPECT_EQ(json["statistics"][1]["description"], "found");
  const auto& distribution = json["statistics"][2];
  EXPECT_EQ(distribution["count"], 4);
  EXPECT_EQ(distribution["sum"], 17);
  EXPECT_EQ(distribution["max"], 6);
  EXPECT_EQ(distribution["histogram"], nlohmann::json::parse("[[0,1],[7,3]]"));
  EXPECT_EQ(json["provenance"]["platform"], "tiny");
  EXPECT_TRUE(json["kernels"].empty());
}

TEST(StatisticsRegistry, TwoOfOneNameAreAnError) {
  base::StatisticsRegistry statistics;
  base::Counter a, b;
  statistics.add("gpu", "cycles", "cycles", "", a);
  EXPECT_THROW(statistics.add("gpu", "cycles", "cycles", "", b), base::ModelError);
}

}  // namespace
}  // namespace syncline::platform
