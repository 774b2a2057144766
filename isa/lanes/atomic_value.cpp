#include "isa/lanes/atomic_value.h"

#include <array>
#include <cstring>
#include <limits>
#include <string>

#include "base/error.h"
#include "isa/lanes/kernels/half.h"

namespace syncline::isa {
namespace {

using namespace portable;

bool is_packed(Type type) {
  return type == Type::f16x2 || type == Type::bf16x2;
}

std::uint64_t width_mask(Type type) {
  const unsigned bits = 8 * type_bytes(type);
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

std::int64_t sign_extended(Type type, std::uint64_t value) {
  const unsigned unused = 64 - 8 * type_bytes(type);
  return static_cast<std::int64_t>(value << unused) >> unused;
}

f32 ftz_if(f32 value, bool to_zero) {
  return to_zero ? ftz(value) : value;
}

std::uint64_t add_f32(std::uint64_t a, std::uint64_t b, bool ftz) {
  const f32 x = ftz_if(bit_cast<f32>(static_cast<u32>(a)), ftz);
  const f32 y = ftz_if(bit_cast<f32>(static_cast<u32>(b)), ftz);
  return bits_of(ftz_if(canonical(x + y), ftz));
}

std::uint64_t ftz_f16(std::uint64_t bits, bool ftz) {
  return ftz && (bits & 0x7c00u) == 0 ? bits & 0x8000u : bits;
}

std::uint64_t add_16(Type type, std::uint64_t a, std::uint64_t b, bool ftz) {
  // 24 bits are at least twice 11 plus 2: the sum in f32 can be rounded again without harm.
  if (type == Type::f16) {
    const f32 x = widen(f16{static_cast<u16>(ftz_f16(a, ftz))});
    const f32 y = widen(f16{static_cast<u16>(ftz_f16(b, ftz))});
    return ftz_f16(to_f16<Round::near>(x + y).bits, ftz);
  }
  return to_bf16<Round::near>(widen(bf16{static_cast<u16>(a)}) + widen(bf16{static_cast<u16>(b)})).bits;
}

/// Floating-point patterns in an order that integers understand: negative numbers below positive ones, -0 below +0.
std::int64_t total_order(Type type, std::uint64_t bits) {
  const std::int64_t value = sign_extended(type, bits);
  return value < 0 ? value ^ std::numeric_limits<std::int64_t>::max() : value;
}

bool is_nan(Type type, std::uint64_t bits) {
  const std::uint64_t magnitude = bits & (width_mask(type) >> 1);
  switch (type) {
    case Type::f16:
      return magnitude > 0x7c00u;
    case Type::bf16:
      return magnitude > 0x7f80u;
    case Type::f32:
      return magnitude > 0x7f800000u;
    default:
      return magnitude > 0x7ff0000000000000u;
  }
}

std::uint64_t canonical_nan(Type type) {
  switch (type) {
    case Type::f32:
      return nan_f32_bits;
    case Type::f64:
      return nan_f64_bits;
    default:
      return nan_f16_bits;
  }
}

std::uint64_t float_extremum(AtomicOp op, Type type, std::uint64_t a, std::uint64_t b) {
  if (is_nan(type, a)) return is_nan(type, b) ? canonical_nan(type) : b;
  if (is_nan(type, b)) return a;
  const bool a_below = total_order(type, a) < total_order(type, b);
  return a_below == (op == AtomicOp::min) ? a : b;
}

std::uint64_t integer_extremum(AtomicOp op, Type type, std::uint64_t a, std::uint64_t b) {
  const bool a_below = is_signed(type) ? sign_extended(type, a) < sign_extended(type, b) : a < b;
  return a_below == (op == AtomicOp::min) ? a : b;
}

std::uint64_t apply_scalar(AtomicOp op, Type type, bool ftz, std::uint64_t old, std::uint64_t b, std::uint64_t c) {
  switch (op) {
    case AtomicOp::and_:
      return old & b;
    case AtomicOp::or_:
      return old | b;
    case AtomicOp::xor_:
      return old ^ b;
    case AtomicOp::exch:
      return b;
    case AtomicOp::cas:
      return old == b ? c : old;
    case AtomicOp::inc:
      return old >= b ? 0 : old + 1;
    case AtomicOp::dec:
      return old == 0 || old > b ? b : old - 1;
    case AtomicOp::min:
    case AtomicOp::max:
      return is_float(type) ? float_extremum(op, type, old, b) : integer_extremum(op, type, old, b);
    case AtomicOp::add:
      if (type == Type::f32) return add_f32(old, b, ftz);
      if (type == Type::f64) return bits_of(canonical(bit_cast<f64>(old) + bit_cast<f64>(b)));
      return is_float(type) ? add_16(type, old, b, ftz) : old + b;
    case AtomicOp::none:
      break;
  }
  return old;
}

}  // namespace

bool atomic_is_defined(AtomicOp op, Type type) {
  const unsigned bytes = type_bytes(type);
  const bool word = (bytes == 4 || bytes == 8) && !is_packed(type) && type != Type::u16x2 && type != Type::s16x2 &&
                    type != Type::tf32 && !is_instruction_type(type);
  const bool bits = type == Type::b32 || type == Type::b64;
  const bool half = type == Type::f16 || type == Type::bf16 || is_packed(type);
  switch (op) {
    case AtomicOp::and_:
    case AtomicOp::or_:
    case AtomicOp::xor_:
      return word && !is_float(type);
    case AtomicOp::exch:
      return word || type == Type::b128;
    case AtomicOp::cas:
      return word || type == Type::b128 || type == Type::b16 || type == Type::u16 || type == Type::s16;
    case AtomicOp::inc:
    case AtomicOp::dec:
      return type == Type::u32;
    case AtomicOp::add:
    case AtomicOp::min:
    case AtomicOp::max:
      return (word && !bits) || half;
    case AtomicOp::none:
      break;
  }
  return false;
}

std::uint64_t apply_atomic(AtomicOp op, Type type, bool ftz, std::uint64_t old, std::uint64_t b, std::uint64_t c) {
  if (!atomic_is_defined(op, type) || type == Type::b128) {
    throw base::ModelError("no atomic operation " + std::string(name(op)) + " on type " + std::string(name(type)));
  }
  if (is_packed(type)) {
    const Type element = type == Type::f16x2 ? Type::f16 : Type::bf16;
    const std::uint64_t low = apply_scalar(op, element, ftz, old & 0xffffu, b & 0xffffu, 0);
    const std::uint64_t high = apply_scalar(op, element, ftz, old >> 16 & 0xffffu, b >> 16 & 0xffffu, 0);
    return (low & 0xffffu) | (high & 0xffffu) << 16;
  }
  const std::uint64_t mask = width_mask(type);
  return apply_scalar(op, type, ftz, old & mask, b & mask, c & mask) & mask;
}

void update_atomic(AtomicOp op, Type type, bool ftz, void* place, const void* b, const void* c, void* old) {
  const unsigned bytes = type_bytes(type);
  if (type == Type::b128) {
    if (!atomic_is_defined(op, type))
      throw base::ModelError("no atomic operation " + std::string(name(op)) + " on b128");
    const bool compares = op == AtomicOp::cas;
    const bool stores = !compares || std::memcmp(place, b, bytes) == 0;
    std::array<std::uint8_t, 16> before, fresh;
    std::memcpy(before.data(), place, bytes);
    std::memcpy(fresh.data(), compares ? c : b, bytes);
    if (stores) std::memcpy(place, fresh.data(), bytes);
    std::memcpy(old, before.data(), bytes);
    return;
  }
  std::uint64_t before = 0, first = 0, second = 0;
  std::memcpy(&before, place, bytes);
  std::memcpy(&first, b, bytes);
  if (op == AtomicOp::cas) std::memcpy(&second, c, bytes);
  const std::uint64_t fresh = apply_atomic(op, type, ftz, before, first, second);
  std::memcpy(place, &fresh, bytes);
  std::memcpy(old, &before, bytes);
}

}  // namespace syncline::isa
