// What conversions share: rounding to an integral value, and the directions of the 16-bit formats.
#pragma once

#include "isa/lanes/kernels/float_ops.h"
#include "isa/lanes/kernels/half.h"
#include "isa/lanes/kernels/integer_ops.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

/// The integral neighbour of a value. The kernels run in the host's default mode, hence rint is ties-to-even.
template <Rounding Mode>
inline f32 integral(f32 value) {
  switch (Mode) {
    case Rounding::rni:
      return __builtin_rintf(value);
    case Rounding::rzi:
      return __builtin_truncf(value);
    case Rounding::rmi:
      return __builtin_floorf(value);
    case Rounding::rpi:
      return __builtin_ceilf(value);
    default:
      return value;
  }
}
template <Rounding Mode>
inline f64 integral(f64 value) {
  switch (Mode) {
    case Rounding::rni:
      return __builtin_rint(value);
    case Rounding::rzi:
      return __builtin_trunc(value);
    case Rounding::rmi:
      return __builtin_floor(value);
    case Rounding::rpi:
      return __builtin_ceil(value);
    default:
      return value;
  }
}

constexpr Round direction(Rounding rounding) {
  switch (rounding) {
    case Rounding::rz:
      return Round::zero;
    case Rounding::rm:
      return Round::down;
    case Rounding::rp:
      return Round::up;
    case Rounding::rna:
      return Round::away;
    default:
      return Round::near;
  }
}

template <class D>
struct Narrow;
template <>
struct Narrow<f16> {
  template <Rounding Mode, class S>
  static f16 from(S value) {
    return to_f16<direction(Mode)>(value);
  }
};
template <>
struct Narrow<bf16> {
  template <Rounding Mode, class S>
  static bf16 from(S value) {
    return to_bf16<direction(Mode)>(value);
  }
};

/// Exact f32 (or f64) value of a source operand.
inline f32 wide(f16 value) {
  return widen(value);
}
inline f32 wide(bf16 value) {
  return widen(value);
}
inline f32 wide(f32 value) {
  return value;
}
inline f64 wide(f64 value) {
  return value;
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
