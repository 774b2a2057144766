// setp and set on one element type: the comparison gives a mask of lanes, and what follows works on the mask.
#pragma once

#include "isa/lanes/kernels/families.h"
#include "isa/lanes/kernels/half.h"
#include "isa/lanes/kernels/loop.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

/// Ordered comparisons are false if an operand is a NaN. The unordered ones (equ, ltu, ...) are their complements.
template <Compare Cmp, class T>
inline bool holds(T a, T b) {
  switch (Cmp) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return (a < b) | (a > b);
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    case Compare::ge:
      return a >= b;
    case Compare::num:
      return (a == a) & (b == b);
    default:
      return false;
  }
}

/// The ordered comparison that is true exactly where an unordered one is false; none for ordered comparisons.
constexpr Compare complement_of(Compare compare) {
  switch (compare) {
    case Compare::equ:
      return Compare::ne;
    case Compare::neu:
      return Compare::eq;
    case Compare::ltu:
      return Compare::ge;
    case Compare::leu:
      return Compare::gt;
    case Compare::gtu:
      return Compare::le;
    case Compare::geu:
      return Compare::lt;
    case Compare::nan:
      return Compare::num;
    default:
      return Compare::none;
  }
}

/// The value that is compared: 16-bit formats widen exactly to f32.
template <bool Ftz, class T>
inline T comparable(T value) {
  return value;
}
template <>
inline f32 comparable<true, f32>(f32 value) {
  return ftz(value);
}
template <bool Ftz>
inline f32 comparable(f16 value) {
  return widen(Ftz && (value.bits & 0x7c00u) == 0 ? f16{static_cast<u16>(value.bits & 0x8000u)} : value);
}
template <bool Ftz>
inline f32 comparable(bf16 value) {
  return widen(value);
}

template <class T, Compare Cmp, bool Ftz>
bool compare_values(T a, T b) {
  return holds<Cmp>(comparable<Ftz>(a), comparable<Ftz>(b));
}

template <class T, Compare Cmp, bool Ftz>
[[gnu::noinline]] u32 ordered_mask(const LaneArgs& args) {
  return map_mask<compare_values<T, Cmp, Ftz>>(Operand<T>(args.src[0]), Operand<T>(args.src[1]));
}

/// The lanes for which the comparison holds.
template <class T, Compare Cmp, bool Ftz>
inline u32 compare_mask(const LaneArgs& args) {
  if constexpr (complement_of(Cmp) != Compare::none) {
    return ~ordered_mask<T, complement_of(Cmp), Ftz>(args);
  } else {
    return ordered_mask<T, Cmp, Ftz>(args);
  }
}

template <BoolOp Op>
inline u32 combined(u32 mask, const LaneArgs& args) {
  if (Op == BoolOp::none) return mask;
  const u32 predicate = *static_cast<const Storage<u32>::Word*>(args.src[2]);
  return Op == BoolOp::and_ ? mask & predicate : Op == BoolOp::or_ ? mask | predicate : mask ^ predicate;
}

/// setp: p = compare op c, q = !compare op c.
template <BoolOp Op>
[[gnu::noinline]] void write_setp(const LaneArgs& args, u32 mask) {
  const u32 p = combined<Op>(mask, args), q = combined<Op>(~mask, args);
  write_predicate(args.dst, p, args.mask);
  write_predicate(args.dst2, q, args.mask);
}
template <class T, Compare Cmp, bool Ftz, BoolOp Op>
void setp(const LaneArgs& args) {
  write_setp<Op>(args, compare_mask<T, Cmp, Ftz>(args));
}

/// set: `truth` (all ones, or the 1.0 of the destination type) where the comparison holds, zero elsewhere.
template <class Word, Word Truth, BoolOp Op>
[[gnu::noinline]] void write_set(const LaneArgs& args, u32 mask) {
  const u32 result = combined<Op>(mask, args);
  alignas(64) typename Storage<Word>::Word fresh[kernel_lanes];
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) fresh[lane] = (result & lane_bit[lane]) != 0 ? Truth : Word(0);
  blend<typename Storage<Word>::Word>(static_cast<typename Storage<Word>::Word*>(args.dst), fresh, args.mask);
}
template <class T, Compare Cmp, bool Ftz, BoolOp Op, class Word, Word Truth>
void set(const LaneArgs& args) {
  write_set<Word, Truth, Op>(args, compare_mask<T, Cmp, Ftz>(args));
}

/// One kernel for each boolean operator, in the order of BoolOp.
struct ByBoolOp {
  LaneKernel kernel[4];
};

/// All kernels that rest on one comparison.
struct CompareKernels {
  Compare compare;
  ByBoolOp setp, set_bits32, set_f32, set_bits16, set_f16, set_bf16;
};

template <class T, Compare Cmp, bool Ftz, class Word, Word Truth>
inline constexpr ByBoolOp set_kernels = {
    {set<T, Cmp, Ftz, BoolOp::none, Word, Truth>, set<T, Cmp, Ftz, BoolOp::and_, Word, Truth>,
     set<T, Cmp, Ftz, BoolOp::or_, Word, Truth>, set<T, Cmp, Ftz, BoolOp::xor_, Word, Truth>}};

template <class T, Compare Cmp, bool Ftz>
inline constexpr CompareKernels compare_kernels = {Cmp,
                                                   {{setp<T, Cmp, Ftz, BoolOp::none>, setp<T, Cmp, Ftz, BoolOp::and_>,
                                                     setp<T, Cmp, Ftz, BoolOp::or_>, setp<T, Cmp, Ftz, BoolOp::xor_>}},
                                                   set_kernels<T, Cmp, Ftz, u32, ~u32{0}>,
                                                   set_kernels<T, Cmp, Ftz, u32, 0x3f800000u>,  // 1.0 of each format
                                                   set_kernels<T, Cmp, Ftz, u16, u16{0xffffu}>,
                                                   set_kernels<T, Cmp, Ftz, u16, u16{0x3c00u}>,
                                                   set_kernels<T, Cmp, Ftz, u16, u16{0x3f80u}>};

/// Adds setp and the forms of set with operands of `type`.
void add_compare_forms(KernelTable& table, Type type, bool ftz, const CompareKernels& kernels);

template <class T, bool Ftz, Compare... Cmps>
void add_compares(KernelTable& table, Type type) {
  (add_compare_forms(table, type, Ftz, compare_kernels<T, Cmps, Ftz>), ...);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
