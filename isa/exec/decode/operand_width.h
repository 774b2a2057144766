// How wide the operands of an instruction are, by its opcode and types (the operand tables of the PTX ISA).
#pragma once

#include <cstdint>

#include "isa/ptx/ast.h"

namespace syncline::isa {

/// Bytes per lane in a register of this type: 8-bit values live in 16-bit registers. 0: a predicate.
unsigned register_bytes(Type type);

/// Bytes per lane that the lane kernel of an instruction takes for an operand of this type: like the register, but
/// cvt knows 8-bit arrays.
unsigned kernel_bytes(Opcode opcode, Type type);

/// The type that operand `index` (in the order of the text, destination first) has by the instruction, whatever
/// register stands there.
Type operand_type(const Instruction& instruction, unsigned index);

}  // namespace syncline::isa
