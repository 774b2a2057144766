#include "platform/validation/report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "platform/validation/predictions.h"

namespace syncline::platform {
namespace {

const ValidatedPoint* find_point(const ValidationReport& report, const std::string& curve, std::uint64_t at) {
  const auto found = std::find_if(report.points.begin(), report.points.end(), [&](const ValidatedPoint& row) {
    return row.point.curve == curve && row.point.at == at;
  });
  return found == report.points.end() ? nullptr : &*found;
}

bool concerns(const CurveShape& shape, const std::string& platform) {
  return shape.platforms.empty() ||
         std::find(shape.platforms.begin(), shape.platforms.end(), platform) != shape.platforms.end();
}

ValidatedPoint validated(const PlatformSpec& spec, const MeasuredPoint& point, const Ledger& ledger) {
  ValidatedPoint row;
  row.point = point;
  row.predicted = find_prediction(point.curve).value(spec, point.at);
  row.deviation = 100 * (point.measured / row.predicted - 1);
  if (const auto platform = ledger.deviations.find(spec.name); platform != ledger.deviations.end()) {
    if (const auto at = platform->second.find({point.curve, point.at}); at != platform->second.end())
      row.committed = at->second;
  }
  const auto remark = ledger.curves.find(point.curve);
  const double tolerance =
      remark == ledger.curves.end() ? ledger.tolerance : remark->second.tolerance.value_or(ledger.tolerance);
  row.accepted = row.committed && std::abs(row.deviation - *row.committed) <= tolerance;
  return row;
}

std::string name_of(const CurveShape& shape) {
  return shape.against == shape.curve ? shape.curve : shape.curve + " / " + shape.against;
}

void add_shape(ValidationReport& report, const CurveShape& shape, bool whole) {
  const ValidatedPoint* const from = find_point(report, shape.against, shape.from);
  const ValidatedPoint* const to = find_point(report, shape.curve, shape.to);
  if (from == nullptr || to == nullptr) {
    if (whole) report.not_measured.push_back(fmt::format("{} from {} to {}", name_of(shape), shape.from, shape.to));
    return;
  }
  ValidatedShape row{&shape, to->point.measured / from->point.measured, to->predicted / from->predicted, false};
  row.accepted = row.measured >= shape.at_least && (!shape.at_most || row.measured <= *shape.at_most);
  report.shapes.push_back(row);
}

CurveRemark remark_of(const ValidationReport& report, const std::string& curve) {
  const auto remark = report.ledger->curves.find(curve);
  return remark == report.ledger->curves.end() ? CurveRemark{} : remark->second;
}

std::string committed(const ValidatedPoint& row) {
  return row.committed ? fmt::format("{:+.1f}", *row.committed) : "none";
}

std::string bound(const CurveShape& shape) {
  std::string text;
  if (shape.at_least != 0) text = fmt::format("at least {:g}", shape.at_least);
  if (shape.at_most) text += fmt::format("{}at most {:g}", text.empty() ? "" : ", ", *shape.at_most);
  return text;
}

}  // namespace

bool ValidationReport::accepted() const {
  const auto good = [](const auto& row) { return row.accepted; };
  return not_measured.empty() && std::all_of(points.begin(), points.end(), good) &&
         std::all_of(shapes.begin(), shapes.end(), good);
}

ValidationReport validate(const PlatformSpec& spec, const std::vector<MeasuredPoint>& points, const Ledger& ledger,
                          bool whole) {
  ValidationReport report;
  report.platform = spec.name;
  report.ledger = &ledger;
  std::vector<std::string> curves;  // in the order in which they were first met
  for (const MeasuredPoint& point : points) {
    if (std::find(curves.begin(), curves.end(), point.curve) == curves.end()) curves.push_back(point.curve);
  }
  for (const std::string& curve : curves) {
    for (const MeasuredPoint& point : points) {
      if (point.curve == curve) report.points.push_back(validated(spec, point, ledger));
    }
  }
  for (const CurveShape& shape : ledger.shapes) {
    if (concerns(shape, spec.name)) add_shape(report, shape, whole);
  }
  if (const auto platform = ledger.deviations.find(spec.name); whole && platform != ledger.deviations.end()) {
    for (const auto& [point, deviation] : platform->second) {
      if (find_point(report, point.first, point.second) == nullptr)
        report.not_measured.push_back(fmt::format("{} at {}", point.first, point.second));
    }
  }
  return report;
}

void print_text(std::ostream& out, const ValidationReport& report) {
  fmt::print(out, "{:<24} {:>14} {:>10} {:>10} {:>7} {:>9}\n", "curve", "at", "predicted", "measured", "%",
             "committed");
  std::string last;
  for (const ValidatedPoint& row : report.points) {
    if (row.point.curve != last) {
      last = row.point.curve;
      fmt::print(out, "# {} [{}]: {}\n", last, row.point.unit, find_prediction(last).derivation);
      if (const CurveRemark remark = remark_of(report, last); !remark.reason.empty())
        fmt::print(out, "#   deviates: {}\n", remark.reason);
    }
    fmt::print(out, "{:<24} {:>14} {:>10.4g} {:>10.4g} {:>+7.1f} {:>9}{}\n", row.point.curve,
               fmt::format("{} {}", row.point.at, row.point.at_unit), row.predicted, row.point.measured, row.deviation,
               committed(row), row.accepted ? "" : "  OUTSIDE");
  }
  for (const ValidatedShape& row : report.shapes)
    fmt::print(out, "shape {} from {} to {}: ratio {:.2f}, predicted {:.2f}, {}{}\n", name_of(*row.shape),
               row.shape->from, row.shape->to, row.measured, row.predicted, bound(*row.shape),
               row.accepted ? "" : "  OUTSIDE");
  for (const std::string& point : report.not_measured)
    fmt::print(out, "the ledger knows {}, which was not measured\n", point);
  fmt::print(out, "{}: {} points, {} shapes, {}\n", report.platform, report.points.size(), report.shapes.size(),
             report.accepted() ? "all as committed" : "NOT as committed");
}

void print_markdown(std::ostream& out, const ValidationReport& report) {
  fmt::print(out, "| curve | at | predicted | measured | deviation % | committed % |\n|---|---|---|---|---|---|\n");
  for (const ValidatedPoint& row : report.points)
    fmt::print(out, "| `{}` | {} {} | {:.4g} | {:.4g} {} | {:+.1f} | {}{} |\n", row.point.curve, row.point.at,
               row.point.at_unit, row.predicted, row.point.measured, row.point.unit, row.deviation, committed(row),
               row.accepted ? "" : " **outside**");
  fmt::print(out, "\n| shape | from | to | ratio | predicted | bound | why |\n|---|---|---|---|---|---|---|\n");
  for (const ValidatedShape& row : report.shapes)
    fmt::print(out, "| `{}` | {} | {} | {:.2f} | {:.2f} | {}{} | {} |\n", name_of(*row.shape), row.shape->from,
               row.shape->to, row.measured, row.predicted, bound(*row.shape), row.accepted ? "" : " **outside**",
               row.shape->reason);
}

void print_curves(std::ostream& out, const ValidationReport& report) {
  fmt::print(out, "| curve | predicted from | why it deviates | hardware |\n|---|---|---|---|\n");
  std::string last;
  for (const ValidatedPoint& row : report.points) {
    if (row.point.curve == last) continue;
    last = row.point.curve;
    const CurveRemark remark = remark_of(report, last);
    fmt::print(out, "| `{}` | {} | {} | {} |\n", last, find_prediction(last).derivation, remark.reason,
               remark.hardware);
  }
}

void print_deviations(std::ostream& out, const ValidationReport& report) {
  fmt::print(out, "  {}:\n", report.platform);
  std::string last;
  for (const ValidatedPoint& row : report.points) {
    const bool first = row.point.curve != last;
    if (first) fmt::print(out, "{}    {}: {{", last.empty() ? "" : "}\n", row.point.curve);
    last = row.point.curve;
    fmt::print(out, "{}{}: {:.1f}", first ? "" : ", ", row.point.at, row.deviation);
  }
  fmt::print(out, "{}", last.empty() ? "" : "}\n");
}

}  // namespace syncline::platform
