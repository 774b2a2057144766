#include <fmt/format.h>

#include <algorithm>

#include "isa/exec/address_kernels.h"
#include "isa/exec/decode/decoder.h"
#include "isa/exec/decode/functional_unit.h"
#include "isa/exec/decode/operand_width.h"
#include "isa/exec/decode/register_access.h"
#include "isa/ptx/printer.h"
#include "isa/ptx/video_selector.h"

namespace syncline::isa {

FunctionDecoder::FunctionDecoder(Decoder& decoder, std::size_t code_index)
    : d_(decoder),
      program_(*decoder.program_),
      code_index_(code_index),
      code_(program_.functions_[code_index]),
      function_(decoder.module_->functions[code_.function]),
      layout_(decoder.layouts_[code_index]),
      graph_(decoder.graphs_[code_index]),
      tables_(function_.branch_tables.size(), no_index),
      in_kernel_(function_.is_entry) {}

void FunctionDecoder::fail(const Instruction& instruction, const std::string& message) const {
  throw base::UserError(d_.at(instruction), message);
}

void FunctionDecoder::fail_without_kernel(const Instruction& instruction) const {
  throw base::ModelError(fmt::format("{}:{}: no lane kernel executes `{}`", d_.module_->source_name, instruction.line,
                                     full_opcode(instruction.opcode, instruction.mods)));
}

void FunctionDecoder::decode() {
  code_.entry = static_cast<std::uint32_t>(program_.ops_.size());
  if (!in_kernel_) {
    for (const Variable& v : function_.params) {
      Operand formal;
      formal.kind = v.reg != no_index ? OperandKind::reg : OperandKind::symbol;
      formal.index = v.reg;
      formal.symbol = {SymbolKind::parameter, static_cast<std::uint32_t>(&v - function_.params.data())};
      add_call_values(formal, &v, code_.parameters);
    }
    for (const Variable& v : function_.returns) {
      Operand formal;
      formal.kind = v.reg != no_index ? OperandKind::reg : OperandKind::symbol;
      formal.index = v.reg;
      formal.symbol = {SymbolKind::return_value, static_cast<std::uint32_t>(&v - function_.returns.data())};
      add_call_values(formal, &v, code_.returns);
    }
    add_parameter_spills();
  }
  first_pc_ = static_cast<std::uint32_t>(program_.ops_.size());
  const std::vector<std::uint32_t> meets = immediate_post_dominators(graph_, function_);
  const auto count = static_cast<std::uint32_t>(function_.instructions.size());
  code_.end = first_pc_ + count + 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    decode_instruction(i);
    Op& op = program_.ops_.back();
    if (op.kind != OpKind::branch && op.kind != OpKind::branch_table) continue;
    const std::uint32_t block = meets[graph_.block_of(i)];
    if (block != no_index)
      op.reconverge = first_pc_ + graph_.blocks()[block].first;
    else if (!in_kernel_)
      op.reconverge = code_.end - 1;
  }
  append_end();
}

/// The implicit ret behind the last instruction; in a function the one place where all its threads return.
void FunctionDecoder::append_end() {
  Op op;
  op.kind = in_kernel_ ? OpKind::exit : OpKind::ret;
  op.opcode = Opcode::ret;
  op.unit = FunctionalUnit::control;
  op.drains = true;
  op.guard = d_.pool_.predicate(true);
  op.function = code_.function;
  op.instruction = static_cast<std::uint32_t>(function_.instructions.size());
  op.line = function_.instructions.empty() ? function_.line : function_.instructions.back().line;
  program_.ops_.push_back(op);
}

void FunctionDecoder::decode_instruction(std::uint32_t index) {
  const Instruction& instruction = function_.instructions[index];
  if (d_.module_->warp_sz != kernel_lanes) refuse_masks_of_32(instruction);
  Op op;
  op.opcode = instruction.opcode;
  op.unit = functional_unit(instruction);
  op.function = code_.function;
  op.instruction = index;
  op.line = instruction.line;
  op.uniform = instruction.mods.uni;
  op.guarded = static_cast<bool>(instruction.guard);
  op.guard = op.guarded ? register_ref(instruction.guard.reg) : d_.pool_.predicate(true);
  op.guard_flip = instruction.guard.negated ? ~0u : 0u;
  const OperandRef nothing = d_.pool_.zero();
  op.src = {nothing, nothing, nothing, nothing};
  op.dst = op.dst2 = {Bank::warp, WarpBank::trash};

  switch (instruction.opcode) {
    case Opcode::bra:
    case Opcode::brx:
      decode_branch(op, instruction, no_pc);
      break;
    case Opcode::ret:
      // In a kernel a thread that returns ends; in a function it goes to where all return together.
      op.kind = in_kernel_ ? OpKind::exit : OpKind::branch;
      op.target = first_pc_ + static_cast<std::uint32_t>(function_.instructions.size());
      op.drains = true;
      break;
    case Opcode::exit_:
      op.kind = OpKind::exit;
      op.drains = true;
      break;
    case Opcode::trap:
      op.kind = OpKind::trap;
      break;
    case Opcode::brkpt:
      op.kind = OpKind::breakpoint;
      break;
    case Opcode::pmevent:
    case Opcode::discard:
    case Opcode::applypriority:
      op.kind = OpKind::nop;
      break;
    case Opcode::createpolicy: {
      // Opaque bits that nothing looks at: cache policies are hints.
      Modifiers bits;
      bits.type = Type::b64;
      op.kind = OpKind::lanes;
      op.kernel = find_lane_kernel(Opcode::mov, bits);
      op.dst = result(instruction.operands[0]);
      break;
    }
    case Opcode::membar:
    case Opcode::fence:
      op.kind = OpKind::fence;
      break;
    case Opcode::tx:
      decode_transaction(op, instruction, instruction.mods.transaction);
      break;
    case Opcode::nanosleep:
      op.kind = OpKind::nanosleep;
      op.src[0] = source(op, instruction, 0);
      break;
    case Opcode::alloca_:
      op.kind = OpKind::stack_alloc;
      op.dst = result(instruction.operands[0]);
      op.immediate = type_bytes(instruction.mods.type);
      op.src[0] = source(op, instruction, 1);
      op.aux = instruction.operands.size() > 2 ? static_cast<std::uint32_t>(instruction.operands[2].bits) : 8;
      break;
    case Opcode::bar:
    case Opcode::barrier:
      decode_barrier(op, instruction);
      break;
    case Opcode::call:
      decode_call(op, instruction);
      break;
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red:
    case Opcode::prefetchu:
      decode_memory(op, instruction);
      break;
    case Opcode::prefetch:
      // Without a level it fetches a tensor map, and there are none.
      if (instruction.mods.level_prefetch_l1 || instruction.mods.level_prefetch_l2) decode_memory(op, instruction);
      break;
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::activemask:
    case Opcode::redux:
    case Opcode::elect:
      decode_cross_lane(op, instruction);
      break;
    case Opcode::mov:
      decode_move(op, instruction);
      break;
    case Opcode::cvta:
      decode_cvta(op, instruction);
      break;
    case Opcode::isspacep: {
      op.kind = OpKind::lanes;
      const Operand& address = instruction.operands[1];
      const unsigned bytes = address.kind == OperandKind::reg ? register_width(address.index) : 8;
      op.kernel = space_test_kernel(instruction.mods.space, bytes);
      op.dst = result(instruction.operands[0]);
      op.src[0] = value(op, address, bytes);
      break;
    }
    default:
      decode_arithmetic(op, instruction);
      break;
  }
  count_registers(op, instruction);
  program_.ops_.push_back(op);
}

/// Registers are kept for those who begin again, so nothing may be on its way to them.
void FunctionDecoder::decode_transaction(Op& op, const Instruction& instruction, TransactionMark mark) {
  op.kind = mark == TransactionMark::begin ? OpKind::transaction_begin : OpKind::transaction_commit;
  op.unit = FunctionalUnit::synchronise;
  op.drains = true;
  if (program_.kernel_.transaction.line == 0) program_.kernel_.transaction = d_.at(instruction);
}

void FunctionDecoder::decode_branch(Op& op, const Instruction& instruction, std::uint32_t reconverge) {
  op.reconverge = reconverge;
  const auto target = [&](std::uint32_t label) { return first_pc_ + function_.labels[label].instruction; };
  if (instruction.opcode == Opcode::bra) {
    op.kind = OpKind::branch;
    op.target = target(instruction.operands[0].index);
    return;
  }
  op.kind = OpKind::branch_table;
  op.src[0] = source(op, instruction, 0);
  std::uint32_t& table = tables_[instruction.operands[1].index];
  if (table == no_index) {
    table = static_cast<std::uint32_t>(program_.branch_tables_.size());
    program_.branch_tables_.emplace_back();
    for (const std::uint32_t label : function_.branch_tables[instruction.operands[1].index].labels)
      program_.branch_tables_.back().push_back(target(label));
  }
  op.aux = table;
}

OperandRef FunctionDecoder::register_ref(std::uint32_t reg) const {
  const RegisterPlace& place = layout_.places[reg];
  if (place.offset == no_index) return {Bank::warp, WarpBank::trash};
  return {place.shared ? Bank::warp : Bank::registers, place.offset};
}

OperandRef FunctionDecoder::result(const Operand& operand) const {
  if (operand.kind == OperandKind::reg) return register_ref(operand.index);
  return {Bank::warp, WarpBank::trash};
}

OperandRef FunctionDecoder::value(Op& op, const Operand& operand, unsigned bytes) {
  switch (operand.kind) {
    case OperandKind::reg:
      return register_ref(operand.index);
    case OperandKind::immediate:
      return bytes == 0 ? d_.pool_.predicate((operand.bits != 0) != operand.negated)
                        : d_.pool_.broadcast(operand.bits, bytes);
    case OperandKind::symbol:
      return d_.pool_.broadcast(symbol_address(operand, nullptr), bytes);
    case OperandKind::special:
      if (bytes == 0) return d_.pool_.predicate(false);  // %is_explicit_cluster: a cluster is one CTA
      if (d_.varies(operand.special)) op.kind = OpKind::special;
      return d_.special(operand.special, operand.component, bytes);
    default:
      return d_.pool_.zero();
  }
}

OperandRef FunctionDecoder::source(Op& op, const Instruction& instruction, unsigned index) {
  return value(op, instruction.operands[index], kernel_bytes(instruction.opcode, operand_type(instruction, index)));
}

void FunctionDecoder::decode_arithmetic(Op& op, const Instruction& instruction) {
  op.kind = OpKind::lanes;
  op.kernel =
      find_lane_kernel(instruction.opcode, instruction.mods, static_cast<unsigned>(instruction.operands.size()) - 1);
  if (op.kernel == nullptr) fail_without_kernel(instruction);
  const std::vector<Operand>& operands = instruction.operands;
  if (operands[0].kind == OperandKind::pair) {
    op.dst = result(operands[0].elements[0]);
    op.dst2 = result(operands[0].elements[1]);
  } else {
    op.dst = result(operands[0]);
  }
  if (operands.size() > 1 && operands[1].kind == OperandKind::vector) return decode_quadruple(op, instruction);
  unsigned n = 0;
  for (unsigned i = 1; i < operands.size() && n < op.src.size(); ++i) {
    if (instruction.opcode == Opcode::lop3 && i == 4) {
      op.immediate = static_cast<std::uint32_t>(operands[i].bits);
      n = 3;
      continue;
    }
    op.src[n++] = source(op, instruction, i);
  }
  op.sources = static_cast<std::uint8_t>(n);
  if (is_video(instruction.opcode)) op.immediate = video_selection(instruction);
  if (reads_carry(instruction)) op.src[3] = register_ref(carry_register(function_));
  if (writes_carry(instruction)) op.dst2 = register_ref(carry_register(function_));
  adapt(op, instruction);
}

/// cvt.rs d, {a, b, e, f}, rbits: five sources, of which an op has room for four.
void FunctionDecoder::decode_quadruple(Op& op, const Instruction& instruction) {
  const std::vector<Operand>& elements = instruction.operands[1].elements;
  for (unsigned n = 0; n < elements.size(); ++n) op.src[n] = value(op, elements[n], type_bytes(Type::f32));
  op.sources = static_cast<std::uint8_t>(elements.size());
  Adaptation a;
  a.fifth = source(op, instruction, 2);
  adapt_result(a, instruction);
  append(op, a);
}

/// A register of the destination may be wider than the result.
bool FunctionDecoder::adapt_result(Adaptation& a, const Instruction& instruction) const {
  const Operand& to = instruction.operands[0];
  if (instruction.opcode != Opcode::cvt || !has_place(to)) return false;
  const Type type = operand_type(instruction, 0);
  if (register_width(to.index) == type_bytes(type)) return false;
  a.result_bytes = static_cast<std::uint8_t>(type_bytes(type));
  a.register_bytes = static_cast<std::uint8_t>(register_width(to.index));
  a.result_signed = is_signed(type);
  return true;
}

void FunctionDecoder::append(Op& op, Adaptation& a) {
  a.varies = op.kind == OpKind::special;
  op.kind = OpKind::adapted;
  op.aux = static_cast<std::uint32_t>(program_.adaptations_.size());
  program_.adaptations_.push_back(a);
}

void FunctionDecoder::adapt(Op& op, const Instruction& instruction) {
  Adaptation a;
  bool needed = false;
  const std::vector<Operand>& operands = instruction.operands;
  const bool converts = instruction.opcode == Opcode::cvt;
  for (unsigned i = 1; i < operands.size(); ++i) {
    const unsigned n = instruction.opcode == Opcode::lop3 && i > 4 ? i - 2 : i - 1;
    if (n >= a.source.size() || operands[i].kind != OperandKind::reg) continue;
    const Type type = operand_type(instruction, i);
    Adaptation::Source& s = a.source[n];
    if (register_bytes(type) == 0) {
      s.invert = operands[i].negated;
      needed |= s.invert;
    } else if (converts && register_width(operands[i].index) != type_bytes(type)) {
      s.from_bytes = static_cast<std::uint8_t>(register_width(operands[i].index));
      s.to_bytes = static_cast<std::uint8_t>(type_bytes(type));
      needed = true;
    }
  }
  needed |= adapt_result(a, instruction);
  if (needed) append(op, a);
}

void FunctionDecoder::count_registers(Op& op, const Instruction& instruction) {
  if (op.drains || op.kind == OpKind::call || op.kind == OpKind::call_indirect || op.kind == OpKind::system_call)
    return;
  RegisterAccess access;
  register_access(function_, instruction, access);
  RegisterUse& use = op.registers;
  unsigned n = 0;
  const auto add = [&](const std::vector<std::uint32_t>& registers) {
    const unsigned from = n;
    for (const std::uint32_t r : registers) {
      if (layout_.places[r].offset == no_index) continue;
      const std::uint16_t id = layout_.places[r].id;
      if (std::find(use.ids.begin() + from, use.ids.begin() + n, id) != use.ids.begin() + n) continue;
      if (n == RegisterUse::capacity) fail(instruction, "too many registers in one instruction");
      use.ids[n++] = id;
    }
    return static_cast<std::uint8_t>(n - from);
  };
  use.reads = add(access.reads);
  use.writes = add(access.writes);
}

}  // namespace syncline::isa
