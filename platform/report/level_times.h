// Where the time of memory accesses goes, by how far they went, for the report.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "platform/observe/access_times.h"

namespace syncline::platform {

/// Adds up what AccessTimes tells, for each GPU of a system.
class LevelTimes {
 public:
  struct Sum {
    std::uint64_t accesses = 0, latency_ps = 0;
    std::array<std::uint64_t, waits> by_wait_ps{};
  };
  using Levels = std::array<Sum, levels>;

  void hear(const AccessTime& time);
  /// By number of the GPU, those that had an access.
  const std::map<unsigned, Levels>& gpus() const { return gpus_; }

 private:
  std::map<unsigned, Levels> gpus_;
};

}  // namespace syncline::platform
