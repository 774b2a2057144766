// Division by a number that stays the same: a multiplication, where a processor may take forty cycles to divide.
#pragma once

#include <cstdint>

#include "base/error.h"

namespace syncline::base {

/// Exact for all numbers of 64 bits (Granlund and Montgomery, Division by Invariant Integers using Multiplication,
/// PLDI 1994, figure 4.1).
class FixedDivisor {
 public:
  /// 0 is a ModelError.
  explicit FixedDivisor(std::uint64_t divisor = 1) {
    if (divisor == 0) throw ModelError("a division by nothing");
    const unsigned bits = divisor == 1 ? 0 : 64 - static_cast<unsigned>(__builtin_clzll(divisor - 1));
    const Wide power = Wide{1} << bits;
    factor_ = static_cast<std::uint64_t>(((power - divisor) << 64) / divisor + 1);
    first_shift_ = bits == 0 ? 0 : 1;
    second_shift_ = bits == 0 ? 0 : bits - 1;
  }

  std::uint64_t quotient(std::uint64_t number) const {
    const auto high = static_cast<std::uint64_t>(static_cast<Wide>(factor_) * number >> 64);
    return (high + ((number - high) >> first_shift_)) >> second_shift_;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  std::uint64_t factor_;
  unsigned first_shift_, second_shift_;
};

}  // namespace syncline::base
