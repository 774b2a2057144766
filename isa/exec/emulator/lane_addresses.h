// The shape of a warp's addresses, which decides how its bytes are moved.
#pragma once

#include <cstdint>

#include "isa/lanes/lane_kernel.h"

namespace syncline::isa {

/// All 32 lanes: whether they touch one stretch in order, or all the same place.
struct AddressShape {
  bool contiguous = false, uniform = false;
};

inline AddressShape shape_of(const std::uint64_t* address, unsigned stride) {
  std::uint64_t apart = 0, spread = 0;
  const std::uint64_t first = address[0];
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
    apart |= address[lane] - first - std::uint64_t{lane} * stride;
    spread |= address[lane] - first;
  }
  return {apart == 0, spread == 0};
}

/// Lanes whose access [address, address + bytes) leaves [begin, end) or is not aligned to `bytes` (a power of two).
inline std::uint32_t bad_lanes(const std::uint64_t* address, std::uint64_t begin, std::uint64_t end, unsigned bytes) {
  if (end - begin < bytes) return ~0u;
  const std::uint64_t room = end - begin - bytes;
  std::uint32_t bad = 0;
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
    const std::uint64_t a = address[lane];
    bad |= static_cast<std::uint32_t>(a - begin > room || (a & (bytes - 1)) != 0) << lane;
  }
  return bad;
}

}  // namespace syncline::isa
