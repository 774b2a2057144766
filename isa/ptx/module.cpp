// Look-ups in a parsed module.
#include "isa/ptx/ast.h"

namespace syncline::isa {

const Function* Module::find_function(std::string_view wanted) const {
  for (const Function& function : functions)
    if (function.name == wanted) return &function;
  return nullptr;
}

const Variable* Module::find_variable(std::string_view wanted) const {
  for (const Variable& variable : variables)
    if (variable.name == wanted) return &variable;
  return nullptr;
}

const Variable* find_symbol(const Module& module, const Function& function, Symbol symbol) {
  switch (symbol.kind) {
    case SymbolKind::module_variable:
      return &module.variables[symbol.index];
    case SymbolKind::function_variable:
      return &function.variables[symbol.index];
    case SymbolKind::parameter:
      return &function.params[symbol.index];
    case SymbolKind::return_value:
      return &function.returns[symbol.index];
    case SymbolKind::function:
    case SymbolKind::module_register:
    case SymbolKind::none:
      break;
  }
  return nullptr;
}

std::string_view symbol_name(const Module& module, const Function& function, Symbol symbol) {
  if (symbol.kind == SymbolKind::function) return module.functions[symbol.index].name;
  const Variable* variable = find_symbol(module, function, symbol);
  return variable == nullptr ? std::string_view("?") : std::string_view(variable->name);
}

}  // namespace syncline::isa
