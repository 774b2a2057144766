#include "isa/exec/decode/operand_width.h"

#include "isa/ptx/video_selector.h"

namespace syncline::isa {

unsigned register_bytes(Type type) {
  const unsigned bytes = type_bytes(type);
  return bytes == 1 ? 2 : bytes;
}

unsigned kernel_bytes(Opcode opcode, Type type) {
  return opcode == Opcode::cvt ? type_bytes(type) : register_bytes(type);
}

namespace {

Type twice(Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return type;
  }
}

/// Operands that are always 32-bit numbers (amounts, positions, selectors) or predicates.
Type plain_type(const Instruction& i, unsigned index) {
  const Type type = i.mods.type;
  switch (i.opcode) {
    case Opcode::shl:
    case Opcode::shr:
      return index == 2 ? Type::u32 : type;
    case Opcode::bfe:
      return index >= 2 ? Type::u32 : type;
    case Opcode::bfi:
      return index >= 3 ? Type::u32 : type;
    case Opcode::bfind:
    case Opcode::popc:
    case Opcode::clz:
      return index == 0 ? Type::u32 : type;
    case Opcode::fns:
    case Opcode::bmsk:
    case Opcode::prmt:
    case Opcode::nanosleep:
      return Type::u32;
    case Opcode::szext:
      return index == 2 ? Type::u32 : type;
    case Opcode::shf:
      return Type::b32;
    case Opcode::testp:
      return index == 0 ? Type::pred : type;
    case Opcode::isspacep:
      return index == 0 ? Type::pred : Type::none;
    case Opcode::dp4a:
    case Opcode::dp2a:
      return Type::b32;
    case Opcode::lop3:
      return index == 5 ? Type::pred : Type::b32;
    case Opcode::match:
      return index == 1 ? type : Type::b32;
    case Opcode::vote:
      return index == 1 || (index == 0 && i.mods.vote != VoteMode::ballot) ? Type::pred : Type::b32;
    case Opcode::shfl:
    case Opcode::activemask:
    case Opcode::elect:
      return Type::b32;
    default:
      return type;
  }
}

}  // namespace

Type operand_type(const Instruction& i, unsigned index) {
  const Modifiers& m = i.mods;
  switch (i.opcode) {
    case Opcode::cvt:
      if (m.pack) return index == 0 || index == 3 ? Type::b32 : m.source_type;
      if (index > 0 && index + 1 == i.operands.size()) {
        if (m.rounding == Rounding::rs) return Type::b32;  // random bits
        // One scale for both values of the result, or one for each.
        if (m.scaled) return m.type == Type::bf16x2 || m.type == Type::s2f6x2 ? Type::b16 : Type::b8;
      }
      return index == 0 ? m.type : m.source_type;
    // Mixed precision: a, and b of fma, are of the second type.
    case Opcode::add:
    case Opcode::sub:
    case Opcode::fma: {
      if (m.third_type != Type::none && index == 2) return m.third_type;
      const bool mixed = m.source_type != Type::none && (index == 1 || (index == 2 && i.opcode == Opcode::fma));
      return mixed ? m.source_type : m.type;
    }
    case Opcode::set:
      return index == 0 || m.source_type == Type::none ? m.type : index == 3 ? Type::pred : m.source_type;
    case Opcode::setp:
      return index == 0 || index == 3 ? Type::pred : m.type;
    case Opcode::selp:
      return index == 3 ? Type::pred : m.type;
    case Opcode::slct:
      return index == 3 ? m.source_type : m.type;
    case Opcode::mul:
      if (m.third_type != Type::none) return index == 0 ? m.type : index == 1 ? m.source_type : m.third_type;
      return m.part == MulPart::wide && index == 0 ? twice(m.type) : m.type;
    case Opcode::mad:
      return m.part == MulPart::wide && (index == 0 || index == 3) ? twice(m.type) : m.type;
    case Opcode::bar:
    case Opcode::barrier: {
      const bool reduces =
          m.barrier == BarrierMode::red_and || m.barrier == BarrierMode::red_or || m.barrier == BarrierMode::red_popc;
      if (!reduces) return Type::u32;
      if (index == 0) return m.barrier == BarrierMode::red_popc ? Type::u32 : Type::pred;
      return index + 1 == i.operands.size() ? Type::pred : Type::u32;
    }
    default:
      break;
  }
  // Video instructions work on whole 32-bit registers.
  if (is_video(i.opcode)) return Type::b32;
  return plain_type(i, index);
}

}  // namespace syncline::isa
