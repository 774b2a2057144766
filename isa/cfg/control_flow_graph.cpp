#include "isa/cfg/control_flow_graph.h"

#include <algorithm>

namespace syncline::isa {
namespace {

bool ends_block(Opcode op) {
  return op == Opcode::bra || op == Opcode::brx || op == Opcode::ret || op == Opcode::exit_ || op == Opcode::trap;
}

/// Instructions that a branch may jump to.
std::vector<std::uint32_t> targets(const Function& function, const Instruction& instruction) {
  std::vector<std::uint32_t> result;
  for (const Operand& o : instruction.operands) {
    if (o.kind == OperandKind::label) result.push_back(function.labels[o.index].instruction);
    if (o.kind == OperandKind::branch_table)
      for (const std::uint32_t label : function.branch_tables[o.index].labels)
        result.push_back(function.labels[label].instruction);
  }
  return result;
}

}  // namespace

ControlFlowGraph::ControlFlowGraph(const Function& function) {
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  std::vector<bool> leader(count + 1, false);
  if (count != 0) leader[0] = true;
  for (const Label& label : function.labels) leader[label.instruction] = true;
  for (std::uint32_t i = 0; i < count; ++i)
    if (ends_block(function.instructions[i].opcode)) leader[i + 1] = true;

  block_of_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (leader[i]) {
      blocks_.emplace_back();
      blocks_.back().first = i;
    }
    block_of_[i] = static_cast<std::uint32_t>(blocks_.size() - 1);
    blocks_.back().last = i + 1;
  }

  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    BasicBlock& block = blocks_[b];
    const Instruction& last = function.instructions[block.last - 1];
    const auto link = [&](std::uint32_t instruction) {
      if (instruction == count)
        block.returns = true;  // the end of the body is an implicit ret
      else
        block.successors.push_back(block_of_[instruction]);
    };
    bool falls_through = true;
    switch (last.opcode) {
      case Opcode::bra:
      case Opcode::brx:
        for (const std::uint32_t target : targets(function, last)) link(target);
        falls_through = static_cast<bool>(last.guard);
        break;
      case Opcode::ret:
        block.returns = true;
        falls_through = static_cast<bool>(last.guard);
        break;
      case Opcode::exit_:
      case Opcode::trap:
        block.kills = !last.guard;
        falls_through = static_cast<bool>(last.guard);
        break;
      default:
        break;
    }
    if (falls_through) link(block.last);
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()), block.successors.end());
    for (const std::uint32_t s : block.successors) blocks_[s].predecessors.push_back(b);
  }
}

}  // namespace syncline::isa
