// mov, packs and unpacks, cvta, and the addresses that symbols stand for.
#include <algorithm>

#include "isa/exec/address_kernels.h"
#include "isa/exec/decode/decoder.h"
#include "isa/exec/decode/operand_width.h"

namespace syncline::isa {

void FunctionDecoder::decode_move(Op& op, const Instruction& instruction) {
  const Operand& to = instruction.operands[0];
  const Operand& from = instruction.operands[1];
  if (instruction.mods.vector > 1) return decode_vector_move(op, instruction);
  if (to.kind == OperandKind::vector || from.kind == OperandKind::vector) return decode_pack(op, instruction);
  op.kind = OpKind::lanes;
  op.sources = 1;
  op.dst = result(to);
  const unsigned bytes = register_bytes(instruction.mods.type);
  if (std::uint64_t offset = 0; frame_local(from, offset)) return local_address(op, offset, bytes, 0);
  op.src[0] = value(op, from, bytes);
  if (bytes == 0) {
    op.kernel = move_predicate;
    adapt(op, instruction);
  } else {
    op.kernel = bytes == 16 ? move_b128 : find_lane_kernel(Opcode::mov, instruction.mods);
  }
  if (op.kernel == nullptr) fail_without_kernel(instruction);
}

void FunctionDecoder::decode_pack(Op& op, const Instruction& instruction) {
  const bool packs = instruction.operands[1].kind == OperandKind::vector;
  const Operand& parts = instruction.operands[packs ? 1 : 0];
  const Operand& whole = instruction.operands[packs ? 0 : 1];
  op.kind = packs ? OpKind::pack : OpKind::unpack;
  VectorForm form;
  form.parts = static_cast<std::uint8_t>(parts.elements.size());
  form.whole_bytes = static_cast<std::uint8_t>(type_bytes(instruction.mods.type));
  form.part_bytes = static_cast<std::uint8_t>(form.whole_bytes / form.parts);
  form.part_stride.fill(static_cast<std::uint8_t>(std::max<unsigned>(form.part_bytes, 2)));
  for (unsigned n = 0; n < parts.elements.size(); ++n) {
    const Operand& part = parts.elements[n];
    if (part.kind == OperandKind::sink) form.sinks |= 1u << n;
    if (has_place(part)) form.part_stride[n] = static_cast<std::uint8_t>(register_width(part.index));
    form.part[n] = packs ? value(op, part, form.part_stride[n]) : result(part);
  }
  form.whole = packs ? result(whole) : value(op, whole, form.whole_bytes);
  op.kind = packs ? OpKind::pack : OpKind::unpack;
  op.aux = static_cast<std::uint32_t>(program_.vectors_.size());
  program_.vectors_.push_back(form);
}

void FunctionDecoder::decode_vector_move(Op& op, const Instruction& instruction) {
  const std::vector<Operand>& to = instruction.operands[0].elements;
  const std::vector<Operand>& from = instruction.operands[1].elements;
  VectorForm form;
  form.parts = instruction.mods.vector;
  form.part_bytes = static_cast<std::uint8_t>(register_bytes(instruction.mods.type));
  for (unsigned n = 0; n < form.parts; ++n) {
    if (to[n].kind == OperandKind::sink) form.sinks |= 1u << n;
    form.part[n] = result(to[n]);
    form.source[n] = value(op, from[n], form.part_bytes);
  }
  op.kind = OpKind::vector_move;
  op.aux = static_cast<std::uint32_t>(program_.vectors_.size());
  program_.vectors_.push_back(form);
}

/// cvta is an addition or a subtraction of the window's base.
void FunctionDecoder::decode_cvta(Op& op, const Instruction& instruction) {
  const Modifiers& m = instruction.mods;
  const bool to_space = m.to_space != Space::none;
  const Space space = to_space ? m.to_space : m.space;
  const unsigned bytes = type_bytes(m.type);
  const std::uint64_t base = window_base(space);
  const Operand& from = instruction.operands[1];
  op.dst = result(instruction.operands[0]);
  if (std::uint64_t offset = 0; frame_local(from, offset)) return local_address(op, offset, bytes, base);
  op.kind = OpKind::lanes;
  op.sources = 2;
  Modifiers add;
  add.type = bytes == 4 ? Type::u32 : Type::u64;
  op.kernel = find_lane_kernel(Opcode::add, add);
  op.src[0] = value(op, from, bytes);
  op.src[1] = d_.pool_.broadcast(to_space ? std::uint64_t{0} - base : base, bytes);
}

void FunctionDecoder::local_address(Op& op, std::uint64_t offset, unsigned bytes, std::uint64_t window) {
  op.kind = OpKind::local_address;
  op.immediate = bytes;
  op.aux = static_cast<std::uint32_t>(offset + window);
}

bool FunctionDecoder::frame_local(const Operand& operand, std::uint64_t& offset) const {
  if (operand.kind != OperandKind::symbol && operand.kind != OperandKind::address) return false;
  if (operand.symbol.kind == SymbolKind::function_variable &&
      function_.variables[operand.symbol.index].space == Space::local) {
    offset = d_.variable_offset_[code_index_][operand.symbol.index] + static_cast<std::uint64_t>(operand.offset);
    return true;
  }
  if (operand.symbol.kind == SymbolKind::parameter && !in_kernel_ &&
      d_.spilled_[code_index_][operand.symbol.index] != Decoder::no_spill) {
    offset = d_.spilled_[code_index_][operand.symbol.index] + static_cast<std::uint64_t>(operand.offset);
    return true;
  }
  return false;
}

std::uint64_t FunctionDecoder::symbol_address(const Operand& operand, const Instruction* instruction) const {
  const auto offset = static_cast<std::uint64_t>(operand.offset);
  const auto of = [&](const Variable& v, std::uint64_t placed, std::uint64_t local) {
    switch (v.space) {
      case Space::shared:
        return d_.shared_offset(v) + offset;
      case Space::local:
        return local + offset;
      default:
        return placed + offset;
    }
  };
  switch (operand.symbol.kind) {
    case SymbolKind::module_variable: {
      const std::uint32_t n = operand.symbol.index;
      const auto& placed = d_.placement_.variable_address;
      const auto local = d_.module_local_.find(n);
      return of(d_.module_->variables[n], n < placed.size() ? placed[n] : 0,
                local == d_.module_local_.end() ? 0 : local->second);
    }
    case SymbolKind::function_variable: {
      const auto& placed = d_.placement_.function_variable_address;
      const bool known = code_.function < placed.size() && operand.symbol.index < placed[code_.function].size();
      return of(function_.variables[operand.symbol.index], known ? placed[code_.function][operand.symbol.index] : 0, 0);
    }
    case SymbolKind::function:
      return function_address(operand.symbol.index) + offset;
    case SymbolKind::parameter:
      if (in_kernel_) return function_.params[operand.symbol.index].offset + offset;
      break;
    default:
      break;
  }
  if (instruction != nullptr) fail(*instruction, "this operand has no address");
  return param_offset(operand.symbol) + offset;
}

}  // namespace syncline::isa
