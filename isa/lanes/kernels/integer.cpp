// Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions").
#include "isa/lanes/kernels/families.h"
#include "isa/lanes/kernels/integer_ops.h"
#include "isa/lanes/kernels/loop.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

template <class T>
T add(T a, T b) {
  return static_cast<T>(Unsigned<T>(a) + Unsigned<T>(b));
}
template <class T>
T sub(T a, T b) {
  return static_cast<T>(Unsigned<T>(a) - Unsigned<T>(b));
}
template <class T>
T add_saturated(T a, T b) {
  return saturated<T>(static_cast<s64>(a) + static_cast<s64>(b));
}
template <class T>
T sub_saturated(T a, T b) {
  return saturated<T>(static_cast<s64>(a) - static_cast<s64>(b));
}
template <class T>
T neg(T a) {
  return static_cast<T>(Unsigned<T>(0) - Unsigned<T>(a));
}
template <class T>
T abs(T a) {
  return a < 0 ? neg(a) : a;
}
template <class T>
T min(T a, T b) {
  return a < b ? a : b;
}
template <class T>
T max(T a, T b) {
  return a > b ? a : b;
}
template <class T>
T min_relu(T a, T b) {
  return max<T>(min(a, b), 0);
}
template <class T>
T max_relu(T a, T b) {
  return max<T>(max(a, b), 0);
}
template <class T>
T sad(T a, T b, T c) {
  return add(c, static_cast<T>(a < b ? sub(b, a) : sub(a, b)));
}

template <class T>
Wide<T> mad_wide(T a, T b, Wide<T> c) {
  return add(mul_wide(a, b), c);
}
template <class T>
T mad_lo(T a, T b, T c) {
  return add(mul_lo(a, b), c);
}
template <class T>
T mad_hi(T a, T b, T c) {
  return add(mul_hi(a, b), c);
}
s32 mad_hi_saturated(s32 a, s32 b, s32 c) {
  return add_saturated(mul_hi(a, b), c);
}

/// Bits 47..16 (hi) or 31..0 (lo) of the product of the low 24 bits.
template <class T>
s64 product24(T a, T b) {
  const auto part = [](T value) { return static_cast<s64>(static_cast<T>(static_cast<u32>(value) << 8) >> 8); };
  return part(a) * part(b);
}
template <class T>
T mul24_lo(T a, T b) {
  return static_cast<T>(product24(a, b));
}
template <class T>
T mul24_hi(T a, T b) {
  return static_cast<T>(product24(a, b) >> 16);
}
template <class T>
T mad24_lo(T a, T b, T c) {
  return add(mul24_lo(a, b), c);
}
template <class T>
T mad24_hi(T a, T b, T c) {
  return add(mul24_hi(a, b), c);
}
s32 mad24_hi_saturated(s32 a, s32 b, s32 c) {
  return add_saturated(mul24_hi(a, b), c);
}

/// Division by zero is unspecified in the ISA; GPUs return all ones (and the dividend as remainder), and so does this.
/// The smallest negative number divided by -1 is itself, remainder 0.
template <class T>
T divide(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if (is_signed_type<T> && b == static_cast<T>(-1)) return neg(a);
  return static_cast<T>(a / b);
}
template <class T>
T remainder(T a, T b) {
  if (b == 0) return a;
  if (is_signed_type<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}

/// The elements of a 32-bit register one by one: two halves or four bytes.
template <class T, T (*Function)(T, T)>
u32 packed(u32 a, u32 b) {
  u32 result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(T))
    result |=
        static_cast<u32>(static_cast<Unsigned<T>>(Function(static_cast<T>(a >> shift), static_cast<T>(b >> shift))))
        << shift;
  return result;
}
u32 packed_neg(u32 a) {
  return packed<u8, sub<u8>>(0, a);
}

/// Product and sum of polynomials over GF(2), whose coefficients are the bits: nothing is carried.
u128 carryless_product(u64 a, u64 b) {
  u128 product = 0;
  for (unsigned bit = 0; bit < 64; ++bit) product ^= (u128{0} - (a >> bit & 1)) & (u128{b} << bit);
  return product;
}
u64 clmad_lo(u64 a, u64 b, u64 c) {
  return static_cast<u64>(carryless_product(a, b)) ^ c;
}
u64 clmad_hi(u64 a, u64 b, u64 c) {
  return static_cast<u64>(carryless_product(a, b) >> 64) ^ c;
}

template <class A, class B>
u32 dp4a(u32 a, u32 b, u32 c) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    c += static_cast<u32>(static_cast<s32>(static_cast<A>(a >> shift)) * static_cast<s32>(static_cast<B>(b >> shift)));
  }
  return c;
}
/// Half-words of a times the low (Part 0) or high (Part 16) two bytes of b.
template <class A, class B, unsigned Part>
u32 dp2a(u32 a, u32 b, u32 c) {
  for (unsigned k = 0; k < 2; ++k) {
    c += static_cast<u32>(static_cast<s32>(static_cast<A>(a >> 16 * k)) *
                          static_cast<s32>(static_cast<B>(b >> (Part + 8 * k))));
  }
  return c;
}

template <class T>
void add_for_every_type(KernelTable& table) {
  constexpr Type type = type_of<T>;
  table.add(LaneForm(Opcode::add, type), map<add<T>>);
  table.add(LaneForm(Opcode::sub, type), map<sub<T>>);
  table.add(LaneForm(Opcode::min, type), map<min<T>>);
  table.add(LaneForm(Opcode::max, type), map<max<T>>);
  table.add(LaneForm(Opcode::div, type), map<divide<T>>);
  table.add(LaneForm(Opcode::rem, type), map<remainder<T>>);
  table.add(LaneForm(Opcode::sad, type), map<sad<T>>);
  table.add(LaneForm(Opcode::mul, type).part(MulPart::lo), map<mul_lo<T>>);
  table.add(LaneForm(Opcode::mul, type).part(MulPart::hi), map<mul_hi<T>>);
  table.add(LaneForm(Opcode::mad, type).part(MulPart::lo), map<mad_lo<T>>);
  table.add(LaneForm(Opcode::mad, type).part(MulPart::hi), map<mad_hi<T>>);
  if constexpr (is_signed_type<T>) {
    table.add(LaneForm(Opcode::neg, type), map<neg<T>>);
    table.add(LaneForm(Opcode::abs_, type), map<abs<T>>);
  }
  if constexpr (sizeof(T) < 8) {
    table.add(LaneForm(Opcode::mul, type).part(MulPart::wide), map<mul_wide<T>>);
    table.add(LaneForm(Opcode::mad, type).part(MulPart::wide), map<mad_wide<T>>);
  }
}

template <class T>
void add_24_bit(KernelTable& table) {
  constexpr Type type = type_of<T>;
  table.add(LaneForm(Opcode::mul24, type).part(MulPart::lo), map<mul24_lo<T>>);
  table.add(LaneForm(Opcode::mul24, type).part(MulPart::hi), map<mul24_hi<T>>);
  table.add(LaneForm(Opcode::mad24, type).part(MulPart::lo), map<mad24_lo<T>>);
  table.add(LaneForm(Opcode::mad24, type).part(MulPart::hi), map<mad24_hi<T>>);
}

template <class T>
void add_packed(KernelTable& table, Type type) {
  table.add(LaneForm(Opcode::add, type), map<packed<T, add<T>>>);
  table.add(LaneForm(Opcode::add, type).with(LaneFlag::sat), map<packed<T, add_saturated<T>>>);
  table.add(LaneForm(Opcode::sub, type), map<packed<T, sub<T>>>);
  table.add(LaneForm(Opcode::sub, type).with(LaneFlag::sat), map<packed<T, sub_saturated<T>>>);
  table.add(LaneForm(Opcode::min, type), map<packed<T, min<T>>>);
  table.add(LaneForm(Opcode::max, type), map<packed<T, max<T>>>);
  if constexpr (is_signed_type<T>) {
    table.add(LaneForm(Opcode::min, type).with(LaneFlag::relu), map<packed<T, min_relu<T>>>);
    table.add(LaneForm(Opcode::max, type).with(LaneFlag::relu), map<packed<T, max_relu<T>>>);
  }
}

template <class A8, class B8, class A16>
void add_dot_products(KernelTable& table, Type a, Type b) {
  table.add(LaneForm(Opcode::dp4a, a).from(b), map<dp4a<A8, B8>>);
  table.add(LaneForm(Opcode::dp2a, a).from(b).part(MulPart::lo), map<dp2a<A16, B8, 0>>);
  table.add(LaneForm(Opcode::dp2a, a).from(b).part(MulPart::hi), map<dp2a<A16, B8, 16>>);
}

}  // namespace

void add_integer_kernels(KernelTable& table) {
  add_for_every_type<u16>(table);
  add_for_every_type<s16>(table);
  add_for_every_type<u32>(table);
  add_for_every_type<s32>(table);
  add_for_every_type<u64>(table);
  add_for_every_type<s64>(table);

  table.add(LaneForm(Opcode::add, Type::u32).with(LaneFlag::sat), map<add_saturated<u32>>);
  table.add(LaneForm(Opcode::add, Type::s32).with(LaneFlag::sat), map<add_saturated<s32>>);
  table.add(LaneForm(Opcode::sub, Type::s32).with(LaneFlag::sat), map<sub_saturated<s32>>);
  table.add(LaneForm(Opcode::mad, Type::s32).part(MulPart::hi).with(LaneFlag::sat), map<mad_hi_saturated>);
  table.add(LaneForm(Opcode::min, Type::s32).with(LaneFlag::relu), map<min_relu<s32>>);
  table.add(LaneForm(Opcode::max, Type::s32).with(LaneFlag::relu), map<max_relu<s32>>);

  add_24_bit<u32>(table);
  add_24_bit<s32>(table);
  table.add(LaneForm(Opcode::mad24, Type::s32).part(MulPart::hi).with(LaneFlag::sat), map<mad24_hi_saturated>);

  add_packed<u16>(table, Type::u16x2);
  add_packed<s16>(table, Type::s16x2);
  add_packed<u8>(table, Type::u8x4);
  add_packed<s8>(table, Type::s8x4);
  table.add(LaneForm(Opcode::neg, Type::s8x4), map<packed_neg>);
  table.add(LaneForm(Opcode::clmad, Type::u64).part(MulPart::lo), map<clmad_lo>);
  table.add(LaneForm(Opcode::clmad, Type::u64).part(MulPart::hi), map<clmad_hi>);

  add_dot_products<u8, u8, u16>(table, Type::u32, Type::u32);
  add_dot_products<u8, s8, u16>(table, Type::u32, Type::s32);
  add_dot_products<s8, u8, s16>(table, Type::s32, Type::u32);
  add_dot_products<s8, s8, s16>(table, Type::s32, Type::s32);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
