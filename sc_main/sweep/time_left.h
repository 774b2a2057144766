// How long the rest of a sweep takes, judging by the runs that have ended.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "sc_main/sweep/sweep_run.h"

namespace syncline::sweep {

/// Runs of the same program and size on the same platform are taken to be alike.
class TimeLeft {
 public:
  void waits(const SweepRun& run) { ++kinds_[kind(run)].waiting; }
  void ended(const SweepRun& run, double seconds) {
    Kind& one = kinds_[kind(run)];
    --one.waiting;
    ++one.ended;
    one.seconds += seconds;
    ++all_ended_;
    all_seconds_ += seconds;
  }
  /// Seconds, where `jobs` run at a time; 0 as long as none has ended.
  double left(unsigned jobs) const {
    double seconds = 0;
    for (const auto& [name, one] : kinds_) {
      const double each = one.ended != 0    ? one.seconds / static_cast<double>(one.ended)
                          : all_ended_ != 0 ? all_seconds_ / static_cast<double>(all_ended_)
                                            : 0;
      seconds += each * static_cast<double>(one.waiting);
    }
    return seconds / jobs;
  }

 private:
  struct Kind {
    std::size_t waiting = 0, ended = 0;
    double seconds = 0;
  };
  static std::string kind(const SweepRun& run) {
    return run.platform + '\n' + run.workload + '\n' + run.size.value_or("");
  }

  std::map<std::string, Kind> kinds_;
  std::size_t all_ended_ = 0;
  double all_seconds_ = 0;
};

}  // namespace syncline::sweep
