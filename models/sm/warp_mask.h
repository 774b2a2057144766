// Sets of warp slots of one SM. Bit n is slot n.
#pragma once

#include <cstdint>

namespace syncline::models {

using WarpMask = std::uint64_t;

/// Most warp contexts an SM can have: a set of them fits a machine word.
inline constexpr unsigned max_warp_slots = 64;

constexpr WarpMask warp_bit(unsigned slot) {
  return WarpMask{1} << slot;
}
constexpr WarpMask all_warps(unsigned slots) {
  return slots >= 64 ? ~WarpMask{0} : (WarpMask{1} << slots) - 1;
}
/// Lowest slot of a set that is not empty.
inline unsigned first_warp(WarpMask mask) {
  return static_cast<unsigned>(__builtin_ctzll(mask));
}
inline unsigned warp_count(WarpMask mask) {
  return static_cast<unsigned>(__builtin_popcountll(mask));
}
/// The first slot of `mask` (not empty) at or after `from`, going round.
inline unsigned next_warp(WarpMask mask, unsigned from) {
  const WarpMask above = from >= 64 ? 0 : mask & (~WarpMask{0} << from);
  return first_warp(above != 0 ? above : mask);
}

/// Calls `body(slot)` for each warp of `mask` in ascending order.
template <class Body>
inline void for_each_warp(WarpMask mask, Body&& body) {
  while (mask != 0) {
    body(first_warp(mask));
    mask &= mask - 1;
  }
}

}  // namespace syncline::models
