// Seeded random numbers. Every source of chance in a run draws from a stream that is named, so that adding one
// source does not change the numbers that another one draws.
#pragma once

#include <cstdint>
#include <string_view>

namespace syncline::base {

/// One step of SplitMix64 (Steele, Lea, Flood 2014): mixes 64 bits; the finaliser of every seed and hash here.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Seed of the stream `name` (and `index`) of a run with seed `seed`.
constexpr std::uint64_t stream_seed(std::uint64_t seed, std::string_view name, std::uint64_t index = 0) {
  std::uint64_t h = mix64(seed);
  for (char c : name) h = mix64(h ^ static_cast<unsigned char>(c));
  return mix64(h ^ index);
}

/// xoshiro256** (Blackman, Vigna 2018). The sequence is part of the product: the same on every host.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (auto& word : state_) word = seed = mix64(seed);
  }
  Random(std::uint64_t seed, std::string_view stream, std::uint64_t index = 0)
      : Random(stream_seed(seed, stream, index)) {}

  std::uint64_t next() {
    const std::uint64_t result = rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotl(state_[3], 45);
    return result;
  }
  /// Uniform in [0, bound); bound > 0. Unbiased enough for simulation (multiply-shift, bias below 2^-32).
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }
  /// Uniform in [0, 1) with 53 bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  static constexpr std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t state_[4]{};
};

}  // namespace syncline::base
