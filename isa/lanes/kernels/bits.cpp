// Logic, shifts and bit fields (PTX ISA, "Logic and Shift Instructions" and the bit operations of "Integer Arithmetic
// Instructions").
#include "isa/lanes/kernels/families.h"
#include "isa/lanes/kernels/integer_ops.h"
#include "isa/lanes/kernels/loop.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

template <class T>
inline constexpr u32 width_of = 8 * sizeof(T);

template <class T>
T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
T bit_not(T a) {
  return static_cast<T>(~a);
}
template <class T>
T cnot(T a) {
  return a == 0 ? 1 : 0;
}

/// Shift amounts are 32-bit and clamp to the width: everything is shifted out.
template <class T>
T shl(T a, u32 amount) {
  const u32 in_range = amount & (width_of<T> - 1);
  return amount < width_of<T> ? static_cast<T>(static_cast<Unsigned<T>>(a) << in_range) : T(0);
}
template <class T>
T shr(T a, u32 amount) {
  const u32 clamped = amount < width_of<T> ? amount : width_of<T> - 1;
  const T shifted = static_cast<T>(a >> clamped);
  return is_signed_type<T> || amount < width_of<T> ? shifted : T(0);
}

/// Funnel shifts of the 64-bit value b:a; the amount wraps around 32 or clamps at 32.
u64 joined(u32 low, u32 high) {
  return static_cast<u64>(high) << 32 | low;
}
u32 clamp32(u32 amount) {
  return amount < 32 ? amount : 32;
}
u32 shf_left_wrap(u32 a, u32 b, u32 c) {
  return static_cast<u32>(joined(a, b) << (c & 31) >> 32);
}
u32 shf_left_clamp(u32 a, u32 b, u32 c) {
  return static_cast<u32>(joined(a, b) << clamp32(c) >> 32);
}
u32 shf_right_wrap(u32 a, u32 b, u32 c) {
  return static_cast<u32>(joined(a, b) >> (c & 31));
}
u32 shf_right_clamp(u32 a, u32 b, u32 c) {
  return static_cast<u32>(joined(a, b) >> clamp32(c));
}

/// Extracts `length` bits at `position` (both mod 256); the sign is the field's top bit, or the value's top bit if the
/// field reaches beyond it, or 0 if the field is empty.
template <class T>
T bfe(T a, u32 position, u32 length) {
  const u32 start = position & 0xff, count = length & 0xff;
  constexpr u32 top = width_of<T> - 1;
  const u32 sign_at = start + count - 1 < top ? start + count - 1 : top;
  const bool sign = is_signed_type<T> && count != 0 && (static_cast<Unsigned<T>>(a) >> sign_at & 1) != 0;
  const Unsigned<T> field = start <= top ? static_cast<Unsigned<T>>(a) >> (start & top) : Unsigned<T>(0);
  // Bits of the field that lie inside the value.
  const u32 inside = start > top ? 0 : (count < width_of<T> - start ? count : width_of<T> - start);
  const Unsigned<T> kept =
      inside == 0 ? Unsigned<T>(0) : static_cast<Unsigned<T>>(~Unsigned<T>(0)) >> (width_of<T> - inside);
  return static_cast<T>((field & kept) | (sign ? static_cast<Unsigned<T>>(~kept) : Unsigned<T>(0)));
}

/// bfi has four operands: the field a, the base b, position c, length d.
template <class T>
T insert_field(T a, T b, u32 position, u32 length) {
  const u32 start = position & 0xff, count = length & 0xff;
  if (start >= width_of<T> || count == 0) return b;
  const T ones =
      count >= width_of<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << (count & (width_of<T> - 1))) - 1);
  const T mask = static_cast<T>(ones << start);
  return static_cast<T>((b & ~mask) | (static_cast<T>(a << start) & mask));
}
template <class T>
void bfi(const LaneArgs& args) {
  map_values<insert_field<T>, T>(args, Operand<T>(args.src[0]), Operand<T>(args.src[1]), Operand<u32>(args.src[2]),
                                 Operand<u32>(args.src[3]));
}

template <class T>
u32 leading_zeros(T a) {
  if (a == 0) return width_of<T>;
  return static_cast<u32>(sizeof(T) == 8 ? __builtin_clzll(a) : __builtin_clz(static_cast<u32>(a)));
}
template <class T>
u32 popc(T a) {
  // Adds neighbours in ever wider fields; vectorises without a population-count instruction.
  u64 n = a;
  n -= n >> 1 & 0x5555555555555555u;
  n = (n & 0x3333333333333333u) + (n >> 2 & 0x3333333333333333u);
  n = (n + (n >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<u32>(n * 0x0101010101010101u >> 56);
}

/// Position of the leading bit that is not a sign bit; all ones if there is none.
template <class T>
u32 bfind(T a) {
  const Unsigned<T> magnitude = static_cast<Unsigned<T>>(is_signed_type<T> && a < 0 ? ~a : a);
  return width_of<T> - 1 - leading_zeros(magnitude);
}
/// The left shift that brings that bit to the top.
template <class T>
u32 bfind_shift(T a) {
  const u32 found = bfind(a);
  return found == 0xffffffffu ? found : width_of<T> - 1 - found;
}

template <class T>
T brev(T a) {
  u64 n = a;
  n = (n >> 1 & 0x5555555555555555u) | (n & 0x5555555555555555u) << 1;
  n = (n >> 2 & 0x3333333333333333u) | (n & 0x3333333333333333u) << 2;
  n = (n >> 4 & 0x0f0f0f0f0f0f0f0fu) | (n & 0x0f0f0f0f0f0f0f0fu) << 4;
  return static_cast<T>(__builtin_bswap64(n) >> (64 - width_of<T>));
}

/// The n-th set bit from `base` on, upwards for n > 0 and downwards for n < 0; n = 0 asks for bit `base` itself.
u32 fns(u32 mask, u32 base, s32 offset) {
  constexpr u32 not_found = 0xffffffffu;
  if (base > 31) return not_found;
  if (offset == 0) return (mask >> base & 1) != 0 ? base : not_found;
  const s32 step = offset > 0 ? 1 : -1;
  s32 wanted = offset > 0 ? offset : offset == lowest<s32> ? highest<s32> : -offset;
  for (s32 position = static_cast<s32>(base); position >= 0 && position < 32; position += step) {
    wanted -= static_cast<s32>(mask >> position & 1);
    if (wanted == 0) return static_cast<u32>(position);
  }
  return not_found;
}

/// A mask of `count` ones that starts at bit `start`; both saturate (clamp) or count modulo 32 (wrap).
u32 bmsk_clamp(u32 start, u32 count) {
  const u64 ones = count < 32 ? (u64{1} << count) - 1 : 0xffffffffu;
  return start < 32 ? static_cast<u32>(ones << start) : 0;
}
u32 bmsk_wrap(u32 start, u32 count) {
  return ((1u << (count & 31)) - 1) << (start & 31);
}

/// Sign- or zero-extension from bit `position` - 1 on; clamp: 32 and more keep the value, wrap: modulo 32.
template <class T>
T szext_clamp(T a, u32 position) {
  if (position >= 32) return a;
  if (position == 0) return 0;
  return static_cast<T>(static_cast<T>(static_cast<u32>(a) << (32 - position)) >> (32 - position));
}
template <class T>
T szext_wrap(T a, u32 position) {
  return szext_clamp(a, position & 31);
}

/// Any function of three bits, by Shannon expansion of the table: bit 4a+2b+c is the result for (a, b, c).
/// lop3.BoolOp also delivers a predicate, (d != 0) BoolOp q, where q is the fourth source.
template <BoolOp Op>
void lop3(const LaneArgs& args) {
  using Word = Storage<u32>::Word;
  u32 table[8];
  for (unsigned k = 0; k < 8; ++k) table[k] = 0u - (args.immediate >> k & 1u);
  const Operand<u32> a(args.src[0]), b(args.src[1]), c(args.src[2]);
  alignas(64) Word fresh[kernel_lanes];
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
    const u32 x = a[lane], y = b[lane], z = c[lane];
    const u32 not_x = (~y & ((~z & table[0]) | (z & table[1]))) | (y & ((~z & table[2]) | (z & table[3])));
    const u32 with_x = (~y & ((~z & table[4]) | (z & table[5]))) | (y & ((~z & table[6]) | (z & table[7])));
    fresh[lane] = (~x & not_x) | (x & with_x);
  }
  if constexpr (Op != BoolOp::none) {
    const u32 q = *static_cast<const Storage<u32>::Word*>(args.src[3]);
    u32 nonzero = 0;
    for (unsigned lane = 0; lane < kernel_lanes; ++lane) nonzero |= fresh[lane] != 0 ? lane_bit[lane] : 0u;
    write_predicate(args.dst2, Op == BoolOp::and_ ? nonzero & q : nonzero | q, args.mask);
  }
  if (args.dst != nullptr) blend<Word>(static_cast<Word*>(args.dst), fresh, args.mask);
}

/// One byte of b:a per selector nibble; bit 3 of a nibble replicates the byte's sign.
u32 prmt_default(u32 a, u32 b, u32 selector) {
  const u64 bytes = joined(a, b);
  u32 result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const u32 nibble = selector >> 4 * k & 0xf;
    const u32 byte = static_cast<u32>(bytes >> 8 * (nibble & 7) & 0xff);
    const u32 sign = (byte >> 7) * 0xff;
    result |= ((nibble & 8) != 0 ? sign : byte) << 8 * k;
  }
  return result;
}
/// The named modes are fixed selectors, chosen by the low two bits of c (PTX ISA, table of prmt modes).
template <PrmtMode Mode>
u32 prmt_mode(u32 a, u32 b, u32 c) {
  constexpr u32 f4e[4] = {0x3210, 0x4321, 0x5432, 0x6543};
  constexpr u32 b4e[4] = {0x5670, 0x6701, 0x7012, 0x0123};
  constexpr u32 rc8[4] = {0x0000, 0x1111, 0x2222, 0x3333};
  constexpr u32 ecl[4] = {0x3210, 0x3211, 0x3222, 0x3333};
  constexpr u32 ecr[4] = {0x0000, 0x1110, 0x2210, 0x3210};
  constexpr u32 rc16[4] = {0x1010, 0x3232, 0x1010, 0x3232};
  switch (Mode) {
    case PrmtMode::f4e:
      return prmt_default(a, b, f4e[c & 3]);
    case PrmtMode::b4e:
      return prmt_default(a, b, b4e[c & 3]);
    case PrmtMode::rc8:
      return prmt_default(a, b, rc8[c & 3]);
    case PrmtMode::ecl:
      return prmt_default(a, b, ecl[c & 3]);
    case PrmtMode::ecr:
      return prmt_default(a, b, ecr[c & 3]);
    case PrmtMode::rc16:
      return prmt_default(a, b, rc16[c & 3]);
    case PrmtMode::none:
      break;
  }
  return prmt_default(a, b, c);
}

template <class T>
void add_logic(KernelTable& table, Type type) {
  table.add(LaneForm(Opcode::and_, type), map<bit_and<T>>);
  table.add(LaneForm(Opcode::or_, type), map<bit_or<T>>);
  table.add(LaneForm(Opcode::xor_, type), map<bit_xor<T>>);
  table.add(LaneForm(Opcode::not_, type), map<bit_not<T>>);
  table.add(LaneForm(Opcode::cnot, type), map<cnot<T>>);
  table.add(LaneForm(Opcode::shl, type), map<shl<T>>);
  table.add(LaneForm(Opcode::shr, type), map<shr<T>>);
}

template <class U, class S>
void add_shr(KernelTable& table) {
  table.add(LaneForm(Opcode::shr, type_of<U>), map<shr<U>>);
  table.add(LaneForm(Opcode::shr, type_of<S>), map<shr<S>>);
}

template <class U, class S>
void add_fields(KernelTable& table, Type bits) {
  table.add(LaneForm(Opcode::bfe, type_of<U>), map<bfe<U>>);
  table.add(LaneForm(Opcode::bfe, type_of<S>), map<bfe<S>>);
  table.add(LaneForm(Opcode::bfi, bits), bfi<U>);
  table.add(LaneForm(Opcode::bfind, type_of<U>), map<bfind<U>>);
  table.add(LaneForm(Opcode::bfind, type_of<S>), map<bfind<S>>);
  table.add(LaneForm(Opcode::bfind, type_of<U>).with(LaneFlag::shift_amount), map<bfind_shift<U>>);
  table.add(LaneForm(Opcode::bfind, type_of<S>).with(LaneFlag::shift_amount), map<bfind_shift<S>>);
  table.add(LaneForm(Opcode::clz, bits), map<leading_zeros<U>>);
  table.add(LaneForm(Opcode::popc, bits), map<popc<U>>);
  table.add(LaneForm(Opcode::brev, bits), map<brev<U>>);
}

/// Predicates are masks: one machine word is all 32 lanes.
template <u32 (*Function)(u32, u32)>
void predicate_logic(const LaneArgs& args) {
  const auto word = [&](unsigned k) { return *static_cast<const Storage<u32>::Word*>(args.src[k]); };
  write_predicate(args.dst, Function(word(0), args.src[1] != nullptr ? word(1) : 0u), args.mask);
}
u32 first_not(u32 a, u32) {
  return ~a;
}
u32 first(u32 a, u32) {
  return a;
}

template <PrmtMode... Modes>
void add_prmt(KernelTable& table) {
  (table.add(LaneForm(Opcode::prmt, Type::b32).mode(Modes), map<prmt_mode<Modes>>), ...);
}

}  // namespace

void add_bit_kernels(KernelTable& table) {
  add_logic<u16>(table, Type::b16);
  add_logic<u32>(table, Type::b32);
  add_logic<u64>(table, Type::b64);
  add_shr<u16, s16>(table);
  add_shr<u32, s32>(table);
  add_shr<u64, s64>(table);
  add_fields<u32, s32>(table, Type::b32);
  add_fields<u64, s64>(table, Type::b64);

  table.add(LaneForm(Opcode::and_, Type::pred), predicate_logic<bit_and<u32>>);
  table.add(LaneForm(Opcode::or_, Type::pred), predicate_logic<bit_or<u32>>);
  table.add(LaneForm(Opcode::xor_, Type::pred), predicate_logic<bit_xor<u32>>);
  table.add(LaneForm(Opcode::not_, Type::pred), predicate_logic<first_not>);
  table.add(LaneForm(Opcode::mov, Type::pred), predicate_logic<first>);

  const LaneForm shf(Opcode::shf, Type::b32);
  table.add(shf.with(LaneFlag::left).with(LaneFlag::wrap), map<shf_left_wrap>);
  table.add(shf.with(LaneFlag::left).with(LaneFlag::clamp), map<shf_left_clamp>);
  table.add(shf.with(LaneFlag::right).with(LaneFlag::wrap), map<shf_right_wrap>);
  table.add(shf.with(LaneFlag::right).with(LaneFlag::clamp), map<shf_right_clamp>);

  table.add(LaneForm(Opcode::fns, Type::b32), map<fns>);
  table.add(LaneForm(Opcode::bmsk, Type::b32).with(LaneFlag::clamp), map<bmsk_clamp>);
  table.add(LaneForm(Opcode::bmsk, Type::b32).with(LaneFlag::wrap), map<bmsk_wrap>);
  table.add(LaneForm(Opcode::szext, Type::u32).with(LaneFlag::clamp), map<szext_clamp<u32>>);
  table.add(LaneForm(Opcode::szext, Type::s32).with(LaneFlag::clamp), map<szext_clamp<s32>>);
  table.add(LaneForm(Opcode::szext, Type::u32).with(LaneFlag::wrap), map<szext_wrap<u32>>);
  table.add(LaneForm(Opcode::szext, Type::s32).with(LaneFlag::wrap), map<szext_wrap<s32>>);

  table.add(LaneForm(Opcode::lop3, Type::b32), lop3<BoolOp::none>);
  table.add(LaneForm(Opcode::lop3, Type::b32).combine(BoolOp::and_), lop3<BoolOp::and_>);
  table.add(LaneForm(Opcode::lop3, Type::b32).combine(BoolOp::or_), lop3<BoolOp::or_>);
  add_prmt<PrmtMode::none, PrmtMode::f4e, PrmtMode::b4e, PrmtMode::rc8, PrmtMode::ecl, PrmtMode::ecr, PrmtMode::rc16>(
      table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
