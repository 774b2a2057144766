#include "sc_main/cli/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/nearest.h"

namespace syncline::cli {
namespace {

int width_of(const std::vector<std::string>& labels, std::size_t least) {
  for (const std::string& label : labels) least = std::max(least, label.size());
  return static_cast<int>(least);
}

std::string text_of(double value) {
  if (value == 0) return "-";
  return std::fabs(value) >= 10000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3f}", value);
}

}  // namespace

void Comparison::check(const std::vector<std::string>& shown, const std::string& what) const {
  if (std::find(columns.begin(), columns.end(), baseline) == columns.end())
    throw base::UserError("the baseline `" + baseline + "` is not among the " + what +
                          base::suggestion(baseline, columns));
  std::vector<std::string> known;
  for (const sweep::Measure& one : sweep::measures()) known.emplace_back(one.name);
  for (const std::string& name : shown) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw base::UserError("unknown measure `" + name + "`" + base::suggestion(name, known));
  }
}

double Comparison::value(const sweep::Measure& measure, const std::string& row, const std::string& column) const {
  const auto& of_row = cells.at(row);
  const auto cell = of_row.find(column), base = of_row.find(baseline);
  if (cell == of_row.end()) return 0;
  const std::string name = measure.value_name();
  double above = cell->second.at(name);
  if (!measure.relative()) return above;
  if (base == of_row.end()) return 0;
  double below = base->second.at(name);
  if (measure.shown == sweep::Measure::Shown::baseline_over_this) std::swap(above, below);
  return below == 0 ? 0.0 : above / below;
}

void Comparison::print(const sweep::Measure& measure) const {
  fmt::print("\n{} ({}{}): {}\n", measure.name, measure.unit, measure.relative() ? ", " + baseline + " = 1" : "",
             measure.meaning);
  const int width = width_of(columns, 11), label_width = width_of(rows, 20);
  fmt::print("{:{}}", "", label_width);
  for (const std::string& column : columns) fmt::print(" {:>{}}", column, width);
  fmt::print("\n");
  std::map<std::string, std::vector<double>> logs;
  for (const std::string& row : rows) {
    fmt::print("{:{}}", row, label_width);
    for (const std::string& column : columns) {
      const double shown = value(measure, row, column);
      fmt::print(" {:>{}}", text_of(shown), width);
      if (shown > 0) logs[column].push_back(std::log(shown));
    }
    fmt::print("\n");
  }
  if (!measure.relative()) return;
  fmt::print("{:{}}", "geometric mean", label_width);
  for (const std::string& column : columns) {
    double sum = 0;
    for (const double log : logs[column]) sum += log;
    const auto count = static_cast<double>(logs[column].size());
    fmt::print(" {:>{}}", count == 0 ? "-" : fmt::format("{:.3f}", std::exp(sum / count)), width);
  }
  fmt::print("\n");
}

void Comparison::print(const std::vector<std::string>& shown) const {
  for (const sweep::Measure& one : sweep::measures()) {
    if (std::find(shown.begin(), shown.end(), one.name) != shown.end()) print(one);
  }
}

void require_once(const char* option, const std::vector<std::string>& names) {
  std::set<std::string> known;
  for (const std::string& name : names) {
    if (!known.insert(name).second) throw base::UserError(fmt::format("{} has `{}` twice", option, name));
  }
}

}  // namespace syncline::cli
