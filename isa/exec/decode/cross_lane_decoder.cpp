#include <fmt/format.h>

#include "isa/exec/decode/decoder.h"
#include "isa/exec/decode/operand_width.h"
#include "isa/ptx/printer.h"

namespace syncline::isa {
namespace {

/// Of 32 bits in PTX: masks of the lanes that take part or that say yes, and lane numbers of five bits.
bool has_mask_of_32(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::shfl:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::elect:
    case Opcode::activemask:
      return true;
    case Opcode::vote:
      return instruction.mods.sync || instruction.mods.vote == VoteMode::ballot;
    case Opcode::bar:
    case Opcode::barrier:
      return instruction.mods.barrier == BarrierMode::warp_sync;
    default:
      break;
  }
  for (const Operand& operand : instruction.operands)
    if (operand.kind == OperandKind::special && operand.special >= SpecialRegister::lanemask_eq &&
        operand.special <= SpecialRegister::lanemask_gt)
      return true;
  return false;
}

}  // namespace

void FunctionDecoder::refuse_masks_of_32(const Instruction& instruction) const {
  if (!has_mask_of_32(instruction)) return;
  fail(instruction,
       fmt::format("`{}` counts on warps of 32 lanes, and here WARP_SZ is {} (sm.ptx_warp_size; with 32 each half of a "
                   "warp is a warp of the program's, in lockstep)",
                   to_string(*d_.module_, function_, instruction), d_.module_->warp_sz));
}

void FunctionDecoder::decode_cross_lane(Op& op, const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::shfl:
      op.kind = OpKind::shuffle;
      break;
    case Opcode::vote:
      op.kind = OpKind::vote;
      break;
    case Opcode::match:
      op.kind = OpKind::match;
      break;
    case Opcode::redux:
      op.kind = OpKind::redux;
      break;
    case Opcode::elect:
      op.kind = OpKind::elect;
      break;
    default:
      op.kind = OpKind::activemask;
      break;
  }
  const Operand& to = instruction.operands[0];
  const bool pair = to.kind == OperandKind::pair;
  op.dst = result(pair ? to.elements[0] : to);
  if (pair) op.dst2 = result(to.elements[1]);
  const OpKind kind = op.kind;
  for (unsigned i = 1; i < instruction.operands.size() && i <= op.src.size(); ++i) {
    op.src[i - 1] = source(op, instruction, i);
    op.sources = static_cast<std::uint8_t>(i);
  }
  op.kind = kind;
  const Modifiers& m = instruction.mods;
  // What the executor wants to know without the AST: the mode, and for vote whether the predicate is inverted.
  switch (kind) {
    case OpKind::shuffle:
      op.immediate = static_cast<std::uint32_t>(m.shuffle);
      break;
    case OpKind::vote:
      op.immediate = static_cast<std::uint32_t>(m.vote);
      op.aux = instruction.operands[1].kind == OperandKind::reg && instruction.operands[1].negated ? ~0u : 0u;
      break;
    case OpKind::match:
      op.immediate = m.match_all;
      op.aux = type_bytes(m.type);
      break;
    case OpKind::redux:
      op.immediate = static_cast<std::uint32_t>(m.atomic);
      op.aux = static_cast<std::uint32_t>(m.type) | (m.absolute ? redux_absolute : 0) | (m.nan ? redux_nan : 0);
      break;
    default:
      break;
  }
  // Old forms without .sync have no member mask: all lanes that execute take part.
  op.uniform = m.sync;
}

void FunctionDecoder::decode_barrier(Op& op, const Instruction& instruction) {
  const std::vector<Operand>& operands = instruction.operands;
  op.barrier_mode = instruction.mods.barrier;
  if (op.barrier_mode == BarrierMode::warp_sync) {
    op.kind = OpKind::warp_barrier;
    op.src[0] = source(op, instruction, 0);
    return;
  }
  const bool reduces = op.barrier_mode == BarrierMode::red_and || op.barrier_mode == BarrierMode::red_or ||
                       op.barrier_mode == BarrierMode::red_popc;
  const unsigned first = reduces ? 1 : 0;
  const std::size_t numbers = operands.size() - first - (reduces ? 1 : 0);
  if (reduces) {
    op.dst = result(operands[0]);
    op.src[2] = source(op, instruction, static_cast<unsigned>(operands.size() - 1));
    op.immediate = operands.back().kind == OperandKind::reg && operands.back().negated ? ~0u : 0u;
  }
  op.src[0] = source(op, instruction, first);
  if (numbers > 1) op.src[1] = source(op, instruction, first + 1);
  op.sources = static_cast<std::uint8_t>(numbers);
  op.kind = OpKind::barrier;

  KernelInfo& kernel = program_.kernel_;
  kernel.uses_barriers = true;
  const bool known = operands[first].kind == OperandKind::immediate;
  kernel.barriers = std::max(kernel.barriers, known ? static_cast<unsigned>(operands[first].bits) + 1 : 16u);
}

}  // namespace syncline::isa
