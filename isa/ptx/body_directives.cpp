// Directives inside a function body.
#include <fmt/format.h>

#include "isa/ptx/constant.h"
#include "isa/ptx/declarations.h"
#include "isa/ptx/function_parser.h"
#include "isa/ptx/location.h"

namespace syncline::isa {

void FunctionParser::parse_directive() {
  const Token token = lexer_.current();
  const Space space = declared_space(token);
  if (space == Space::reg) return parse_registers();
  if (space != Space::none) return parse_variables(space);
  if (token.text == ".loc") return parse_location();
  if (token.text == ".pragma") {
    read_pragma(lexer_, function_.pragmas);
    return;
  }
  if (token.text == ".section") return skip_section(lexer_);
  if (token.text == ".file") return read_file_entry(lexer_, module_);
  if (token.text == ".branchtargets" || token.text == ".calltargets" || token.text == ".callprototype")
    lexer_.fail(token, fmt::format("expected a label and `:` before `{}`", token.text));
  lexer_.fail(token, fmt::format("unknown directive {} in a function body", quoted(token.text)));
}

void FunctionParser::parse_registers() {
  lexer_.take();
  const DeclarationHead head = read_register_head(lexer_, context_.refused);
  do {
    const Token name = context_.take_name("the name of a register");
    if (const auto count = read_name_count(lexer_, "registers"))
      scopes_.declare_range(name, head.type, head.vector, *count);
    else
      scopes_.declare_register(name, head.type, head.vector);
  } while (lexer_.accept(','));
  lexer_.expect(';', "after the declaration of registers");
}

void FunctionParser::parse_variables(Space space) {
  lexer_.take();
  const DeclarationHead head = read_declaration_head(lexer_, context_.refused);
  do {
    const Token name = lexer_.current();
    Variable variable = read_declarator(lexer_, head, space);
    if (const auto count = read_name_count(lexer_, "variables")) {
      if (variable.is_array) lexer_.fail(name, "an array cannot be declared by `<n>`");
      for (std::uint64_t n = 0; n < *count; ++n) {
        const Token made{TokenKind::word, context_.make_name(name, n), name.line, name.column};
        variable.name = scopes_.declare_symbol(
            made, {SymbolKind::function_variable, static_cast<std::uint32_t>(function_.variables.size())});
        function_.variables.push_back(variable);
      }
      continue;
    }
    if (head.opaque) skip_opaque_initialiser(lexer_);
    const auto index = static_cast<std::uint32_t>(function_.variables.size());
    const std::size_t first = context_.relocations.size();
    read_initialiser(lexer_, variable, context_.relocations);
    context_.count_initial(name, variable);
    for (std::size_t i = first; i < context_.relocations.size(); ++i) {
      context_.relocations[i].function = function_index_;
      context_.relocations[i].variable = index;
    }
    if (variable.unsized)
      lexer_.fail(name, fmt::format("`{}` has no size: only `.extern .shared` arrays at module scope may leave it out",
                                    variable.name));
    variable.name = scopes_.declare_symbol(name, {SymbolKind::function_variable, index});
    function_.variables.push_back(std::move(variable));
  } while (lexer_.accept(','));
  lexer_.expect(';', "after the declaration");
}

void FunctionParser::parse_location() {
  source_ = read_location(lexer_);
}

void FunctionParser::parse_labelled_directive(const Token& label) {
  const Token directive = lexer_.take();
  if (directive.text == ".branchtargets")
    parse_branch_targets(label);
  else if (directive.text == ".calltargets")
    parse_call_targets(label);
  else
    parse_call_prototype(label);
  lexer_.expect(';', "after the directive");
}

void FunctionParser::parse_branch_targets(const Token& label) {
  const auto number = static_cast<std::uint32_t>(function_.branch_tables.size());
  BranchTable table;
  std::vector<PendingLabel> uses;
  do {
    PendingLabel use;
    use.place = PendingLabel::Place::table;
    use.name = context_.take_name("a label");
    use.instruction = number;
    use.position = static_cast<std::uint32_t>(table.labels.size());
    table.labels.push_back(no_index);
    uses.push_back(use);
  } while (lexer_.accept(','));
  table.name = scopes_.define_label(label, {LocalTarget::branch_table, number});
  function_.branch_tables.push_back(std::move(table));
  for (const PendingLabel& use : uses) scopes_.use_label(use);
}

void FunctionParser::parse_call_targets(const Token& label) {
  CallTargets targets;
  do {
    const Token name = context_.take_name("the name of a function");
    const auto found = context_.names.find(name.text);
    if (found == context_.names.end()) fail_undeclared(name);
    if (found->second.kind != SymbolKind::function)
      lexer_.fail(name, fmt::format("{} is not a function", quoted(name.text)));
    targets.functions.push_back(found->second.index);
  } while (lexer_.accept(','));
  const auto number = static_cast<std::uint32_t>(function_.call_target_lists.size());
  targets.name = scopes_.define_label(label, {LocalTarget::call_targets, number});
  function_.call_target_lists.push_back(std::move(targets));
}

void FunctionParser::parse_call_prototype(const Token& label) {
  CallPrototype prototype;
  std::uint64_t bytes = 0;
  if (lexer_.current().is('(')) prototype.returns = read_results(lexer_, context_.refused, bytes, true);
  const Token name = context_.take_name("`_` in the prototype");
  if (name.text != "_")
    lexer_.fail(name, fmt::format("expected `_` for the function in a prototype, found {}", describe(name)));
  if (lexer_.current().is('(')) prototype.params = read_parameters(lexer_, context_.refused, bytes, true);
  prototype.noreturn = lexer_.accept(".noreturn");
  while (lexer_.current().is(".abi_preserve") || lexer_.current().is(".abi_preserve_control")) {
    lexer_.take();
    read_integer(lexer_, "a number of registers");
  }
  const auto number = static_cast<std::uint32_t>(function_.prototypes.size());
  prototype.name = scopes_.define_label(label, {LocalTarget::prototype, number});
  function_.prototypes.push_back(std::move(prototype));
}

}  // namespace syncline::isa
