#include "platform/validation/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace syncline::platform {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void expect_error(const std::string& text, const std::string& message) {
  try {
    parse_ledger(text, "l.yaml");
    FAIL() << "accepted: " << text;
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
    EXPECT_THAT(error.what(), HasSubstr("l.yaml:"));
  }
}

TEST(Ledger, HoldsWhatIsWritten) {
  const Ledger ledger = parse_ledger(R"(
tolerance: 0.5
deviations:
  tiny:
    latency.ca: {4096: -2.5, 8192: 1}
curves:
  latency.ca: {reason: "why", hardware: "what", tolerance: 3}
shapes:
  - {curve: latency.ca, from: 1, to: 2, at_least: 1.5, reason: "steep", platforms: [tiny]}
  - {curve: latency.ca, against: latency.cg, from: 1, to: 2, at_most: 3, reason: "near"}
)",
                                     "l.yaml");
  EXPECT_EQ(ledger.tolerance, 0.5);
  EXPECT_EQ(ledger.curves.at("latency.ca").reason, "why");
  EXPECT_EQ(ledger.curves.at("latency.ca").hardware, "what");
  EXPECT_EQ(ledger.curves.at("latency.ca").tolerance, 3);
  EXPECT_EQ(ledger.deviations.at("tiny").at({"latency.ca", 4096}), -2.5);
  EXPECT_EQ(ledger.deviations.at("tiny").at({"latency.ca", 8192}), 1);
  ASSERT_EQ(ledger.shapes.size(), 2U);
  EXPECT_EQ(ledger.shapes[0].against, "latency.ca");
  EXPECT_EQ(ledger.shapes[0].at_least, 1.5);
  EXPECT_FALSE(ledger.shapes[0].at_most.has_value());
  EXPECT_THAT(ledger.shapes[0].platforms, ElementsAre("tiny"));
  EXPECT_EQ(ledger.shapes[1].against, "latency.cg");
  EXPECT_EQ(ledger.shapes[1].at_most, 3);
}

TEST(Ledger, TellsMistakes) {
  expect_error("- 1\n", "a ledger must be a mapping, found a list");
  expect_error("tolerance: x\n", "`tolerance` must be a number, found `x`");
  expect_error("tolerances: 1\n", "unknown key `tolerances`; did you mean `tolerance`?");
  expect_error("curves: {latency.cb: {reason: r}}\n", "unknown curve `latency.cb`; did you mean `latency.ca`?");
  expect_error("curves: {latency.ca: {because: r}}\n",
               "unknown key `because`; expected one of: reason, hardware, tolerance");
  expect_error("curves: {latency.ca: {hardware: h}}\n", "a curve needs a `reason`");
  expect_error("deviations: {tiny: {latency.ca: {1: 2}}}\n", "`latency.ca` has no reason under `curves`");
  expect_error("curves: {latency.ca: {reason: r}}\ndeviations: {tiny: {latency.ca: {a: 2}}}\n",
               "a point must be a number, found `a`");
  expect_error("curves: {latency.ca: {reason: r}}\ndeviations: {tiny: {latency.ca: {1: [2]}}}\n",
               "a deviation must be text, found a list");
  expect_error("shapes: {}\n", "`shapes` must be a list, found a mapping");
  expect_error("shapes: [{curve: latency.ca, from: 1, to: 2, reason: r}]\n", "one of `at_least`, `at_most`");
  expect_error("shapes: [{curve: latency.ca, from: 1, to: 2, steep: 1}]\n", "unknown key `steep`");
  expect_error("shapes: [{curve: latency.ca, from: -1}]\n", "`from` must be a number, found `-1`");
  expect_error("shapes: [{platforms: tiny}]\n", "`platforms` must be a list, found `tiny`");
}

}  // namespace
}  // namespace syncline::platform
