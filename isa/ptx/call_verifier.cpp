// Calls against what they call.
#include <fmt/format.h>

#include <algorithm>

#include "isa/ptx/constant.h"
#include "isa/ptx/verifier.h"

namespace syncline::isa {
namespace {

constexpr std::size_t most_call_edges = 1u << 20;  // edges of a flow graph

/// What the callee of a call declares; null where nothing says it.
const std::vector<Variable>* parameters_of(const Module& module, const Function& function, const Instruction& call) {
  const Operand& callee = call.operands[1];
  if (callee.kind == OperandKind::symbol) return &module.functions[callee.symbol.index].params;
  const Operand& types = call.operands[3];
  if (types.kind == OperandKind::call_prototype) return &function.prototypes[types.index].params;
  const std::vector<std::uint32_t>& targets = function.call_target_lists[types.index].functions;
  return targets.empty() ? nullptr : &module.functions[targets.front()].params;
}

bool ends_open(const std::vector<Variable>& params) {
  return !params.empty() && params.back().unsized;
}

/// Bytes of the open array that a function's instructions read by name.
std::uint64_t read_by_name(const Function& function) {
  std::uint64_t bytes = 0;
  for (const Instruction& instruction : function.instructions)
    for (const Operand& operand : instruction.operands)
      if (operand.kind == OperandKind::address && operand.symbol.kind == SymbolKind::parameter &&
          operand.symbol.index + 1 == function.params.size())
        bytes = std::max(bytes, static_cast<std::uint64_t>(operand.offset) +
                                    std::uint64_t{type_bytes(instruction.mods.type)} * instruction.mods.vector);
  return bytes;
}

}  // namespace

void size_open_arrays(Module& module) {
  const auto& all = module.functions;
  if (std::none_of(all.begin(), all.end(), [](const Function& f) { return ends_open(f.params); })) return;
  std::uint64_t longest = 0;
  for (const Function& function : all)
    for (const Instruction& call : function.instructions) {
      if (call.opcode != Opcode::call || call.operands[2].elements.empty()) continue;
      const std::vector<Variable>* params = parameters_of(module, function, call);
      if (params == nullptr || !ends_open(*params)) continue;
      const Variable* passed = find_symbol(module, function, call.operands[2].elements.back().symbol);
      if (passed != nullptr) longest = std::max(longest, passed->bytes);
    }
  for (Function& function : module.functions) {
    if (!ends_open(function.params)) continue;
    Variable& open = function.params.back();
    open.bytes = std::max(longest, read_by_name(function));
    function.param_bytes = open.offset + open.bytes;
  }
}

void verify_direct_call(const ParserContext& context, const Function& function, Instruction& instruction) {
  const Operand& callee = instruction.operands[1];
  const TextPlace place{instruction.line, instruction.column};
  if (callee.kind == OperandKind::reg) {
    const Type type = function.registers[callee.index].type;
    if ((type_bytes(type) != 4 && type_bytes(type) != 8) || is_float(type))
      fail_at(context.module.source_name, place,
              fmt::format("`{}` of type .{} cannot hold the address of a function",
                          function.registers[callee.index].name, name(type)));
    return;
  }
  const Function& target = context.module.functions[callee.symbol.index];
  if (target.is_entry)
    fail_at(context.module.source_name, place,
            fmt::format("`{}` is a kernel: only functions can be called", target.name));
  verify_call_list(context, function, instruction.operands[0], target.returns, target.name, true, place);
  verify_call_list(context, function, instruction.operands[2], target.params, target.name, false, place);
}

void verify_call_list(const ParserContext& context, const Function& function, Operand& list,
                      const std::vector<Variable>& wanted, std::string_view callee, bool results, TextPlace place) {
  const std::string& source = context.module.source_name;
  const char* what = results ? "return value" : "argument";
  if (list.elements.size() != wanted.size())
    fail_at(source, place,
            fmt::format("`{}` has {} {}s, the call has {}", callee, wanted.size(), what, list.elements.size()));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Operand& have = list.elements[i];
    const Variable& want = wanted[i];
    const auto fail = [&](const std::string& message) {
      fail_at(source, place, fmt::format("{} {} of `{}`: {}", what, i + 1, callee, message));
    };
    const auto check_scalar = [&](Operand& scalar) {
      if (scalar.kind == OperandKind::reg) {
        const Type type = function.registers[scalar.index].type;
        if (want.is_array || !register_fits(type, want.type, false))
          fail(fmt::format("`{}` of type .{} does not fit in .{}", function.registers[scalar.index].name, name(type),
                           name(want.type)));
      } else if (scalar.kind == OperandKind::immediate) {
        if (want.is_array) fail("a constant cannot stand for an array");
        Constant constant;
        constant.kind = scalar.immediate_kind;
        constant.bits = scalar.bits;
        if (!constant_bits(constant, want.type, scalar.bits))
          fail(fmt::format("the constant does not fit in .{}", name(want.type)));
      }
    };
    if (have.kind == OperandKind::symbol) {
      const Variable* variable = find_symbol(context.module, function, have.symbol);
      if (variable == nullptr || variable->space != Space::param) fail("expected a `.param` variable or a register");
      if (variable->bytes != want.bytes && !want.unsized)
        fail(fmt::format("`{}` has {} bytes, {} are wanted", variable->name, variable->bytes, want.bytes));
      continue;
    }
    const std::size_t elements = have.kind == OperandKind::vector ? have.elements.size() : 1;
    if (elements != want.vector && have.kind != OperandKind::sink)
      fail(fmt::format("{} elements are wanted, {} are given", want.vector, elements));
    if (have.kind == OperandKind::vector)
      for (Operand& element : have.elements) check_scalar(element);
    else
      check_scalar(have);
  }
}

void verify_function(const ParserContext& context, Function& function) {
  std::size_t targets = 0;
  for (Instruction& instruction : function.instructions) {
    if (instruction.opcode == Opcode::brx) {
      targets += function.branch_tables[instruction.operands[1].index].labels.size();
      if (targets > most_call_edges)
        fail_at(context.module.source_name, {instruction.line, instruction.column},
                fmt::format("the `brx.idx` instructions of one function have more than {} targets in their tables",
                            most_call_edges));
    }
    if (instruction.opcode != Opcode::call || instruction.operands[1].kind != OperandKind::reg) continue;
    const TextPlace place{instruction.line, instruction.column};
    const Operand& table = instruction.operands[3];
    if (table.kind == OperandKind::call_prototype) {
      const CallPrototype& prototype = function.prototypes[table.index];
      verify_call_list(context, function, instruction.operands[0], prototype.returns, prototype.name, true, place);
      verify_call_list(context, function, instruction.operands[2], prototype.params, prototype.name, false, place);
    } else {
      for (const std::uint32_t index : function.call_target_lists[table.index].functions) {
        const Function& target = context.module.functions[index];
        verify_call_list(context, function, instruction.operands[0], target.returns, target.name, true, place);
        verify_call_list(context, function, instruction.operands[2], target.params, target.name, false, place);
      }
    }
  }
}

}  // namespace syncline::isa
