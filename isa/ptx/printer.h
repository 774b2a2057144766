// Canonical PTX text of parsed things: for messages, traces, the debugger, and to write a module back.
#pragma once

#include <string>

#include "isa/ptx/ast.h"

namespace syncline::isa {

/// "setp.lt.and.s32" : the opcode with its modifiers in canonical order.
std::string full_opcode(Opcode opcode, const Modifiers& modifiers);

/// "@!%p1 add.s32 %r1, %r2, 3;"
std::string to_string(const Module& module, const Function& function, const Instruction& instruction);

/// "%r1", "[%rd1+4]", "{%f1, _}", "0f3F800000"
std::string operand_text(const Module& module, const Function& function, const Operand& operand);

/// The whole module as text that parses to an equal module (scopes flattened, names unique).
std::string to_string(const Module& module);

}  // namespace syncline::isa
