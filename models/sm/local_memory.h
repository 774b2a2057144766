// Where a thread's local memory lies: word n of all lanes of a warp side by side, so that lanes that use the same
// variable share lines (CUDA C Programming Guide, "Local Memory": consecutive 32-bit words belong to consecutive
// threads), and beside them that of the SM's other warps. Warps that use the same variable at the same time spread over
// the sets of the L1 and over the memory partitions; were each warp's memory in one piece, a power of two long, they
// would all meet in one. GPGPU-Sim maps the threads of all SMs so.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace syncline::models {

/// The part of device memory that backs the local memory of one SM's warps, given by the platform.
struct LocalRegion {
  std::uint64_t base = 0;              ///< device address, aligned to a line
  std::uint64_t bytes_per_thread = 0;  ///< multiple of 4; the region has warps * warp size * this many bytes
  unsigned warps = 0;                  ///< places
  static constexpr std::uint64_t size(unsigned warps, unsigned warp_size, std::uint64_t bytes_per_thread) {
    return std::uint64_t{warps} * warp_size * bytes_per_thread;
  }
};

class LocalMap {
 public:
  LocalMap(const LocalRegion& region, unsigned warp_size) : region_(region), warp_size_(warp_size) {}
  std::uint64_t bytes_per_thread() const { return region_.bytes_per_thread; }
  /// Device address of byte `offset` of the local memory of `lane` of the warp at `place` (WarpPlaces).
  std::uint64_t physical(unsigned place, unsigned lane, std::uint64_t offset) const {
    const std::uint64_t words = offset / word * region_.warps + place;  // of a whole warp each
    return region_.base + (words * warp_size_ + lane) * word + offset % word;
  }
  /// From a word to the next one of the same thread, for each byte of a word.
  unsigned shift_per_byte() const { return region_.warps * warp_size_; }

 private:
  static constexpr std::uint64_t word = 4;
  LocalRegion region_;
  unsigned warp_size_;
};

}  // namespace syncline::models
