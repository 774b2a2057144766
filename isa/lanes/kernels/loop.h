// Turns a function of one lane into a kernel of 32: `map<f>` reads the operands that f's parameters name, calls f for
// every lane in a loop of constant length that the compiler makes vector code of, and keeps the lanes outside the mask.
#pragma once

#include "isa/lanes/kernels/variant.h"
#include "isa/lanes/lane_kernel.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

inline constexpr u32 all_lanes = 0xffffffffu;

/// One bit per lane: predicates become vectors by an `and` with this table, and vectors become predicates again.
alignas(64) inline constexpr u32 lane_bit[kernel_lanes] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

/// How a value lies in a register: registers have no type of their own, hence may_alias.
template <class T>
struct Storage {
  typedef T Word __attribute__((may_alias));
  static T load(Word word) { return word; }
  static Word store(T value) { return value; }
};
template <>
struct Storage<f16> {
  typedef u16 Word __attribute__((may_alias));
  static f16 load(Word word) { return f16{word}; }
  static Word store(f16 value) { return value.bits; }
};
template <>
struct Storage<bf16> {
  typedef u16 Word __attribute__((may_alias));
  static bf16 load(Word word) { return bf16{word}; }
  static Word store(bf16 value) { return value.bits; }
};

/// One source operand, read lane by lane. `bool` is a predicate: a mask of 32 lanes.
template <class T>
class Operand {
 public:
  explicit Operand(const void* values) : values_(static_cast<const Word*>(values)) {}
  T operator[](unsigned lane) const { return Storage<T>::load(values_[lane]); }

 private:
  using Word = typename Storage<T>::Word;
  const Word* values_;
};
template <>
class Operand<bool> {
 public:
  explicit Operand(const void* mask) : mask_(*static_cast<const Word*>(mask)) {}
  bool operator[](unsigned lane) const { return (mask_ & lane_bit[lane]) != 0; }

 private:
  using Word = Storage<u32>::Word;
  u32 mask_;
};

/// dst = mask ? fresh : dst, lane by lane.
template <class Word>
[[gnu::noinline]] void blend(Word* dst, const Word* fresh, u32 mask) {
#pragma GCC ivdep
  for (unsigned lane = 0; lane < kernel_lanes; ++lane)
    dst[lane] = (mask & lane_bit[lane]) != 0 ? fresh[lane] : dst[lane];
}

/// Writes `value` into the lanes `mask` of a predicate; a null predicate is a result nobody asked for.
inline void write_predicate(void* predicate, u32 value, u32 mask) {
  if (predicate == nullptr) return;
  auto* const word = static_cast<Storage<u32>::Word*>(predicate);
  *word = (*word & ~mask) | (value & mask);
}

template <auto Function, class Result, class... Operands>
[[gnu::always_inline]] inline void map_values(const LaneArgs& args, const Operands... operands) {
  using Word = typename Storage<Result>::Word;
  alignas(64) Word scratch[kernel_lanes];
  auto* const dst = static_cast<Word*>(args.dst);
  Word* const out = args.mask == all_lanes ? dst : scratch;
#pragma GCC ivdep
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) out[lane] = Storage<Result>::store(Function(operands[lane]...));
  if (out == scratch) blend<Word>(dst, scratch, args.mask);
}

/// The lanes for which a predicate function holds.
template <auto Function, class... Operands>
[[gnu::always_inline]] inline u32 map_mask(const Operands... operands) {
  u32 mask = 0;
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) mask |= Function(operands[lane]...) ? lane_bit[lane] : 0u;
  return mask;
}

template <unsigned... Index>
struct Indices {};

template <auto Function, class Result, class... Params, unsigned... Index>
[[gnu::always_inline]] inline void map_operands(const LaneArgs& args, Result (*)(Params...), Indices<Index...>) {
  if constexpr (__is_same(Result, bool)) {
    write_predicate(args.dst, map_mask<Function>(Operand<Params>(args.src[Index])...), args.mask);
  } else {
    map_values<Function, Result>(args, Operand<Params>(args.src[Index])...);
  }
}

template <class Result, class A>
Indices<0> operand_indices(Result (*)(A));
template <class Result, class A, class B>
Indices<0, 1> operand_indices(Result (*)(A, B));
template <class Result, class A, class B, class C>
Indices<0, 1, 2> operand_indices(Result (*)(A, B, C));
template <class Result, class A, class B, class C, class D, class E>
Indices<0, 1, 2, 3, 4> operand_indices(Result (*)(A, B, C, D, E));

/// The kernel of a function of one to three operands, or of five: its parameter types say how the registers are read.
template <auto Function>
void map(const LaneArgs& args) {
  map_operands<Function>(args, Function, decltype(operand_indices(Function)){});
}

/// Result of an operation with a carry flag.
template <class T>
struct Carried {
  T value;
  bool carry;
};

template <class T, auto Function, unsigned... Index>
[[gnu::always_inline]] inline void map_carried(const LaneArgs& args, Indices<Index...>) {
  using Word = typename Storage<T>::Word;
  const u32 carry_in = args.src[3] != nullptr ? *static_cast<const Storage<u32>::Word*>(args.src[3]) : 0u;
  alignas(64) Word value[kernel_lanes];
  u32 carry_out = 0;
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
    const T carry = (carry_in & lane_bit[lane]) != 0 ? 1 : 0;
    const Carried<T> result = Function(Operand<T>(args.src[Index])[lane]..., carry);
    value[lane] = result.value;
    carry_out |= result.carry ? lane_bit[lane] : 0u;
  }
  blend<Word>(static_cast<Word*>(args.dst), value, args.mask);
  write_predicate(args.dst2, carry_out, args.mask);
}

/// Kernel with a carry: `Function(operands..., carry in)`, of two or three operands of type T.
template <class T, Carried<T> (*Function)(T, T, T)>
void map_carry(const LaneArgs& args) {
  map_carried<T, Function>(args, Indices<0, 1>{});
}
template <class T, Carried<T> (*Function)(T, T, T, T)>
void map_carry3(const LaneArgs& args) {
  map_carried<T, Function>(args, Indices<0, 1, 2>{});
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
