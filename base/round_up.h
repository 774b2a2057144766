// Sizes in whole units.
#pragma once

#include <cstdint>

namespace syncline::base {

/// The least multiple of `unit` that is at least `value`; `value` itself where there is no unit (0).
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return unit <= 1 ? value : (value + unit - 1) / unit * unit;
}

}  // namespace syncline::base
