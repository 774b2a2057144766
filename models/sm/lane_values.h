// Loops over the lanes of an access that the compiler can turn into vector code.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "isa/exec/memory_access.h"

namespace syncline::models {

/// Lowest and highest address of the lanes, and all address bits that occur (for alignment).
struct AddressRange {
  std::uint64_t low = ~std::uint64_t{0}, high = 0, bits = 0;
};

inline AddressRange address_range(const isa::MemoryAccess& access) {
  constexpr unsigned half = 32;
  AddressRange range;
  const auto add = [&range](std::uint64_t address) {
    range.low = address < range.low ? address : range.low;
    range.high = address > range.high ? address : range.high;
    range.bits |= address;
  };
  if (access.lanes == base::all_lanes(half)) {
    for (unsigned lane = 0; lane < half; ++lane) add(access.address[lane]);
  } else {
    for (base::LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) add(access.address[base::first_lane(rest)]);
  }
  return range;
}

/// Calls `body` with `bytes` as a compile-time constant where the size is a common one, so that copies become moves.
template <class Body>
inline void with_size(unsigned bytes, Body&& body) {
  switch (bytes) {
    case 4:
      body(std::integral_constant<unsigned, 4>{});
      break;
    case 8:
      body(std::integral_constant<unsigned, 8>{});
      break;
    case 1:
      body(std::integral_constant<unsigned, 1>{});
      break;
    case 2:
      body(std::integral_constant<unsigned, 2>{});
      break;
    case 16:
      body(std::integral_constant<unsigned, 16>{});
      break;
    default:
      body(bytes);
      break;
  }
}

}  // namespace syncline::models
