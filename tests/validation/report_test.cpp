#include "platform/validation/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/error.h"

namespace syncline::platform {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* ledger_text = R"(
tolerance: 1
curves: {latency.shared: {reason: "the ends", hardware: "38 cycles"}, chain_add_s32: {reason: "none"}}
shapes: [{curve: latency.shared, from: 1, to: 2, at_least: 1.5, at_most: 2.5, reason: "steep", platforms: [here]}]
deviations: {here: {latency.shared: {1: 10, 2: 120}, chain_add_s32: {1: 0}}}
)";

class Report : public testing::Test {
 protected:
  Report() : ledger(parse_ledger(ledger_text, "ledger")) {
    spec.name = "here";
    spec.sm.shared.latency = 20;
    spec.sm.units.integer.latency = 10;
  }
  ValidationReport report(bool whole = true) const {
    return validate(spec,
                    {{"latency.shared", 1, "B", shared[0], "cycle"},
                     {"chain_add_s32", 1, "warp", 10, "cycle"},
                     {"latency.shared", 2, "B", shared[1], "cycle"}},
                    ledger, whole);
  }
  std::string text(void (*print)(std::ostream&, const ValidationReport&)) const {
    std::ostringstream out;
    print(out, report());
    return out.str();
  }
  PlatformSpec spec;
  Ledger ledger;
  double shared[2] = {22, 44};
};

TEST_F(Report, AcceptsWhatIsCommitted) {
  const ValidationReport made = report();
  EXPECT_TRUE(made.accepted());
  ASSERT_EQ(made.points.size(), 3U);
  EXPECT_EQ(made.points[1].point.curve, "latency.shared") << "curves stay together";
  EXPECT_NEAR(made.points[0].deviation, 10, 1e-9);
  ASSERT_EQ(made.shapes.size(), 1U);
  EXPECT_EQ(made.shapes[0].measured, 2);
  EXPECT_EQ(made.shapes[0].predicted, 1);
}

TEST_F(Report, RefusesDeviationsThatGrowOrVanish) {
  shared[0] = 22.3;  // 11.5 %
  EXPECT_FALSE(report().accepted());
  shared[0] = 20;  // exactly as predicted, which is not what was committed
  EXPECT_FALSE(report().accepted());
  shared[0] = 22.1;
  EXPECT_TRUE(report().accepted());
}

TEST_F(Report, LetsACurveVaryMore) {
  shared[0] = 22.3;
  ledger.curves["latency.shared"].tolerance = 2;
  EXPECT_TRUE(report().accepted());
  shared[0] = 22.6;
  EXPECT_FALSE(report().accepted());
}

TEST_F(Report, RefusesCurvesOfAnotherShape) {
  for (CurveShape& shape : ledger.shapes) shape.at_least = 2.1;
  EXPECT_FALSE(report().accepted());
  for (CurveShape& shape : ledger.shapes) shape.at_least = 1, shape.at_most = 1.9;
  EXPECT_FALSE(report().accepted());
  for (CurveShape& shape : ledger.shapes) shape.platforms = {"elsewhere"};
  EXPECT_TRUE(report().accepted());
}

TEST_F(Report, WantsEveryPointOfTheLedgerMeasured) {
  ledger.deviations["here"][{"latency.shared", 3}] = 0;
  ledger.shapes[0].to = 4;
  EXPECT_THAT(report().not_measured, ElementsAre("latency.shared from 1 to 4", "latency.shared at 3"));
  EXPECT_FALSE(report().accepted());
  EXPECT_TRUE(report(false).accepted());
}

TEST_F(Report, WantsAPredictionForEveryMeasurement) {
  EXPECT_THROW(validate(spec, {{"latency.tape", 1, "B", 1, "cycle"}}, ledger, false), base::ModelError);
}

TEST_F(Report, Prints) {
  EXPECT_THAT(text(print_text), HasSubstr("here: 3 points, 1 shapes, all as committed"));
  EXPECT_THAT(text(print_markdown), HasSubstr("| `latency.shared` | 1 B | 20 | 22 cycle | +10.0 | +10.0 |"));
  EXPECT_THAT(text(print_markdown),
              HasSubstr("| `latency.shared` | 1 | 2 | 2.00 | 1.00 | at least 1.5, at most 2.5 | steep |"));
  EXPECT_THAT(text(print_curves), HasSubstr("| `latency.shared` | shared.latency | the ends | 38 cycles |"));
  EXPECT_EQ(text(print_deviations), "  here:\n    latency.shared: {1: 10.0, 2: 120.0}\n    chain_add_s32: {1: 0.0}\n");
}

}  // namespace
}  // namespace syncline::platform
