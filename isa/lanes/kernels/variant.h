// Every kernel source is compiled once per vector width; each build lives in a namespace of its own, named by the
// build system, so that the linker can never put code with AVX instructions where portable code was meant. For the
// same reason headers of this folder use compiler builtins in place of inline functions of the standard library: a
// standard template that is emitted out of line has one copy for the whole program.
#pragma once

#include <cstdint>

#ifndef SYNCLINE_LANE_VARIANT
#define SYNCLINE_LANE_VARIANT portable
#endif

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using f32 = float;
using f64 = double;

/// Storage of the formats that the host has no type for; arithmetic on them is in half.h.
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};

template <class To, class From>
inline To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

inline u32 bits_of(f32 value) {
  return bit_cast<u32>(value);
}
inline u64 bits_of(f64 value) {
  return bit_cast<u64>(value);
}

/// The NaN that an arithmetic instruction delivers. The PTX ISA leaves payloads of f32 unspecified and hardware returns
/// 0x7fffffff (f16, bf16: 0x7fff); for f64 this implementation always returns CUDA's NaN, without a payload.
inline constexpr u32 nan_f32_bits = 0x7fffffffu;
inline constexpr u64 nan_f64_bits = 0xfff8000000000000ull;
inline constexpr u16 nan_f16_bits = 0x7fffu;

inline f32 canonical(f32 value) {
  return value != value ? bit_cast<f32>(nan_f32_bits) : value;
}
inline f64 canonical(f64 value) {
  return value != value ? bit_cast<f64>(nan_f64_bits) : value;
}

/// Subnormal numbers become zeros of the same sign (.ftz).
inline f32 ftz(f32 value) {
  const u32 bits = bits_of(value);
  return bit_cast<f32>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
