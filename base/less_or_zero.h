// A difference that does not go below zero.
#pragma once

#include <cstdint>

namespace syncline::base {

/// a - b, but never below zero.
constexpr std::uint64_t less_or_zero(std::uint64_t a, std::uint64_t b) {
  return a > b ? a - b : 0;
}

}  // namespace syncline::base
