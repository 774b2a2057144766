// Integer helpers that several families share: double widths, products, saturation.
#pragma once

#include "isa/lanes/kernels/variant.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

// GCC's name; -Wpedantic wants it marked as an extension.
__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

template <class T>
struct IntegerTraits;
template <>
struct IntegerTraits<u8> {
  using Unsigned = u8;
  using Wide = u16;
};
template <>
struct IntegerTraits<s8> {
  using Unsigned = u8;
  using Wide = s16;
};
template <>
struct IntegerTraits<u16> {
  using Unsigned = u16;
  using Wide = u32;
};
template <>
struct IntegerTraits<s16> {
  using Unsigned = u16;
  using Wide = s32;
};
template <>
struct IntegerTraits<u32> {
  using Unsigned = u32;
  using Wide = u64;
};
template <>
struct IntegerTraits<s32> {
  using Unsigned = u32;
  using Wide = s64;
};
template <>
struct IntegerTraits<u64> {
  using Unsigned = u64;
  using Wide = u128;
};
template <>
struct IntegerTraits<s64> {
  using Unsigned = u64;
  using Wide = s128;
};

template <class T>
using Unsigned = typename IntegerTraits<T>::Unsigned;
template <class T>
using Wide = typename IntegerTraits<T>::Wide;
template <class T>
inline constexpr bool is_signed_type = static_cast<T>(-1) < static_cast<T>(0);

template <class T>
inline constexpr T lowest = is_signed_type<T> ? static_cast<T>(Unsigned<T>(1) << (8 * sizeof(T) - 1)) : T(0);
template <class T>
inline constexpr T highest = static_cast<T>(~lowest<T>);

/// `value` clamped into the range of T, which s64 contains.
template <class T>
inline T saturated(s64 value) {
  const s64 above_floor = value < static_cast<s64>(lowest<T>) ? static_cast<s64>(lowest<T>) : value;
  return static_cast<T>(above_floor > static_cast<s64>(highest<T>) ? static_cast<s64>(highest<T>) : above_floor);
}

template <class T>
inline Wide<T> mul_wide(T a, T b) {
  return static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
}
template <class T>
inline T mul_lo(T a, T b) {
  // In 64 bits, because the promoted product of two 16-bit numbers could overflow an int.
  return static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b));
}
template <>
inline u32 mul_lo(u32 a, u32 b) {
  return a * b;
}
template <>
inline s32 mul_lo(s32 a, s32 b) {
  return static_cast<s32>(static_cast<u32>(a) * static_cast<u32>(b));
}
template <class T>
inline T mul_hi(T a, T b) {
  return static_cast<T>(mul_wide(a, b) >> 8 * sizeof(T));
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
