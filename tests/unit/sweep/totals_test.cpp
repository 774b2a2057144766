#include "sc_main/sweep/totals.h"

#include <gtest/gtest.h>

namespace syncline::sweep {
namespace {

const char* const text = R"({"schema": 1, "statistics": [
{"name":"gpu.ctas","value":128,"unit":"CTAs","description":"CTAs placed"},
{"name":"gpu.grid_cycles","count":16,"sum":84849,"min":1478,"max":11660,"mean":5303.5,"histogram":[[2047,7],[4095,1]],"unit":"cycles"},
{"name":"gpu.share","value":null},
{"name":"gpu.energy","value":1.5e3}
],
"provenance": {"name": "x", "value": 7},
"kernels": [{"name":"k","value":3}]})";

TEST(Totals, AreThoseOfTheWholeRun) {
  const std::vector<Total> totals = read_totals(text);
  ASSERT_EQ(totals.size(), 4U);
  EXPECT_EQ(totals[0].name, "gpu.ctas");
  EXPECT_EQ(totals[0].value, 128);
  EXPECT_FALSE(totals[0].count.has_value());
  EXPECT_EQ(totals[1].name, "gpu.grid_cycles");
  EXPECT_EQ(totals[1].value, 84849);
  EXPECT_EQ(totals[1].count, 16);
  EXPECT_EQ(totals[1].max, 11660);
  EXPECT_EQ(totals[2].value, 0);
  EXPECT_EQ(totals[3].value, 1500);
}

TEST(Totals, AreNoneWhereTheFileIsCutOrAnother) {
  const std::string whole = text;
  EXPECT_TRUE(read_totals("").empty());
  EXPECT_TRUE(read_totals("[1, 2]").empty());
  EXPECT_TRUE(read_totals(R"({"statistics": 3})").empty());
  EXPECT_TRUE(read_totals(whole.substr(0, whole.find("gpu.energy"))).empty());
  EXPECT_EQ(read_totals(whole.substr(0, whole.find("kernels"))).size(), 4U) << "nobody reads on";
}

}  // namespace
}  // namespace syncline::sweep
