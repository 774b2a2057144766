#include "platform/observe/time_series.h"

#include <fmt/format.h>

#include <algorithm>

namespace syncline::platform {

TimeSeries::TimeSeries(std::ostream& out, const base::StatisticsRegistry& statistics,
                       const std::vector<std::string>& names, base::Cycle period)
    : out_(out), period_(period) {
  for (const base::Statistic* statistic : statistics.sorted()) {
    if (statistic->distribution != nullptr) continue;
    if (std::find(names.begin(), names.end(), statistic->name) != names.end()) columns_.push_back({statistic, 0});
  }
  out_ << "cycle";
  for (const Column& column : columns_) {
    out_ << "," << column.statistic->full_name();
    if (column.statistic->counter != nullptr) out_ << "/cycle";
  }
  out_ << "\n";
}

base::Cycle TimeSeries::tick(base::Cycle now) {
  if (now != 0) write_row(now);
  return now + period_;
}

void TimeSeries::finish(base::Cycle now) {
  if (now > last_) write_row(now);
}

void TimeSeries::write_row(base::Cycle now) {
  const double elapsed = static_cast<double>(now - last_);
  out_ << now;
  for (Column& column : columns_) {
    if (column.statistic->counter != nullptr) {
      const std::uint64_t value = column.statistic->counter->value();
      out_ << fmt::format(",{:.6g}", static_cast<double>(value - column.before) / elapsed);
      column.before = value;
    } else {
      out_ << fmt::format(",{:.6g}", column.statistic->gauge());
    }
  }
  out_ << "\n";
  last_ = now;
}

}  // namespace syncline::platform
