// The formulas on machines whose numbers can be followed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "platform/validation/predictions.h"

namespace syncline::platform {
namespace {

double predict(const PlatformSpec& spec, const char* curve, std::uint64_t at) {
  return find_prediction(curve).value(spec, at);
}

/// All clocks alike, DRAM without refresh.
PlatformSpec plain() {
  PlatformSpec spec;
  spec.clocks = {1'000'000'000, 1'000'000'000, 1'000'000'000};
  spec.dram.clock = 1'000'000'000;
  spec.dram.timing.refresh = false;
  return spec;
}

TEST(Predictions, HaveOneRowPerCurveAndSayWhereTheyComeFrom) {
  std::set<std::string_view> curves;
  for (const Prediction& prediction : predictions()) {
    EXPECT_TRUE(curves.insert(prediction.curve).second) << prediction.curve;
    EXPECT_FALSE(prediction.derivation.empty()) << prediction.curve;
    EXPECT_GT(prediction.value(plain(), 1), 0) << prediction.curve;
  }
}

TEST(Predictions, AreAnErrorWhereTheyLack) {
  EXPECT_THROW(
      {
        try {
          find_prediction("latency.tape");
        } catch (const base::ModelError& error) {
          EXPECT_THAT(error.what(), testing::HasSubstr("nothing predicts `latency.tape`"));
          throw;
        }
      },
      base::ModelError);
}

TEST(Predictions, AddUpTheWayOfALoad) {
  const PlatformSpec spec = plain();
  EXPECT_EQ(predict(spec, "latency.ca", 4096), 4 + 20 + 2);
  // A header is one flit, a header and a line are five, a header and a sector two.
  EXPECT_EQ(predict(spec, "latency.ca", spec.l1.size * 2), 4 + 5 + 100 + 9 + 20 + 2);
  EXPECT_EQ(predict(spec, "latency.cg", 4096), 4 + 5 + 100 + 6 + 1 + 2);
  // Two bursts of 64 bytes make a line.
  EXPECT_EQ(predict(spec, "latency.cold", 4096), 4 + 5 + 100 + 6 + 1 + 2 + 132 + 3);
}

TEST(Predictions, FollowTheClocks) {
  PlatformSpec spec = plain();
  const double before = predict(spec, "latency.cg", 4096);
  spec.clocks.l2 /= 2;
  EXPECT_EQ(predict(spec, "latency.cg", 4096), before + 100);
  spec.clocks.interconnect /= 2;
  EXPECT_EQ(predict(spec, "latency.cg", 4096), before + 100 + 11);
}

TEST(Predictions, CountTheWordsOfABank) {
  const PlatformSpec spec = plain();
  const double pass = 32.0 / spec.sm.units.ldst.lanes;
  for (const auto& [stride, passes] : {std::pair{0, 1}, {1, 1}, {2, 2}, {3, 1}, {8, 8}, {12, 4}, {32, 32}, {33, 1}})
    EXPECT_EQ(predict(spec, "cycles_per_load", static_cast<std::uint64_t>(stride)), pass * passes) << stride;
}

TEST(Predictions, ServeOneAddressAtTheRateOfOneUnit) {
  PlatformSpec spec = plain();
  const double once = predict(spec, "red_add.same_address", 32);
  EXPECT_NEAR(once, 1, 0.02);
  spec.l2.atomic_unit.same_address_rate = 2;
  EXPECT_NEAR(predict(spec, "red_add.same_address", 32), 2, 0.05);
}

TEST(Predictions, HaveAtomicsWaitForTheLatencyOfAUnitThatDoesNotForward) {
  PlatformSpec spec = plain();
  spec.l2.atomic_unit.same_address_rate = spec.l2.atomic_unit.line_rate = 32;
  spec.l2.atomic_unit.latency = 31;
  const double forwarded = predict(spec, "red_add.contention", 32);
  const double launched = predict(spec, "cycles_per_launch", 2) - predict(spec, "cycles_per_launch", 1);
  spec.l2.atomic_unit.forwarding = false;
  EXPECT_NEAR(predict(spec, "red_add.contention", 32), 1, 0.05);
  EXPECT_NEAR(predict(spec, "red_add.same_address", 32), 1, 0.05);
  EXPECT_GT(forwarded, 2);
  EXPECT_EQ(launched, static_cast<double>(spec.l2.bank_busy));
  EXPECT_EQ(predict(spec, "cycles_per_launch", 2) - predict(spec, "cycles_per_launch", 1), 32);
}

TEST(Predictions, PlaceCtasInWaves) {
  PlatformSpec spec = plain();
  spec.sms = 2;
  spec.sm.max_ctas = 4;
  const double one = predict(spec, "cycles_per_launch", 1);
  const double next = static_cast<double>(spec.l2.bank_busy);
  EXPECT_EQ(predict(spec, "cycles_per_launch", 8), one + 7 * next);
  EXPECT_EQ(predict(spec, "cycles_per_launch", 9), 2 * one - spec.work_distributor.launch_overhead);
}

}  // namespace
}  // namespace syncline::platform
