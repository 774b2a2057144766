#include "workloads/common/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace syncline::workloads {
namespace {

using testing::HasSubstr;

TEST(CompareExact, ReportsTheFirstDifferenceAndHowManyThereAre) {
  const Verdict verdict = compare_exact<int>("x", {1, 2, 3, 4}, {1, 5, 3, 6});
  EXPECT_FALSE(verdict.verified);
  EXPECT_EQ(verdict.detail, "x[1] is 2, expected 5 (2 of 4 elements differ)");
}

TEST(CompareExact, AcceptsEqualAndRefusesOtherLengths) {
  EXPECT_TRUE(compare_exact<int>("x", {1, 2}, {1, 2}).verified);
  const Verdict verdict = compare_exact<int>("x", {1, 2}, {1, 2, 3});
  EXPECT_FALSE(verdict.verified);
  EXPECT_EQ(verdict.detail, "x: 2 elements, expected 3");
}

TEST(CompareExact, RefusesNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(compare_exact<float>("x", {nan}, {1}).verified);
}

TEST(CompareClose, TakesTheToleranceAsAbsolutePlusRelative) {
  EXPECT_TRUE(compare_close<float>("x", {1.5F}, {1.0}, Tolerance{0.5, 0}).verified);
  EXPECT_TRUE(compare_close<float>("x", {1.5F}, {1.0}, Tolerance{0.25, 0.25}).verified);
  EXPECT_FALSE(compare_close<float>("x", {1.5F}, {1.0}, Tolerance{0.25, 0.125}).verified);
}

TEST(CompareClose, AsksForTheToleranceOfEachElement) {
  const auto tolerance_of = [](std::size_t i) { return Tolerance{static_cast<double>(i), 0}; };
  EXPECT_TRUE(compare_close<float>("x", {0, 1, 2}, {0, 0, 0}, tolerance_of).verified);
  const Verdict verdict = compare_close<float>("x", {0, 2, 2}, {0, 0, 0}, tolerance_of);
  EXPECT_THAT(verdict.detail, HasSubstr("x[1] is 2, expected 0 (1 of 3"));
}

TEST(CompareClose, RefusesNanAndInfinityOnEitherSide) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(compare_close<double>("x", {nan}, {0}, Tolerance{1, 1}).verified);
  EXPECT_FALSE(compare_close<double>("x", {0}, {nan}, Tolerance{1, 1}).verified);
  EXPECT_FALSE(compare_close<double>("x", {infinity}, {0}, Tolerance{1, 1}).verified);
  EXPECT_FALSE(compare_close<double>("x", {}, {0}, Tolerance{1, 1}).verified);
}

TEST(AllOf, TellsTheFirstFailureOrEverything) {
  const Verdict good = all_of({{true, "a"}, {true, "b"}});
  EXPECT_TRUE(good.verified);
  EXPECT_EQ(good.detail, "a; b");
  const Verdict bad = all_of({{true, "a"}, {false, "b"}, {false, "c"}});
  EXPECT_FALSE(bad.verified);
  EXPECT_EQ(bad.detail, "b");
}

}  // namespace
}  // namespace syncline::workloads
