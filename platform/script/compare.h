// Comparing the bytes of a buffer with what they should be, element by element.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/script/scalar.h"

namespace syncline::platform {

/// An element may differ from the expected one by absolute + relative * |expected|. Both zero: equal values.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

struct Comparison {
  std::uint64_t elements = 0;
  std::uint64_t differences = 0;
  std::uint64_t first = 0;      ///< index of the first difference
  std::string found, expected;  ///< that element
  /// "1024 elements as expected", or how many differ and the first of them.
  std::string text() const;
};

/// Compares two buffers of the same length, a multiple of the type's. Integers are compared without rounding. Equal
/// bits are always equal; apart from that a NaN differs from everything, and an infinity only equals itself.
Comparison compare(const std::vector<std::uint8_t>& found, const std::vector<std::uint8_t>& expected, ScalarType type,
                   Tolerance tolerance);

}  // namespace syncline::platform
