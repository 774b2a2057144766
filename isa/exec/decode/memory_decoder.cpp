#include "isa/exec/decode/decoder.h"
#include "isa/exec/decode/operand_width.h"

namespace syncline::isa {
namespace {

bool is_atomic(Opcode opcode) {
  return opcode == Opcode::atom || opcode == Opcode::red;
}

AccessKind access_kind(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::st:
      return AccessKind::store;
    case Opcode::red:
      return AccessKind::reduction;
    case Opcode::atom:
      return i.operands[0].kind == OperandKind::sink ? AccessKind::reduction : AccessKind::atomic;
    case Opcode::prefetch:
    case Opcode::prefetchu:
      return AccessKind::prefetch;
    default:
      return AccessKind::load;
  }
}

OpKind op_kind(AccessKind kind) {
  switch (kind) {
    case AccessKind::store:
      return OpKind::store;
    case AccessKind::atomic:
    case AccessKind::reduction:
      return OpKind::atomic;
    case AccessKind::prefetch:
      return OpKind::prefetch;
    default:
      return OpKind::load;
  }
}

}  // namespace

void FunctionDecoder::decode_memory(Op& op, const Instruction& instruction) {
  const Modifiers& m = instruction.mods;
  const std::vector<Operand>& operands = instruction.operands;
  program_.memory_forms_.push_back(std::make_unique<MemoryForm>());
  MemoryForm& form = *program_.memory_forms_.back();
  form.kind = access_kind(instruction);
  op.kind = op_kind(form.kind);
  form.type = m.type;
  form.element_bytes = static_cast<std::uint8_t>(form.kind == AccessKind::prefetch ? 1 : type_bytes(m.type));
  form.elements = m.vector;
  form.stride = static_cast<std::uint8_t>(form.element_bytes * form.elements);
  form.register_bytes.fill(static_cast<std::uint8_t>(form.element_bytes == 1 ? 2 : form.element_bytes));
  form.sign_extend = is_signed(m.type);
  form.non_coherent = m.non_coherent || instruction.opcode == Opcode::ldu;
  form.cache = m.cache;
  form.semantics = m.semantics;
  form.scope = m.scope;
  form.atomic = m.atomic;
  form.prefetch_level = m.level_prefetch_l2 ? 2 : 1;

  const bool address_first =
      instruction.opcode == Opcode::st || instruction.opcode == Opcode::red || form.kind == AccessKind::prefetch;
  const Operand& address = operands[address_first ? 0 : 1];
  decode_address(op, form, address, m.space);

  // Data: one register, or a vector of them. A load's may be wider than the type, a store's too.
  const auto bind = [&](const Operand& operand, bool is_result) {
    const std::size_t count = operand.kind == OperandKind::vector ? operand.elements.size() : 1;
    for (std::size_t n = 0; n < count; ++n) {
      const Operand& element = operand.kind == OperandKind::vector ? operand.elements[n] : operand;
      if (has_place(element)) form.register_bytes[n] = static_cast<std::uint8_t>(register_width(element.index));
      const bool nowhere = is_result && !has_place(element);
      if (nowhere || element.kind == OperandKind::sink) form.sinks |= 1u << n;
      form.data[n] = is_result ? result(element) : value(op, element, form.register_bytes[n]);
    }
  };
  const OpKind kind = op.kind;
  if (form.kind == AccessKind::load) bind(operands[0], true);
  if (form.kind == AccessKind::store) bind(operands[1], false);
  if (is_atomic(instruction.opcode)) {
    const unsigned b = address_first ? 1 : 2;
    const Operand& operand_b = operands[b];
    const std::size_t count = operand_b.kind == OperandKind::vector ? operand_b.elements.size() : 1;
    for (std::size_t n = 0; n < count; ++n)
      form.operand_b[n] =
          value(op, operand_b.kind == OperandKind::vector ? operand_b.elements[n] : operand_b, form.register_bytes[n]);
    if (operands.size() > b + 1 && m.atomic == AtomicOp::cas)
      form.operand_c = value(op, operands[b + 1], form.register_bytes[0]);
    if (!address_first) bind(operands[0], true);
    form.ftz = !m.no_ftz && m.atomic == AtomicOp::add && m.type == Type::f32;
  }
  op.kind = kind;
  op.memory = &form;
  op.is_memory =
      op.kind == OpKind::load || op.kind == OpKind::store || op.kind == OpKind::atomic || op.kind == OpKind::prefetch;
}

void FunctionDecoder::decode_address(Op& op, MemoryForm& form, const Operand& address, Space space) {
  form.space = space == Space::none ? Space::generic : space;
  form.offset = address.offset;
  if (form.space == Space::param) return decode_param_address(op, form, address);
  if (address.index != no_index) {
    form.base = register_ref(address.index);
    form.address_bytes = static_cast<std::uint8_t>(register_width(address.index));
    return;
  }
  form.base = d_.pool_.zero();
  if (std::uint64_t offset = 0; frame_local(address, offset)) {
    form.frame_local = true;
    form.offset = static_cast<std::int64_t>(offset);
    // A generic access that names a .local variable goes to it without a window.
    form.space = Space::local;
    return;
  }
  if (address.symbol.kind == SymbolKind::none) return;
  const Variable* variable = find_symbol(*d_.module_, function_, address.symbol);
  if (variable != nullptr && form.space == Space::generic) form.space = variable->space;
  form.offset = static_cast<std::int64_t>(symbol_address(address, nullptr));
}

/// ld.param and st.param: a kernel's parameters are uniform; those of functions and calls are kept per lane.
void FunctionDecoder::decode_param_address(Op& op, MemoryForm& form, const Operand& address) {
  const bool launch_parameter =
      in_kernel_ && (address.index != no_index || address.symbol.kind == SymbolKind::parameter ||
                     address.symbol.kind == SymbolKind::none);
  if (launch_parameter) {
    op.kind = OpKind::kernel_param;
    op.unit = FunctionalUnit::load_store;
    if (address.index != no_index) {
      form.base = register_ref(address.index);
      form.address_bytes = static_cast<std::uint8_t>(register_width(address.index));
      op.immediate = 1;  // addresses differ per lane
    } else if (address.symbol.kind == SymbolKind::parameter) {
      form.offset += static_cast<std::int64_t>(function_.params[address.symbol.index].offset);
    }
    return;
  }
  std::uint64_t offset = 0;
  if (address.index != no_index) {  // the address of a parameter of this function: it lives on the stack
    form.space = Space::local;
    form.base = register_ref(address.index);
    form.address_bytes = static_cast<std::uint8_t>(register_width(address.index));
    return;
  }
  if (frame_local(address, offset)) {
    form.space = Space::local;
    form.frame_local = true;
    form.base = d_.pool_.zero();
    form.offset = static_cast<std::int64_t>(offset);
    return;
  }
  op.kind = form.kind == AccessKind::store ? OpKind::param_store : OpKind::param_load;
  op.unit = FunctionalUnit::integer;
  form.offset += static_cast<std::int64_t>(param_offset(address.symbol));
}

std::uint32_t FunctionDecoder::param_offset(Symbol symbol) const {
  switch (symbol.kind) {
    case SymbolKind::parameter:
      return static_cast<std::uint32_t>(function_.params[symbol.index].offset);
    case SymbolKind::return_value:
      return d_.return_area_[code_index_] + static_cast<std::uint32_t>(function_.returns[symbol.index].offset);
    case SymbolKind::function_variable:
      return static_cast<std::uint32_t>(d_.variable_offset_[code_index_][symbol.index]);
    default:
      return 0;
  }
}

/// Parameters whose address is taken are copied to the stack before the body begins, eight bytes at a time through a
/// register behind the frame's others.
void FunctionDecoder::add_parameter_spills() {
  for (std::uint32_t n = 0; n < function_.params.size(); ++n) {
    const std::uint64_t to = d_.spilled_[code_index_][n];
    if (to == Decoder::no_spill) continue;
    const OperandRef scratch(Bank::warp, WarpBank::source_scratch);
    for (std::uint64_t at = 0; at < function_.params[n].bytes; at += 8) {
      for (const bool stores : {false, true}) {
        program_.memory_forms_.push_back(std::make_unique<MemoryForm>());
        MemoryForm& form = *program_.memory_forms_.back();
        form.kind = stores ? AccessKind::store : AccessKind::load;
        form.space = stores ? Space::local : Space::param;
        form.type = Type::b64;
        form.element_bytes = form.stride = form.register_bytes[0] = 8;
        form.frame_local = stores;
        form.base = d_.pool_.zero();
        form.offset = static_cast<std::int64_t>(stores ? to + at : function_.params[n].offset + at);
        form.data[0] = scratch;
        Op op;
        op.kind = stores ? OpKind::store : OpKind::param_load;
        op.opcode = stores ? Opcode::st : Opcode::ld;
        op.unit = stores ? FunctionalUnit::load_store : FunctionalUnit::integer;
        op.is_memory = stores;
        op.guard = d_.pool_.predicate(true);
        op.function = code_.function;
        op.instruction = static_cast<std::uint32_t>(function_.instructions.size());
        op.line = function_.params[n].line;
        op.memory = &form;
        program_.ops_.push_back(op);
      }
    }
  }
}

}  // namespace syncline::isa
