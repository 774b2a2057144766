#include <algorithm>
#include <array>

#include "base/nearest.h"
#include "isa/cfg/transactions.h"
#include "isa/exec/decode/decoder.h"
#include "isa/exec/decode/operand_width.h"

namespace syncline::isa {
namespace {

struct SystemFunction {
  std::string_view name;
  SystemCall call;
};
constexpr std::array<SystemFunction, 4> system_functions{{{"vprintf", SystemCall::vprintf},
                                                          {"malloc", SystemCall::malloc},
                                                          {"free", SystemCall::free},
                                                          {"__assertfail", SystemCall::assertfail}}};

SystemCall find_system_call(std::string_view name) {
  for (const SystemFunction& f : system_functions)
    if (f.name == name) return f.call;
  return SystemCall::none;
}

}  // namespace

CallValue FunctionDecoder::call_value(const Operand& operand, const Variable* formal) {
  CallValue v;
  v.bytes = formal != nullptr && !formal->unsized ? static_cast<std::uint32_t>(formal->bytes) : 0;
  switch (operand.kind) {
    case OperandKind::sink:
      v.sink = true;
      break;
    case OperandKind::symbol: {
      const Variable* variable = find_symbol(*d_.module_, function_, operand.symbol);
      if (variable != nullptr && variable->space != Space::param && variable->space != Space::none &&
          operand.symbol.kind != SymbolKind::parameter && operand.symbol.kind != SymbolKind::return_value) {
        v.in_register = true;  // the address of a variable as an argument
        v.register_bytes = 8;
        v.reg = d_.pool_.broadcast(symbol_address(operand, nullptr), 8);
        break;
      }
      v.param = param_offset(operand.symbol);
      if (v.bytes == 0 && variable != nullptr) v.bytes = static_cast<std::uint32_t>(variable->bytes);
      break;
    }
    case OperandKind::reg:
      v.in_register = true;
      v.register_bytes = static_cast<std::uint8_t>(register_bytes(function_.registers[operand.index].type));
      v.reg = register_ref(operand.index);
      break;
    default: {
      const unsigned bytes = std::clamp<unsigned>(v.bytes == 0 ? 8 : v.bytes, 2, 8);
      v.in_register = true;
      v.register_bytes = static_cast<std::uint8_t>(bytes);
      v.reg = d_.pool_.broadcast(operand.bits, bytes);
      break;
    }
  }
  if (v.bytes == 0 && v.in_register) v.bytes = v.register_bytes;
  return v;
}

/// A vector is passed element by element, whether it is kept in registers or in the .param area.
void FunctionDecoder::add_call_values(const Operand& operand, const Variable* formal, std::vector<CallValue>& into) {
  if (formal == nullptr || formal->vector == 1 || formal->is_array) {
    into.push_back(call_value(operand, formal));
    return;
  }
  Variable element = *formal;
  element.vector = 1;
  element.bytes = type_bytes(formal->type);
  for (unsigned n = 0; n < formal->vector; ++n) {
    if (operand.kind == OperandKind::vector) {
      into.push_back(call_value(operand.elements[n], &element));
      continue;
    }
    Operand part = operand;
    if (part.kind == OperandKind::reg) part.index += n;
    into.push_back(call_value(part, &element));
    if (part.kind == OperandKind::symbol) into.back().param += static_cast<std::uint32_t>(n * element.bytes);
  }
}

void FunctionDecoder::decode_call(Op& op, const Instruction& instruction) {
  const Operand& callee = instruction.operands[1];
  CallSite site;
  const std::vector<Variable>*returns = nullptr, *params = nullptr;
  op.drains = true;
  if (callee.kind == OperandKind::symbol) {
    const Function& target = d_.module_->functions[callee.symbol.index];
    returns = &target.returns;
    params = &target.params;
    site.callee = callee.symbol.index;
    op.kind = OpKind::call;
    if (const TransactionMark mark = transaction_mark(*d_.module_, instruction); mark != TransactionMark::none) {
      decode_transaction(op, instruction, mark);
    } else if (!target.has_body) {
      site.system = find_system_call(target.name);
      op.kind = OpKind::system_call;
      program_.kernel_.system_calls = true;
      if (site.system == SystemCall::none) {
        std::vector<std::string> known;
        for (const Function& f : d_.module_->functions)
          if (f.has_body && !f.is_entry) known.push_back(f.name);
        for (const SystemFunction& f : system_functions) known.emplace_back(f.name);
        fail(instruction,
             "function `" + target.name + "` is called but has no body here" + base::suggestion(target.name, known));
      }
    }
  } else {
    op.kind = OpKind::call_indirect;
    site.target = register_ref(callee.index);
    site.target_bytes = static_cast<std::uint8_t>(register_width(callee.index));
    const Operand& types = instruction.operands[3];
    if (types.kind == OperandKind::call_prototype) {
      returns = &function_.prototypes[types.index].returns;
      params = &function_.prototypes[types.index].params;
    } else if (types.kind == OperandKind::call_targets && !function_.call_target_lists[types.index].functions.empty()) {
      const Function& f = d_.module_->functions[function_.call_target_lists[types.index].functions.front()];
      returns = &f.returns;
      params = &f.params;
    }
  }
  const auto collect = [&](const Operand& list, const std::vector<Variable>* formals, std::vector<CallValue>& into) {
    for (std::size_t n = 0; n < list.elements.size(); ++n)
      add_call_values(list.elements[n], formals != nullptr && n < formals->size() ? &(*formals)[n] : nullptr, into);
  };
  collect(instruction.operands[0], returns, site.results);
  collect(instruction.operands[2], params, site.arguments);
  op.aux = static_cast<std::uint32_t>(program_.calls_.size());
  program_.calls_.push_back(std::move(site));
}

}  // namespace syncline::isa
