// Measurements against predictions and the ledger, as rows and as text.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "platform/spec/platform_spec.h"
#include "platform/validation/ledger.h"

namespace syncline::platform {

/// One point of a curve, as a microbenchmark measured it.
struct MeasuredPoint {
  std::string curve;
  std::uint64_t at = 0;
  std::string at_unit;
  double measured = 0;
  std::string unit;
};

struct ValidatedPoint {
  MeasuredPoint point;
  double predicted = 0;
  double deviation = 0;             ///< per cent of the prediction
  std::optional<double> committed;  ///< per cent; none: the ledger does not know the point
  bool accepted = false;
};

struct ValidatedShape {
  const CurveShape* shape = nullptr;  ///< of the ledger
  double measured = 0, predicted = 0;
  bool accepted = false;
};

struct ValidationReport {
  std::string platform;
  const Ledger* ledger = nullptr;
  std::vector<ValidatedPoint> points;
  std::vector<ValidatedShape> shapes;
  std::vector<std::string> not_measured;  ///< points of the ledger that nothing measured
  bool accepted() const;
};

/// `whole`: all microbenchmarks ran, so that every point and shape of the ledger must have been measured. The ledger
/// must outlive the report.
ValidationReport validate(const PlatformSpec& spec, const std::vector<MeasuredPoint>& points, const Ledger& ledger,
                          bool whole);

void print_text(std::ostream& out, const ValidationReport& report);
void print_markdown(std::ostream& out, const ValidationReport& report);
/// The curves that were measured: what predicts them, why they deviate, and what hardware does.
void print_curves(std::ostream& out, const ValidationReport& report);
/// The deviations as they are, in the form in which the ledger commits them.
void print_deviations(std::ostream& out, const ValidationReport& report);

}  // namespace syncline::platform
