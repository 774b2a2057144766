// Sets of lanes of one warp. Bit n is lane n. Warps have up to 64 lanes.
#pragma once

#include <cstdint>

namespace syncline::base {

using LaneMask = std::uint64_t;

inline constexpr unsigned max_lanes = 64;

/// All lanes of a warp of `lanes` lanes (1..64).
constexpr LaneMask all_lanes(unsigned lanes) {
  return lanes >= 64 ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
}
constexpr LaneMask lane_bit(unsigned lane) {
  return LaneMask{1} << lane;
}
constexpr bool has_lane(LaneMask mask, unsigned lane) {
  return (mask >> lane) & 1U;
}
inline unsigned lane_count(LaneMask mask) {
  return static_cast<unsigned>(__builtin_popcountll(mask));
}
/// Lowest lane of a set that is not empty.
inline unsigned first_lane(LaneMask mask) {
  return static_cast<unsigned>(__builtin_ctzll(mask));
}
/// Highest lane of a set that is not empty.
inline unsigned last_lane(LaneMask mask) {
  return max_lanes - 1 - static_cast<unsigned>(__builtin_clzll(mask));
}

/// The lanes are those from 0 on, without a gap: nearly every warp.
constexpr bool are_first_lanes(LaneMask mask) {
  return (mask & (mask + 1)) == 0;
}

/// Calls `body(lane)` for each lane of `mask` in ascending order.
template <class Body>
inline void for_each_lane(LaneMask mask, Body&& body) {
  while (mask != 0) {
    body(first_lane(mask));
    mask &= mask - 1;
  }
}

}  // namespace syncline::base
