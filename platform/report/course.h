// The course of a run: statistics over time, in as many samples as a picture can show.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/clock/scheduler.h"
#include "platform/observe/kernel_log.h"
#include "platform/observe/time_series.h"

namespace syncline::platform {

/// What a time series writes, kept in memory: when the samples become more than twice `most`, neighbours become one,
/// and from then on each is twice as long. So a run of any length has between `most` and 2 * `most` samples once it has
/// so many cycles.
class Course : public models::Ticked {
 public:
  struct Sample {
    base::Cycle from, to;  ///< core cycles
    std::vector<std::uint32_t> kernels;
    std::vector<double> values;  ///< by column
  };
  Course(const base::StatisticsRegistry& statistics, const KernelLog& kernels, const std::vector<std::string>& names,
         std::size_t most);
  base::Cycle tick(base::Cycle now) override;
  /// The rest of the run.
  void finish(base::Cycle now);

  const StatisticColumns& columns() const { return columns_; }
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  void sample(base::Cycle now);
  void halve();

  StatisticColumns columns_;
  const KernelLog& kernels_;
  std::size_t most_;
  base::Cycle period_, last_ = 0;
  std::vector<Sample> samples_;
};

}  // namespace syncline::platform
