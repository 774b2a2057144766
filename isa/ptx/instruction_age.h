// Is an instruction newer than the module that has it (PTX ISA Notes and Target ISA Notes, form_notes.cpp)?
#pragma once

#include "isa/ptx/context.h"

namespace syncline::isa {

/// Refuses the instruction when the module declares a version or a target that is older than it: what it needs, and
/// what is declared.
void verify_age(ParserContext& context, const MatchedOpcode& matched, const Instruction& instruction, TextPlace place);

}  // namespace syncline::isa
