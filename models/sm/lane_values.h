// Loops over the lanes of an access that the compiler can turn into vector code.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "isa/exec/memory_access.h"

namespace syncline::models {

/// The lanes in ascending order: sixteen at once where all take part and lie in a shape (`together(first, shape)`),
/// else `one(lane)`. `shapes`: as MemoryAccess::shape.
template <class Together, class One>
inline void visit_shapes(const isa::LaneShape* shapes, base::LaneMask lanes, Together&& together, One&& one) {
  constexpr unsigned size = isa::MemoryAccess::shape_lanes;
  for (unsigned first = 0; first < base::max_lanes && lanes >> first != 0; first += size) {
    const base::LaneMask here = lanes >> first & base::all_lanes(size);
    const isa::LaneShape shape = shapes[first / size];
    if (here == base::all_lanes(size) && shape != isa::LaneShape::any)
      together(first, shape);
    else
      base::for_each_lane(here << first, one);
  }
}

/// Brings the values of sixteen lanes, which lie behind each other, from where the lanes in a shape point.
template <class Size>
inline void load_together(std::uint8_t* values, const std::uint8_t* memory, isa::LaneShape shape, Size bytes) {
  constexpr unsigned lanes = isa::MemoryAccess::shape_lanes;
  if (shape == isa::LaneShape::contiguous)
    std::memcpy(values, memory, lanes * bytes);
  else
    for (unsigned lane = 0; lane < lanes; ++lane) std::memcpy(values + lane * bytes, memory, bytes);
}

/// The other way round; of lanes at one place the last one stays.
template <class Size>
inline void store_together(std::uint8_t* memory, const std::uint8_t* values, isa::LaneShape shape, Size bytes) {
  constexpr unsigned lanes = isa::MemoryAccess::shape_lanes;
  if (shape == isa::LaneShape::contiguous)
    std::memcpy(memory, values, lanes * bytes);
  else
    std::memcpy(memory, values + (lanes - 1) * bytes, bytes);
}

/// Lowest and highest address of the lanes, and all bits below their size that occur (for alignment). Of lanes that go
/// over the end of the address space the range is as wrong: it holds next to all of it.
struct AddressRange {
  std::uint64_t low = ~std::uint64_t{0}, high = 0, bits = 0;

  void add(std::uint64_t address) {
    low = address < low ? address : low;
    high = address > high ? address : high;
    bits |= address;
  }
};

inline AddressRange address_range(const isa::MemoryAccess& access, base::LaneMask lanes) {
  AddressRange range;
  const auto add = [&](unsigned lane) { range.add(access.address[lane]); };
  visit_shapes(
      access.shape.data(), lanes,
      [&](unsigned first, isa::LaneShape) {
        add(first);
        add(first + isa::MemoryAccess::shape_lanes - 1);
      },
      add);
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
