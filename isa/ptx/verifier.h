// Does what was read fit the instruction? Operand counts, kinds, types and address spaces (PTX ISA, "Operand Type
// Checking" and "Operand Size Exceeding Instruction-Type Size"); calls against what they call.
#pragma once

#include <vector>

#include "isa/ptx/context.h"

namespace syncline::isa {

/// Where the opcode and each operand stand.
struct InstructionPlace {
  const Token& opcode;
  const std::vector<TextPlace>& operands;
};

/// Fits the operands to one of the opcode's forms, brings immediates to their types, drops operands that change
/// nothing here (cache policies). Throws base::UserError that names the operand, what was expected and what stands
/// there.
void verify_instruction(ParserContext& context, const Function& function, const MatchedOpcode& matched,
                        Instruction& instruction, const InstructionPlace& place);

/// A call by name or by a register whose targets are not known yet.
void verify_direct_call(const ParserContext& context, const Function& function, Instruction& instruction);

/// What can be told only when all labels are known: calls through prototypes.
void verify_function(const ParserContext& context, Function& function);

/// The arguments or return values of a direct call, or of an indirect one against its prototype. Constants are brought
/// to the types of the parameters.
void verify_call_list(const ParserContext& context, const Function& function, Operand& list,
                      const std::vector<Variable>& wanted, std::string_view callee, bool results, TextPlace place);

/// An array without size, which is a function's last parameter, gets room for the longest that a call of this module
/// passes, and for what its function reads of it by name.
void size_open_arrays(Module& module);

/// May a register of `reg` type stand where an instruction wants `wanted`? `wider`: the relaxed rule of ld, st, cvt.
bool register_fits(Type reg, Type wanted, bool wider);

}  // namespace syncline::isa
