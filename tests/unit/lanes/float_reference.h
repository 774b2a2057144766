// Host IEEE arithmetic in a chosen rounding mode, and the PTX rules about NaN, .ftz and .sat written out plainly.
#pragma once

#include <cfenv>

#include "tests/unit/lanes/lane_harness.h"

namespace syncline::isa::test {

inline int host_mode(Rounding rounding) {
  switch (rounding) {
    case Rounding::rz:
    case Rounding::rzi:
      return FE_TOWARDZERO;
    case Rounding::rm:
    case Rounding::rmi:
      return FE_DOWNWARD;
    case Rounding::rp:
    case Rounding::rpi:
      return FE_UPWARD;
    default:
      return FE_TONEAREST;
  }
}

/// f() under a rounding mode; callers hide operands behind volatile so that nothing is computed before.
template <class F>
auto under(Rounding rounding, F f) {
  const int before = std::fegetround();
  std::fesetround(host_mode(rounding));
  volatile auto result = f();
  std::fesetround(before);
  return result;
}

template <class T>
T canonical_nan() {
  if constexpr (sizeof(T) == 4) {
    return bits_as<float>(0x7fffffffu);
  } else {
    return bits_as<double>(std::uint64_t{0xfff8000000000000});
  }
}
template <class T>
T flushed(T value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(T(0), value) : value;
}
template <class T>
T in(T value, bool ftz) {
  return ftz ? flushed(value) : value;
}
template <class T>
T out(T value, bool ftz, bool sat) {
  if (std::isnan(value)) return sat ? T(0) : canonical_nan<T>();
  if (ftz) value = flushed(value);
  if (sat && (value <= 0)) return T(0);
  return sat && value > 1 ? T(1) : value;
}

}  // namespace syncline::isa::test
