// Kernels in which everything races that may: drawn from a seed.
#pragma once

#include <cstdint>
#include <string>

namespace syncline::tests {

/// What a random kernel is made of.
enum class Races : std::uint8_t {
  words,             ///< accesses of global memory, mostly of words
  words_and_shared,  ///< and of shared memory
  /// Of global memory accesses of all sizes, vectors, atomics and reductions, weak and strong, releases, acquires and
  /// fences, of all scopes. Lanes go each its own way, or one beside the other.
  all_accesses
};

/// Of `data`, what a kernel may touch.
constexpr unsigned data_bytes(Races races) {
  return races == Races::all_accesses ? 2048 : 256;
}

/// PTX of `.visible .entry k(.param .u64 data, .param .u64 far, .param .u64 out)`, for CTAs of four warps. A thread
/// draws where it goes next from what it has read so far, so that one read out of order changes all that follows. Loads
/// are used at once, later, or behind a barrier; warps meet all together or two by two, or pass by; some are late.
/// `data`: data_bytes(races); `far`: 64 KiB that nobody writes; `out`: a word a thread.
std::string random_kernel(std::uint64_t seed, Races races);

}  // namespace syncline::tests
