// Seeded inputs. Each array draws from the stream of its own name, so that resizing one leaves the others alone.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace syncline::workloads {

/// `count` values, uniform in [low, high).
template <class T = float>
std::vector<T> random_reals(std::uint64_t seed, std::string_view stream, std::size_t count, double low, double high) {
  base::Random random(seed, stream);
  std::vector<T> values(count);
  for (auto& value : values) value = static_cast<T>(low + (high - low) * random.unit());
  return values;
}

/// `count` values, uniform in [0, bound); bound 0 means all bit patterns of T.
template <class T>
std::vector<T> random_integers(std::uint64_t seed, std::string_view stream, std::size_t count,
                               std::uint32_t bound = 0) {
  base::Random random(seed, stream);
  std::vector<T> values(count);
  for (auto& value : values) value = static_cast<T>(bound == 0 ? random.next() >> 8 : random.below(bound));
  return values;
}

/// The numbers 0 .. count-1 in random order.
std::vector<std::uint32_t> random_permutation(std::uint64_t seed, std::string_view stream, std::uint32_t count);

}  // namespace syncline::workloads
