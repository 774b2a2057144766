// Time series: how statistics develop over a run, as CSV.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "base/stats.h"
#include "models/clock/scheduler.h"
#include "platform/observe/kernel_log.h"

namespace syncline::platform {

/// Statistics that are watched: counters and gauges.
class StatisticColumns {
 public:
  /// Those whose name (within the block) is one of `names`, in the order of their full names.
  StatisticColumns(const base::StatisticsRegistry& statistics, const std::vector<std::string>& names);
  const std::vector<const base::Statistic*>& statistics() const { return statistics_; }
  /// Of each what a counter has gained since the last reading, a cycle of the `elapsed` ones, or the present value of a
  /// gauge.
  std::vector<double> read(base::Cycle elapsed);

 private:
  std::vector<const base::Statistic*> statistics_;
  std::vector<std::uint64_t> before_;  ///< of counters
};

/// Every `period` cycles of the SM clock one line: the cycle, the launches that have been under way since the line
/// before (their numbers, with spaces between), then for each watched statistic the increment of a counter over the
/// period divided by the period (so `warp_instructions` of an SM reads as IPC), or the present value of a gauge.
class TimeSeries : public models::Ticked {
 public:
  /// When lines are written.
  enum class Rows : std::uint8_t {
    all,
    kernels  ///< not where no kernel has been under way
  };
  /// Watches StatisticColumns(statistics, names).
  TimeSeries(std::ostream& out, const base::StatisticsRegistry& statistics, const KernelLog& kernels,
             const std::vector<std::string>& names, base::Cycle period, Rows rows = Rows::all);
  base::Cycle tick(base::Cycle now) override;
  /// Writes the rest of a period that has not ended, if there is one.
  void finish(base::Cycle now);
  /// How many columns are watched beside the cycle and the launches.
  std::size_t columns() const { return columns_.statistics().size(); }

 private:
  void write_row(base::Cycle now);
  std::ostream& out_;
  const KernelLog& kernels_;
  base::Cycle period_;
  Rows rows_;
  base::Cycle last_ = 0;
  StatisticColumns columns_;
};

}  // namespace syncline::platform
