// What is known of each warp, by its number: of vector clocks, and of how many stores a warp sees of its mates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncline::protocols::gpudet {

/// `into` knows what `from` knows, too. What is missing at the end is zero.
inline void join(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

}  // namespace syncline::protocols::gpudet
