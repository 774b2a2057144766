// How wide the operands of an instruction are, by its opcode and types (the operand tables of the PTX ISA).
#pragma once

#include <cstdint>

#include "isa/ptx/ast.h"

namespace syncline::isa {

/// Bytes per lane in a register of this type: 8-bit values live in 16-bit registers. 0: a predicate.
unsigned register_bytes(Type type);

/// The type that operand `index` (in the order of the text, destination first) has by the instruction, whatever
/// register stands there.
Type operand_type(const Instruction& instruction, unsigned index);

}  // namespace syncline::isa
