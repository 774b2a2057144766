// Register types against instruction types.
#include "isa/ptx/verifier.h"

namespace syncline::isa {
namespace {

enum class Class : std::uint8_t { bits, integer, floating, other };

Class class_of(Type type) {
  switch (type) {
    case Type::b8:
    case Type::b16:
    case Type::b32:
    case Type::b64:
    case Type::b128:
      return Class::bits;
    case Type::pred:
    case Type::none:
      return Class::other;
    default:
      return is_float(type) ? Class::floating : Class::integer;
  }
}

/// Packed types live in registers of untyped bits or integers of their size.
bool is_packed(Type type) {
  return type == Type::f16x2 || type == Type::bf16x2 || type == Type::u16x2 || type == Type::s16x2 ||
         type == Type::u8x4 || type == Type::s8x4 || type == Type::tf32 || type == Type::f32x2 || is_small_float(type);
}

}  // namespace

bool register_fits(Type reg, Type wanted, bool wider) {
  if (reg == wanted) return true;
  if (reg == Type::pred || wanted == Type::pred) return false;
  const unsigned have = type_bytes(reg), need = type_bytes(wanted);
  const bool size_fits = wider ? have >= need : have == need;
  if (!size_fits) return false;
  const Class reg_class = class_of(reg), wanted_class = class_of(wanted);
  if (reg_class == Class::bits || wanted_class == Class::bits) return true;
  if (is_packed(wanted) && reg_class == Class::integer) return true;
  // bf16 values travel in .u16 registers as well as in .b16 (older toolchains).
  if (wanted == Type::bf16 && reg == Type::u16) return true;
  if (reg_class != wanted_class) return false;
  return reg_class == Class::integer;
}

}  // namespace syncline::isa
