#include "platform/observe/time_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace syncline::platform {

TimeSeries::TimeSeries(std::ostream& out, const base::StatisticsRegistry& statistics, const KernelLog& kernels,
                       const std::vector<std::string>& names, base::Cycle period, Rows rows)
    : out_(out), kernels_(kernels), period_(period), rows_(rows) {
  for (const base::Statistic* statistic : statistics.sorted()) {
    if (statistic->distribution != nullptr) continue;
    if (std::find(names.begin(), names.end(), statistic->name) != names.end()) columns_.push_back({statistic, 0});
  }
  out_ << "cycle,kernel";
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
  const std::vector<std::uint32_t> kernels = kernels_.under_way_since(last_);
  fmt::memory_buffer row;
  fmt::format_to(std::back_inserter(row), "{},{}", now, fmt::join(kernels, " "));
  for (Column& column : columns_) {
    if (column.statistic->counter != nullptr) {
      const std::uint64_t value = column.statistic->counter->value();
      fmt::format_to(std::back_inserter(row), ",{:.6g}", static_cast<double>(value - column.before) / elapsed);
      column.before = value;
    } else {
      fmt::format_to(std::back_inserter(row), ",{:.6g}", column.statistic->gauge());
    }
  }
  if (rows_ == Rows::all || !kernels.empty()) out_ << fmt::to_string(row) << "\n";
  last_ = now;
}

}  // namespace syncline::platform
