// Three-dimensional extents: grids and CTAs.
#pragma once

#include <cstdint>

namespace syncline::base {

/// Extents or an index in x, y, z, as in CUDA.
struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend constexpr bool operator==(const Dim3& a, const Dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
  friend constexpr bool operator!=(const Dim3& a, const Dim3& b) { return !(a == b); }
};

}  // namespace syncline::base
