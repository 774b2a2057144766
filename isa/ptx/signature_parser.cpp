// .entry and .func: names, parameters, performance directives.
#include <fmt/format.h>

#include <unordered_set>

#include "isa/ptx/constant.h"
#include "isa/ptx/declarations.h"
#include "isa/ptx/function_parser.h"
#include "isa/ptx/location.h"
#include "isa/ptx/module_parser.h"

namespace syncline::isa {
namespace {

/// Same count, sizes and types; names may differ.
bool same_parameters(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].space != b[i].space || a[i].bytes != b[i].bytes || type_bytes(a[i].type) != type_bytes(b[i].type) ||
        is_float(a[i].type) != is_float(b[i].type))
      return false;
  return true;
}

/// Directives that begin a statement at module scope.
bool begins_statement(std::string_view directive) {
  static const std::unordered_set<std::string_view> all = {
      ".visible", ".extern",  ".weak",  ".common", ".entry",   ".func",   ".global",
      ".const",   ".shared",  ".local", ".reg",    ".tex",     ".surf",   ".sampler",
      ".file",    ".section", ".alias", ".loc",    ".version", ".target", ".address_size"};
  return all.count(directive) != 0;
}

/// The most bytes of kernel parameters that a PTX ISA version allows (".entry" in the manual).
std::uint64_t largest_parameter_block(const Version& version) {
  if (version.at_least(8, 1)) return 32764;
  if (version.at_least(1, 5)) return 4352;
  return 256;
}

}  // namespace

void ModuleParser::parse_function(bool is_entry, Linkage linkage) {
  Function function;
  function.is_entry = is_entry;
  function.linkage = linkage;
  if (lexer_.accept(".attribute")) skip_balanced(lexer_, '(', ')');
  if (!is_entry && lexer_.current().is('('))
    function.returns = read_results(lexer_, context_.refused, function.return_bytes);
  const Token name = context_.take_name(is_entry ? "the name of the kernel" : "the name of the function");
  function.name = std::string(name.text);
  function.line = name.line;
  function.column = name.column;
  if (lexer_.current().is('(')) function.params = read_parameters(lexer_, context_.refused, function.param_bytes);
  parse_performance_directives(function);
  check_parameters(function, name);
  const bool has_body = lexer_.current().is('{');
  // nvopencc wrote prototypes without `;`: the next directive ends them.
  const bool ends_here = !is_entry && lexer_.current().kind == TokenKind::dot;
  if (!has_body && !ends_here && !lexer_.current().is(';'))
    lexer_.fail_found(fmt::format("`{{` or `;` after the declaration of `{}`", name.text));
  const std::uint32_t index = declare_function(name, std::move(function), has_body);
  if (!has_body) {
    lexer_.accept(';');
    return;
  }
  module_.functions[index].has_body = true;
  FunctionParser(context_, index).parse_body();
}

void ModuleParser::check_parameters(const Function& function, const Token& name) const {
  for (const auto* group : {&function.params, &function.returns})
    for (const Variable& v : *group) {
      if (function.is_entry && v.space == Space::reg)
        lexer_.fail(name, fmt::format("parameter `{}` of kernel `{}` is in a register: kernels take `.param` only",
                                      v.name, function.name));
      if (function.is_entry && v.unsized)
        lexer_.fail(name, fmt::format("parameter `{}` of kernel `{}` has no size", v.name, function.name));
    }
  const std::uint64_t limit = largest_parameter_block(module_.version);
  if (function.is_entry && function.param_bytes > limit)
    lexer_.fail(name, fmt::format("kernel `{}` has {} bytes of parameters; PTX ISA {}.{} allows {}", function.name,
                                  function.param_bytes, module_.version.major_part, module_.version.minor_part, limit));
}

std::uint32_t ModuleParser::declare_function(const Token& name, Function function, bool has_body) {
  const auto index = static_cast<std::uint32_t>(module_.functions.size());
  const auto [known, fresh] = context_.names.emplace(name.text, Symbol{SymbolKind::function, index});
  if (fresh) {
    module_.functions.push_back(std::move(function));
    return index;
  }
  if (known->second.kind != SymbolKind::function)
    lexer_.fail(name, fmt::format("{} is a variable already", quoted(name.text)));
  Function& earlier = module_.functions[known->second.index];
  if (earlier.has_body && has_body) lexer_.fail(name, fmt::format("{} has a body already", quoted(name.text)));
  if (earlier.is_entry != function.is_entry || !same_parameters(earlier.params, function.params) ||
      !same_parameters(earlier.returns, function.returns))
    lexer_.fail(name, fmt::format("{} was declared differently in line {}", quoted(name.text), earlier.line));
  if (has_body) {
    function.noreturn = function.noreturn || earlier.noreturn;
    earlier = std::move(function);
  }
  return known->second.index;
}

std::uint32_t ModuleParser::read_limit(const char* what) {
  const Token place = lexer_.current();
  const std::int64_t value = read_integer(lexer_, what);
  if (value < 0 || value > 0x7FFF'FFFF) lexer_.fail(place, fmt::format("{} is out of range: {}", what, value));
  return static_cast<std::uint32_t>(value);
}

void ModuleParser::read_extents(std::array<std::uint32_t, 3>& extents, const char* what) {
  extents = {1, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    if (i > 0 && !lexer_.accept(',')) return;
    const Token place = lexer_.current();
    extents[i] = read_limit(what);
    if (extents[i] == 0) lexer_.fail(place, fmt::format("{} cannot be zero", what));
  }
}

void ModuleParser::refuse_directive(const Token& directive, std::string_view reason) {
  if (!context_.refused.again(directive.text))
    context_.refused.add(directive.text, directive.place(), fmt::format("`{}`: {}", directive.text, reason),
                         std::string(reason));
  while (starts_constant(lexer_.current()) || lexer_.current().is(',')) lexer_.take();
}

void ModuleParser::parse_performance_directives(Function& function) {
  while (lexer_.current().kind == TokenKind::dot) {
    const Token directive = lexer_.current();
    const std::string_view text = directive.text;
    if (text == ".pragma") {
      read_pragma(lexer_, function.pragmas);
      continue;
    }
    if (!function.is_entry && begins_statement(text)) return;
    lexer_.take();
    if (text == ".maxntid")
      read_extents(function.max_threads, "the number of threads");
    else if (text == ".reqntid")
      read_extents(function.required_threads, "the number of threads");
    else if (text == ".minnctapersm" || text == ".maxnctapersm")
      function.min_ctas_per_sm = read_limit("the number of CTAs");
    else if (text == ".maxnreg")
      function.max_registers = read_limit("the number of registers");
    else if (text == ".noreturn" && function.is_entry)
      lexer_.fail(directive, "`.noreturn` is for functions: a kernel has no caller to return to");
    else if (text == ".noreturn")
      function.noreturn = true;
    else if (text == ".abi_preserve" || text == ".abi_preserve_control")
      read_limit("the number of registers");
    else if (text == ".reqnctapercluster" || text == ".explicitcluster" || text == ".maxclusterrank" ||
             text == ".blocksareclusters")
      refuse_directive(directive, "thread block clusters are not supported yet");
    else if (text == ".minperctamemory")
      refuse_directive(directive, "global memory per CTA is not supported yet");
    else
      lexer_.fail(directive, fmt::format("unknown directive {} behind the parameters of `{}`", describe(directive),
                                         function.name));
  }
}

}  // namespace syncline::isa
