#include "platform/script/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace syncline::platform {
namespace {

bool within(const std::uint8_t* found, const std::uint8_t* expected, ScalarType type, Tolerance tolerance) {
  if (std::memcmp(found, expected, bytes_of(type)) == 0) return true;
  if (is_floating(type)) {
    const double a = real_at(found, type);
    const double b = real_at(expected, type);
    if (a == b) return true;
    if (!std::isfinite(a) || !std::isfinite(b)) return false;
    return std::fabs(a - b) <= tolerance.absolute + tolerance.relative * std::fabs(b);
  }
  const Integer a = integer_at(found, type);
  const Integer b = integer_at(expected, type);
  // Opposite signs add up; for i64 the sum stays below 2^64.
  const std::uint64_t difference = a.negative != b.negative
                                       ? a.magnitude + b.magnitude
                                       : std::max(a.magnitude, b.magnitude) - std::min(a.magnitude, b.magnitude);
  return static_cast<double>(difference) <= tolerance.absolute + tolerance.relative * static_cast<double>(b.magnitude);
}

}  // namespace

std::string Comparison::text() const {
  if (differences == 0) return fmt::format("{} element{} as expected", elements, elements == 1 ? "" : "s");
  return fmt::format("{} of {} elements differ; first at index {}: found {}, expected {}", differences, elements, first,
                     found, expected);
}

Comparison compare(const std::vector<std::uint8_t>& found, const std::vector<std::uint8_t>& expected, ScalarType type,
                   Tolerance tolerance) {
  const unsigned size = bytes_of(type);
  Comparison result;
  result.elements = expected.size() / size;
  for (std::uint64_t i = 0; i < result.elements; ++i) {
    const std::uint8_t* a = found.data() + i * size;
    const std::uint8_t* b = expected.data() + i * size;
    if (within(a, b, type, tolerance)) continue;
    if (result.differences++ > 0) continue;
    result.first = i;
    result.found = text_at(a, type);
    result.expected = text_at(b, type);
  }
  return result;
}

}  // namespace syncline::platform
