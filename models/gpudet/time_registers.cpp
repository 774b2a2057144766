#include "models/gpudet/time_registers.h"

#include <algorithm>

namespace syncline::models {
namespace {

bool tells_time(isa::SpecialRegister reg) {
  using R = isa::SpecialRegister;
  switch (reg) {
    case R::clock:
    case R::clock_hi:
    case R::clock64:
    case R::globaltimer:
    case R::globaltimer_lo:
    case R::globaltimer_hi:
      return true;
    default:
      return reg >= R::pm0 && reg < R::envreg0;
  }
}

bool reads_time(const isa::Instruction& instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(), [](const isa::Operand& operand) {
    return operand.kind == isa::OperandKind::special && tells_time(operand.special);
  });
}

}  // namespace

const isa::Op* first_read_of_time(const isa::Program& program) {
  const auto& used = program.specials();
  if (std::none_of(used.begin(), used.end(), [](const isa::SpecialSlot& slot) { return tells_time(slot.reg); }))
    return nullptr;
  const isa::Op* const end = program.ops() + program.size();
  const isa::Op* const found = std::find_if(program.ops(), end, [&](const isa::Op& op) {
    const isa::Instruction* const instruction = program.instruction(op);
    return instruction != nullptr && reads_time(*instruction);
  });
  return found != end ? found : nullptr;
}

}  // namespace syncline::models
