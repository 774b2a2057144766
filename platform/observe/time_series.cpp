#include "platform/observe/time_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace syncline::platform {

StatisticColumns::StatisticColumns(const base::StatisticsRegistry& statistics, const std::vector<std::string>& names) {
  for (const base::Statistic* statistic : statistics.sorted()) {
    if (statistic->distribution != nullptr) continue;
    if (std::find(names.begin(), names.end(), statistic->name) != names.end()) statistics_.push_back(statistic);
  }
  before_.resize(statistics_.size());
}

std::vector<double> StatisticColumns::read(base::Cycle elapsed) {
  std::vector<double> values;
  for (std::size_t i = 0; i < statistics_.size(); ++i) {
    if (statistics_[i]->counter == nullptr) {
      values.push_back(statistics_[i]->gauge());
      continue;
    }
    const std::uint64_t now = statistics_[i]->counter->value();
    values.push_back(static_cast<double>(now - before_[i]) / static_cast<double>(elapsed));
    before_[i] = now;
  }
  return values;
}

TimeSeries::TimeSeries(std::ostream& out, const base::StatisticsRegistry& statistics, const KernelLog& kernels,
                       const std::vector<std::string>& names, base::Cycle period, Rows rows)
    : out_(out), kernels_(kernels), period_(period), rows_(rows), columns_(statistics, names) {
  out_ << "cycle,kernel";
  for (const base::Statistic* const one : columns_.statistics())
    out_ << "," << one->full_name() << (one->counter != nullptr ? "/cycle" : "");
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
  const std::vector<std::uint32_t> kernels = kernels_.under_way_since(last_);
  fmt::memory_buffer row;
  fmt::format_to(std::back_inserter(row), "{},{}", now, fmt::join(kernels, " "));
  for (const double value : columns_.read(now - last_)) fmt::format_to(std::back_inserter(row), ",{:.6g}", value);
  if (rows_ == Rows::all || !kernels.empty()) out_ << fmt::to_string(row) << "\n";
  last_ = now;
}

}  // namespace syncline::platform
