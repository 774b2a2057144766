// The order of commits as a number of fixed width, smaller before greater: depth = warp - round * 2^m, where m bits
// number the warps of the GPU (GPUDet, section 4.4.2). Rounds are counted from the last restart, and the result is kept
// positive by the rounds that are left: the thesis's formula plus a constant.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "protocols/determinism/gpudet/quantum.h"

namespace syncline::protocols::gpudet {

class DepthScale {
 public:
  /// `bits`: of a depth, at most 32, at least one more than the `warps` of the GPU need.
  DepthScale(unsigned bits, unsigned warps) {
    while ((std::uint64_t{1} << warp_bits_) < warps) ++warp_bits_;
    if (bits > 32 || bits <= warp_bits_) throw base::ModelError("gpudet: a depth does not hold the number of a warp");
    rounds_ = std::uint64_t{1} << (bits - warp_bits_);
  }
  static unsigned least_bits(unsigned warps) {
    unsigned bits = 1;
    while ((std::uint64_t{1} << (bits - 1)) < warps) ++bits;
    return bits;
  }

  /// Rounds from one restart to the next.
  std::uint64_t rounds() const { return rounds_; }
  bool fits(std::uint64_t round) const { return round - first_ < rounds_; }
  /// All stored depths are cleared: `round` is the first of those that follow.
  void restart(std::uint64_t round) { first_ = round; }
  std::uint32_t depth(const Rank& rank) const {
    if (!fits(rank.round)) throw base::ModelError("gpudet: a round does not fit into a depth");
    return static_cast<std::uint32_t>((rounds_ - 1 - (rank.round - first_)) << warp_bits_ | rank.warp);
  }

 private:
  unsigned warp_bits_ = 0;
  std::uint64_t rounds_ = 0;
  std::uint64_t first_ = 1;
};

}  // namespace syncline::protocols::gpudet
