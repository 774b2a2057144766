#include "isa/exec/decode/register_access.h"

namespace syncline::isa {

unsigned result_operands(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::st:
    case Opcode::red:
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::ret:
    case Opcode::exit_:
    case Opcode::trap:
    case Opcode::brkpt:
    case Opcode::membar:
    case Opcode::fence:
    case Opcode::nanosleep:
    case Opcode::pmevent:
    case Opcode::discard:
    case Opcode::applypriority:
    case Opcode::tx:
      return 0;
    case Opcode::bar:
    case Opcode::barrier:
      return instruction.mods.barrier == BarrierMode::red_popc || instruction.mods.barrier == BarrierMode::red_and ||
                     instruction.mods.barrier == BarrierMode::red_or
                 ? 1
                 : 0;
    default:
      return 1;
  }
}

bool writes_carry(const Instruction& instruction) {
  return instruction.mods.cc;
}

bool reads_carry(const Instruction& instruction) {
  return instruction.opcode == Opcode::addc || instruction.opcode == Opcode::subc || instruction.opcode == Opcode::madc;
}

namespace {

void collect(const Operand& operand, std::vector<std::uint32_t>& into) {
  if ((operand.kind == OperandKind::reg || operand.kind == OperandKind::address) && operand.index != no_index)
    into.push_back(operand.index);
  for (const Operand& element : operand.elements) collect(element, into);
}

}  // namespace

void register_access(const Function& function, const Instruction& instruction, RegisterAccess& access) {
  access.reads.clear();
  access.writes.clear();
  access.partial_write = false;
  if (instruction.guard) {
    access.reads.push_back(instruction.guard.reg);
    access.partial_write = true;
  }
  const unsigned results = result_operands(instruction);
  for (unsigned i = 0; i < instruction.operands.size(); ++i)
    collect(instruction.operands[i], i < results ? access.writes : access.reads);
  if (reads_carry(instruction)) access.reads.push_back(carry_register(function));
  if (writes_carry(instruction)) access.writes.push_back(carry_register(function));
  // A call by register may be served in several rounds, and its results come back lane by lane; a barrier's result
  // comes when it opens. The ISA kills nothing earlier than the last lane's write, so neither do we.
  if (instruction.opcode == Opcode::call) access.partial_write = true;
}

}  // namespace syncline::isa
