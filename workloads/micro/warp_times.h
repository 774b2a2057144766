// Begin and end of every warp of a launch, as its kernel writes them: two cycles of %clock64 a warp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "workloads/common/program.h"

namespace syncline::workloads::micro {

class WarpTimes {
 public:
  WarpTimes(Program& program, std::uint32_t warps)
      : program_(program), warps_(warps), times_(program.allocate<std::uint64_t>(std::size_t{2} * warps)) {}

  DevicePointer pointer() const { return times_; }

  /// Cycles from the first warp's begin to the last one's end. The SMs' clocks count from one origin.
  double span() {
    const std::vector<std::uint64_t> times = program_.download<std::uint64_t>(times_, std::size_t{2} * warps_);
    std::uint64_t begin = times[0];
    std::uint64_t end = times[1];
    for (std::size_t warp = 0; warp < warps_; ++warp) {
      begin = std::min(begin, times[2 * warp]);
      end = std::max(end, times[2 * warp + 1]);
    }
    return static_cast<double>(end - begin);
  }

 private:
  Program& program_;
  std::uint32_t warps_;
  DevicePointer times_;
};

/// `amount` per cycle; 0 where no time passed (the functional device).
inline double per_cycle(double amount, double cycles) {
  return cycles > 0 ? amount / cycles : 0;
}

/// Keeps the first failure.
inline void require(Verdict& sum, const Verdict& part) {
  if (sum.verified && !part.verified) sum = part;
}

}  // namespace syncline::workloads::micro
