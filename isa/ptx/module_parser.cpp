#include "isa/ptx/module_parser.h"

#include <fmt/format.h>

#include <charconv>
#include <unordered_set>

#include "base/nearest.h"
#include "isa/ptx/constant.h"
#include "isa/ptx/declarations.h"
#include "isa/ptx/location.h"
#include "isa/ptx/unsupported.h"

namespace syncline::isa {
namespace {

constexpr unsigned newest_major = 9;
constexpr std::size_t most_target_names = 32;
constexpr std::uint32_t most_module_registers = 1u << 16;  // outside functions

bool read_unsigned(std::string_view text, unsigned& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

void ModuleParser::parse() {
  try {
    parse_statements();
  } catch (const base::UserError& error) {
    if (context_.refused.empty() || context_.refused.enough()) throw;
    context_.refused.fail(lexer_.source(), &error);
  }
  if (!context_.refused.empty()) context_.refused.fail(lexer_.source());
}

void ModuleParser::parse_statements() {
  parse_header();
  while (lexer_.current().kind != TokenKind::end) parse_statement();
  resolve_relocations();
  resolve_aliases();
  size_open_arrays(module_);
  find_addressed_functions();
  complete_instructions();
}

void ModuleParser::parse_header() {
  while (lexer_.current().is(".file") || lexer_.current().is(".pragma")) parse_statement();
  if (!lexer_.current().is(".version")) lexer_.fail_found("`.version` at the beginning of the module");
  parse_version();
  while (lexer_.current().is(".file")) parse_statement();
  if (!lexer_.current().is(".target")) lexer_.fail_found("`.target` behind `.version`");
  parse_target();
  if (lexer_.current().is(".address_size")) parse_address_size();
}

void ModuleParser::parse_version() {
  lexer_.take();
  const Token number = lexer_.current();
  const std::size_t dot = number.text.find('.');
  const bool good = number.kind == TokenKind::number && dot != std::string_view::npos &&
                    read_unsigned(number.text.substr(0, dot), module_.version.major_part) &&
                    read_unsigned(number.text.substr(dot + 1), module_.version.minor_part);
  if (!good) lexer_.fail_found("a version such as `7.8` behind `.version`");
  if (module_.version.major_part < 1 || module_.version.major_part > newest_major)
    lexer_.fail(number, fmt::format("PTX ISA version {} is not known: 1.0 to {}.x are", number.text, newest_major));
  lexer_.take();
}

void ModuleParser::parse_target() {
  lexer_.take();
  do {
    const Token name = context_.take_name("a target such as `sm_70`");
    const std::string_view text = name.text;
    if (text.substr(0, 3) == "sm_" || text.substr(0, 8) == "compute_") {
      std::string_view digits = text.substr(text.find('_') + 1);
      while (!digits.empty() && (digits.back() == 'a' || digits.back() == 'f')) digits.remove_suffix(1);
      if (!read_unsigned(digits, module_.sm))
        lexer_.fail(name, fmt::format("expected a target such as `sm_70`, found {}", quoted(text)));
    } else {
      static const std::vector<std::string> options = {"texmode_unified", "texmode_independent", "texmode_raw", "debug",
                                                       "map_f64_to_f32"};
      bool known = false;
      for (const std::string& option : options) known = known || option == text;
      if (!known) lexer_.fail(name, fmt::format("unknown target {}{}", quoted(text), base::suggestion(text, options)));
    }
    module_.targets.emplace_back(text);
    if (module_.targets.size() > most_target_names) lexer_.fail(name, "too many targets");
  } while (lexer_.accept(','));
  if (module_.sm == 0) lexer_.fail_found("a target architecture such as `sm_70` in `.target`");
}

void ModuleParser::parse_address_size() {
  lexer_.take();
  const Token place = lexer_.current();
  const std::int64_t size = read_integer(lexer_, "the address size");
  if (size != 32 && size != 64) lexer_.fail(place, fmt::format("the address size is 32 or 64, not {}", size));
  module_.address_size = static_cast<unsigned>(size);
  address_size_said_ = true;
}

void ModuleParser::parse_statement() {
  const Token token = lexer_.current();
  if (token.text == "Fatbin")
    lexer_.fail(token, "here a listing of cuobjdump goes on, which is no PTX text: end it before");
  if (token.kind != TokenKind::dot) lexer_.fail_found("a directive at module scope");
  if (token.text == ".file") return read_file_entry(lexer_, module_);
  if (token.text == ".section") return skip_section(lexer_);
  if (token.text == ".pragma") return read_pragma(lexer_, pragmas_);
  if (token.text == ".alias") return parse_alias();
  if (token.text == ".loc") {
    read_location(lexer_);
    return;
  }
  if (token.text == ".address_size") return parse_address_size();
  if (token.text == ".version" || token.text == ".target")
    lexer_.fail(token, fmt::format("a second `{}`: a module has one", token.text));

  Linkage linkage = Linkage::internal;
  if (lexer_.accept(".visible"))
    linkage = Linkage::visible;
  else if (lexer_.accept(".extern"))
    linkage = Linkage::external;
  else if (lexer_.accept(".weak"))
    linkage = Linkage::weak;
  else if (lexer_.accept(".common"))
    linkage = Linkage::common;
  if (lexer_.accept(".entry")) return parse_function(true, linkage);
  if (lexer_.accept(".func")) return parse_function(false, linkage);
  const Space space = declared_space(lexer_.current());
  if (space == Space::global || space == Space::const_ || space == Space::shared || space == Space::local) {
    lexer_.take();
    return parse_variables(space, linkage);
  }
  const std::string_view what = lexer_.current().text;
  if (what == ".tex" || what == ".surf" || what == ".sampler") {
    refuse_directive(lexer_.take(), textures_missing);
    return parse_variables(Space::global, linkage);
  }
  if (space == Space::reg) return parse_registers();
  static const std::vector<std::string> directives = {".entry", ".func",    ".global", ".const", ".shared",
                                                      ".local", ".visible", ".extern", ".weak",  ".common",
                                                      ".file",  ".section", ".pragma", ".alias"};
  const std::string nearest = base::nearest_name(what, directives);
  lexer_.fail_found(nearest.empty() ? "`.entry`, `.func` or a variable"
                                    : fmt::format("`.entry`, `.func` or a variable (did you mean `{}`?)", nearest));
}

void ModuleParser::parse_variables(Space space, Linkage linkage) {
  const DeclarationHead head = read_declaration_head(lexer_, context_.refused);
  do {
    const Token name = lexer_.current();
    Variable variable = read_declarator(lexer_, head, space);
    variable.linkage = linkage;
    if (head.opaque) skip_opaque_initialiser(lexer_);
    const std::size_t first = context_.relocations.size();
    if (const auto count = read_name_count(lexer_, "variables")) {
      if (variable.is_array) lexer_.fail(name, "an array cannot be declared by `<n>`");
      for (std::uint64_t n = 0; n < *count; ++n) {
        const Token made{TokenKind::word, context_.make_name(name, n), name.line, name.column};
        variable.name = std::string(made.text);
        add_variable(made, variable, first);
      }
      continue;
    }
    read_initialiser(lexer_, variable, context_.relocations);
    context_.count_initial(name, variable);
    if (variable.unsized && !(linkage == Linkage::external))
      lexer_.fail(name, fmt::format("`{}` has no size: only `.extern` arrays may leave it out", variable.name));
    add_variable(name, std::move(variable), first);
  } while (lexer_.accept(','));
  lexer_.expect(';', "after the declaration");
}

void ModuleParser::parse_registers() {
  const Token directive = lexer_.take();
  if (module_.version.at_least(3, 0))
    lexer_.fail(directive, "registers are declared inside functions: outside, in PTX ISA before 3.0 only");
  const DeclarationHead head = read_register_head(lexer_, context_.refused);
  do {
    Token name = context_.take_name("the name of a register");
    const auto count = read_name_count(lexer_, "registers");
    if (!count) add_register(name, head);
    for (std::uint64_t n = 0; n < count.value_or(0); ++n)
      add_register({TokenKind::word, context_.make_name(name, n), name.line, name.column}, head);
  } while (lexer_.accept(','));
  lexer_.expect(';', "after the declaration of registers");
}

void ModuleParser::add_register(const Token& name, const DeclarationHead& head) {
  const auto first = static_cast<std::uint32_t>(module_.registers.size());
  if (!context_.names.emplace(name.text, Symbol{SymbolKind::module_register, first}).second)
    lexer_.fail(name, fmt::format("{} is declared twice in this module", quoted(name.text)));
  if (first + head.vector > most_module_registers)
    lexer_.fail(name, fmt::format("more than {} registers outside functions", most_module_registers));
  context_.registers[name.text] = {first, head.vector};
  for (unsigned i = 0; i < head.vector; ++i)
    module_.registers.push_back({register_name(name.text, head.vector, i), head.type});
}

void ModuleParser::add_variable(const Token& name, Variable variable, std::size_t first_relocation) {
  auto index = static_cast<std::uint32_t>(module_.variables.size());
  const auto [known, fresh] = context_.names.emplace(name.text, Symbol{SymbolKind::module_variable, index});
  if (fresh) {
    module_.variables.push_back(std::move(variable));
  } else {
    // A declaration (.extern) may stand before the definition, and be repeated.
    const bool is_variable = known->second.kind == SymbolKind::module_variable;
    Variable* earlier = is_variable ? &module_.variables[known->second.index] : nullptr;
    const auto merges = [](Linkage l) { return l == Linkage::external || l == Linkage::common || l == Linkage::weak; };
    if (earlier == nullptr || earlier->space != variable.space || earlier->type != variable.type ||
        !(merges(earlier->linkage) || merges(variable.linkage)))
      lexer_.fail(name, fmt::format("{} is declared twice in this module", quoted(name.text)));
    index = known->second.index;
    if (variable.linkage != Linkage::external) *earlier = std::move(variable);
  }
  for (std::size_t i = first_relocation; i < context_.relocations.size(); ++i) context_.relocations[i].variable = index;
}

void ModuleParser::resolve_relocations() {
  for (const PendingRelocation& pending : context_.relocations) {
    const auto found = context_.names.find(pending.name.text);
    const bool in_function = pending.function != no_index;
    if (found == context_.names.end() || found->second.kind == SymbolKind::module_register) {
      std::vector<std::string> names;
      for (const Variable& v : module_.variables) names.push_back(v.name);
      for (const Function& f : module_.functions) names.push_back(f.name);
      const std::string nearest = base::nearest_name(pending.name.text, names);
      lexer_.fail(pending.name,
                  fmt::format("{} in an initial value is not declared at module scope{}", quoted(pending.name.text),
                              nearest.empty() ? "" : fmt::format("; did you mean `{}`?", nearest)));
    }
    Variable& variable = in_function ? module_.functions[pending.function].variables[pending.variable]
                                     : module_.variables[pending.variable];
    variable.relocations[pending.relocation].symbol = found->second;
  }
}

/// What is known at the end of the text only: which files exist, and the address size of modules older than the
/// directive (PTX 2.3), which were compiled for what the host was.
void ModuleParser::complete_instructions() {
  for (Function& function : module_.functions)
    for (Instruction& instruction : function.instructions) {
      if (instruction.source.file >= module_.files.size()) instruction.source.file = no_index;
      for (const Operand& operand : instruction.operands) {
        const bool wide = operand.kind == OperandKind::address && operand.index != no_index &&
                          type_bytes(function.registers[operand.index].type) == 8;
        if (wide && !address_size_said_) module_.address_size = 64;
      }
    }
}

void ModuleParser::find_addressed_functions() {
  std::unordered_set<std::uint32_t> known;
  for (const Variable& variable : module_.variables)
    for (const Relocation& relocation : variable.relocations)
      if (relocation.symbol.kind == SymbolKind::function && known.insert(relocation.symbol.index).second)
        module_.addressed.push_back(relocation.symbol.index);
}

void ModuleParser::parse_alias() {
  lexer_.take();
  const Token alias = context_.take_name("the name of the alias");
  lexer_.expect(',', "between the alias and the function");
  const Token target = context_.take_name("the function behind the alias");
  lexer_.expect(';', "after `.alias`");
  const auto found = context_.names.find(alias.text);
  if (found == context_.names.end() || found->second.kind != SymbolKind::function)
    lexer_.fail(alias, fmt::format("the alias {} has to be declared as a function first", quoted(alias.text)));
  if (module_.functions[found->second.index].has_body || module_.functions[found->second.index].is_entry)
    lexer_.fail(alias, fmt::format("the alias {} has a body of its own or is a kernel", quoted(alias.text)));
  context_.aliases.push_back({found->second.index, target});
}

void ModuleParser::resolve_aliases() {
  std::vector<std::uint32_t> means(context_.aliases.empty() ? 0 : module_.functions.size(), no_index);
  for (const PendingAlias& pending : context_.aliases) {
    const auto found = context_.names.find(pending.target.text);
    const bool good = found != context_.names.end() && found->second.kind == SymbolKind::function &&
                      module_.functions[found->second.index].has_body;
    if (!good) lexer_.fail(pending.target, fmt::format("{} is no function with a body", quoted(pending.target.text)));
    if (means[pending.alias] == no_index) means[pending.alias] = found->second.index;
  }
  if (means.empty()) return;
  const auto redirect_index = [&](std::uint32_t& index) {
    if (means[index] != no_index) index = means[index];
  };
  const auto redirect = [&](Symbol& symbol) {
    if (symbol.kind == SymbolKind::function) redirect_index(symbol.index);
  };
  for (Function& function : module_.functions) {
    for (Instruction& instruction : function.instructions)
      for (Operand& operand : instruction.operands) redirect(operand.symbol);
    for (CallTargets& list : function.call_target_lists)
      for (std::uint32_t& index : list.functions) redirect_index(index);
    for (Variable& variable : function.variables)
      for (Relocation& relocation : variable.relocations) redirect(relocation.symbol);
  }
  for (Variable& variable : module_.variables)
    for (Relocation& relocation : variable.relocations) redirect(relocation.symbol);
}

}  // namespace syncline::isa
