// The kernels of a run: when each began and ended, and what the statistics gained in between.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/dim3.h"
#include "base/stats.h"
#include "platform/timed/launch_listener.h"

namespace syncline::platform {

/// What a statistic has gained over a span: of a counter its increment; of a distribution the sum of the samples, their
/// number and how they spread; of a gauge the difference of its values.
struct StatisticGain {
  const base::Statistic* statistic = nullptr;
  double value = 0;
  std::uint64_t count = 0;                                              ///< of a distribution
  std::vector<std::pair<std::uint64_t, std::uint64_t>> histogram = {};  ///< (upper bound, samples), of a distribution
};

/// One launch.
struct KernelRecord {
  unsigned gpu = 0;
  std::uint32_t number = 0;  ///< base::kernel_number
  std::string name;
  base::Dim3 grid, block;
  base::Cycle began = 0, ended = 0;  ///< core cycles; `ended`: 0 while it is under way
  bool is_over = false;
  std::vector<StatisticGain> gains;  ///< what is not 0, in the order of full names

  base::Cycle cycles() const { return ended - began; }
};

/// Keeps a record of each launch. Kernels that run side by side both have what happens while they do: blocks do not
/// know whose work they do. What happens between kernels (copies, late write-backs) no kernel has. Ratios have no gain.
class KernelLog {
 public:
  /// `now`: the present core cycle.
  KernelLog(const base::StatisticsRegistry& statistics, std::function<base::Cycle()> now);
  ~KernelLog();

  /// Whom the device of GPU `gpu` is to tell (TimedDevice::watch_launches). As long as the log.
  LaunchListener& listener(unsigned gpu);

  /// In the order in which they began.
  const std::vector<KernelRecord>& kernels() const { return kernels_; }
  /// Which of them have been under way since cycle `since`, by number of their launch: ascending, each once.
  std::vector<std::uint32_t> under_way_since(base::Cycle since) const;

 private:
  class Ear;
  struct Snapshot {
    std::vector<double> values;
    std::vector<base::Distribution> distributions;
  };
  struct UnderWay {
    std::size_t record;
    Snapshot before;
  };
  void began(unsigned gpu, const models::GridLaunch& grid);
  void ended(unsigned gpu, const models::GridLaunch& grid);
  Snapshot take() const;
  std::vector<StatisticGain> gains(const Snapshot& before) const;

  std::vector<const base::Statistic*> statistics_;
  std::function<base::Cycle()> now_;
  std::vector<std::unique_ptr<Ear>> ears_;
  std::vector<KernelRecord> kernels_;
  std::map<std::pair<unsigned, std::uint32_t>, UnderWay> under_way_;  ///< by GPU and launch
  std::vector<std::size_t> over_;                                     ///< records, in the order of their ends
};

}  // namespace syncline::platform
