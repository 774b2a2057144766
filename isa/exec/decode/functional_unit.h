// Which kind of hardware executes an instruction.
#pragma once

#include "isa/exec/op.h"
#include "isa/ptx/ast.h"

namespace syncline::isa {

FunctionalUnit functional_unit(const Instruction& instruction);

}  // namespace syncline::isa
