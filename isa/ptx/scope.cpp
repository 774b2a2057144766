#include "isa/ptx/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/nearest.h"
#include "isa/ptx/declarations.h"

namespace syncline::isa {
namespace {

constexpr std::size_t deepest_scope = 256;
constexpr std::uint64_t most_function_registers = 1u << 20;
/// Of all functions of a module, and one more for each so many bytes of its text: a compiler names each that it
/// declares.
constexpr std::uint64_t most_in_module = 4u << 20, bytes_per_register = 4;
constexpr std::size_t most_candidates = 4096;

bool is_before(const PendingLabel& a, const PendingLabel& b) {
  return a.name.line != b.name.line ? a.name.line < b.name.line : a.name.column < b.name.column;
}

/// Splits "%r17" into "%r" and 17; false without a number, or with a leading zero.
bool split_number(std::string_view name, std::string_view& prefix, std::uint32_t& number) {
  std::size_t at = name.size();
  while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9') --at;
  const std::string_view digits = name.substr(at);
  if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return false;
  prefix = name.substr(0, at);
  return std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc();
}

const char* describe(LocalTarget kind) {
  switch (kind) {
    case LocalTarget::label:
      return "a label";
    case LocalTarget::branch_table:
      return "a `.branchtargets` table";
    case LocalTarget::prototype:
      return "a `.callprototype`";
    case LocalTarget::call_targets:
      return "a `.calltargets` list";
  }
  return "";
}

}  // namespace

void ScopeStack::open(const Token& brace) {
  if (scopes_.size() >= deepest_scope) lexer_.fail(brace, fmt::format("more than {} nested scopes", deepest_scope));
  scopes_.emplace_back();
  scopes_.back().brace = brace;
  scopes_.back().number = scopes_opened_++;
}

void ScopeStack::close() {
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  const PendingLabel* misfit = nullptr;
  for (const auto& [name, label] : scope.labels) {
    const auto uses = scope.pending.find(name);
    if (uses == scope.pending.end()) continue;
    for (const PendingLabel& use : uses->second)
      if (!resolve(use, label) && (misfit == nullptr || is_before(use, *misfit))) misfit = &use;
    if (misfit == nullptr) scope.pending.erase(uses);
  }
  if (misfit != nullptr)
    lexer_.fail(misfit->name,
                fmt::format("expected {}, but {} is {}", describe(misfit->wanted), quoted(misfit->name.text),
                            describe(scope.labels.at(misfit->name.text).kind)));
  if (scopes_.empty()) {
    for (const auto& [name, uses] : scope.pending)
      for (const PendingLabel& use : uses)
        if (unresolved_.empty() || is_before(use, unresolved_.front())) unresolved_ = {use};
    return;
  }
  // The fewer go to the more, so that deep nesting costs little.
  Pending& outside = scopes_.back().pending;
  if (outside.size() < scope.pending.size()) outside.swap(scope.pending);
  for (auto& [name, uses] : scope.pending) {
    std::vector<PendingLabel>& all = outside[name];
    if (all.size() < uses.size()) all.swap(uses);
    all.insert(all.end(), uses.begin(), uses.end());
  }
}

/// Fills in what a use was waiting for; false when the label is of another kind.
bool ScopeStack::resolve(const PendingLabel& use, const LocalLabel& label) {
  const bool fits = label.kind == use.wanted || (use.any_call_target && label.kind == LocalTarget::call_targets);
  if (!fits) return false;
  if (use.place == PendingLabel::Place::table) {
    function_.branch_tables[use.instruction].labels[use.position] = label.index;
    return true;
  }
  Operand& operand = function_.instructions[use.instruction].operands[use.position];
  operand.index = label.index;
  switch (label.kind) {
    case LocalTarget::label:
      operand.kind = OperandKind::label;
      break;
    case LocalTarget::branch_table:
      operand.kind = OperandKind::branch_table;
      break;
    case LocalTarget::prototype:
      operand.kind = OperandKind::call_prototype;
      break;
    case LocalTarget::call_targets:
      operand.kind = OperandKind::call_targets;
      break;
  }
  return true;
}

void ScopeStack::require_all_labels() const {
  if (unresolved_.empty()) return;
  const PendingLabel& use = unresolved_.front();
  const std::string nearest = base::nearest_name(use.name.text, label_names_);
  const std::string hint = nearest.empty()            ? ""
                           : nearest == use.name.text ? "; one of this name stands in a block of its own"
                                                      : fmt::format("; did you mean `{}`?", nearest);
  lexer_.fail(use.name,
              fmt::format("there is no {} {} that can be seen from here{}",
                          use.wanted == LocalTarget::label ? "label" : "target list", quoted(use.name.text), hint));
}

const LocalName* ScopeStack::find_in(const Scope& scope, std::string_view name) {
  if (const auto found = scope.names.find(name); found != scope.names.end()) return &found->second;
  if (scope.ranges.empty()) return nullptr;
  std::string_view prefix;
  std::uint32_t number = 0;
  if (!split_number(name, prefix, number)) return nullptr;
  const auto range = scope.ranges.find(prefix);
  if (range == scope.ranges.end() || number >= range->second.count) return nullptr;
  in_range_ = LocalName{};
  in_range_.count = range->second.vector;
  in_range_.index = range->second.first + number * in_range_.count;
  return &in_range_;
}

const LocalName* ScopeStack::find(std::string_view name) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const LocalName* found = find_in(*scope, name)) return found;
  return nullptr;
}

void ScopeStack::require_new(const Token& name) {
  if (find_in(scopes_.back(), name.text) != nullptr)
    lexer_.fail(name, fmt::format("{} is declared twice in this scope", quoted(name.text)));
}

void ScopeStack::declare(const Token& name, const LocalName& local) {
  require_new(name);
  Scope& scope = scopes_.back();
  scope.names.emplace(name.text, local);
  std::string_view prefix;
  std::uint32_t number = 0;
  if (!split_number(name.text, prefix, number)) return;
  const auto known = scope.lowest.emplace(prefix, number).first;
  known->second = std::min(known->second, number);
}

std::string ScopeStack::unique(std::string_view name) {
  std::string text(name);
  const bool nested = scopes_.size() > 1;
  if (!nested && name.find('$') == std::string_view::npos) return text;
  if (nested) text += fmt::format("${}", scopes_.back().number);
  while (!suffixed_.insert(text).second) text += "$";
  return text;
}

void ScopeStack::require_room(std::uint64_t registers, const Token& place) {
  if (registers > most_function_registers - function_.registers.size())
    lexer_.fail(place, fmt::format("more than {} registers in one function", most_function_registers));
  context_.registers_made += registers;
  const std::uint64_t most = most_in_module + lexer_.size() / bytes_per_register;
  if (context_.registers_made > most)
    lexer_.fail(place, fmt::format("more than {} registers in a module of {} bytes", most, lexer_.size()));
}

/// One flat register for each element; returns the first.
std::uint32_t ScopeStack::add_register(std::string_view name, Type type, unsigned vector) {
  const std::string text = unique(name);
  for (unsigned i = 0; i < vector; ++i) {
    std::string element = register_name(text, vector, i);
    if (vector > 1)
      while (!suffixed_.insert(element).second) element += "$";
    function_.registers.push_back({std::move(element), type});
  }
  return static_cast<std::uint32_t>(function_.registers.size() - vector);
}

void ScopeStack::declare_register(const Token& name, Type type, unsigned vector) {
  require_room(vector, name);
  LocalName local;
  local.count = vector;
  local.index = static_cast<std::uint32_t>(function_.registers.size());
  declare(name, local);
  add_register(name.text, type, vector);
}

void ScopeStack::declare_range(const Token& prefix, Type type, unsigned vector, std::uint64_t count) {
  Scope& scope = scopes_.back();
  require_room(count > most_function_registers ? count : count * vector, prefix);
  if (scope.ranges.count(prefix.text) != 0)
    lexer_.fail(prefix, fmt::format("the registers {}<...> are declared twice in this scope", quoted(prefix.text)));
  if (const auto known = scope.lowest.find(prefix.text); known != scope.lowest.end() && known->second < count)
    lexer_.fail(prefix, fmt::format("`{}{}` is declared twice in this scope", prefix.text, known->second));
  scope.ranges[prefix.text] = {static_cast<std::uint32_t>(function_.registers.size()),
                               static_cast<std::uint32_t>(count), vector};
  for (std::uint64_t i = 0; i < count; ++i) add_register(fmt::format("{}{}", prefix.text, i), type, vector);
}

std::uint32_t ScopeStack::add_scratch(const Token& near, Type type) {
  require_room(1, near);
  return add_register("$scratch", type, 1);
}

LocalName ScopeStack::add_shared(const Token& near, const ModuleRegister& reg) {
  require_room(reg.count, near);
  LocalName local;
  local.count = reg.count;
  local.index = static_cast<std::uint32_t>(function_.registers.size());
  for (std::uint32_t i = 0; i < reg.count; ++i) {
    function_.registers.push_back(context_.module.registers[reg.first + i]);
    function_.registers.back().shared = reg.first + i;
  }
  return local;
}

std::string ScopeStack::declare_symbol(const Token& name, Symbol symbol) {
  LocalName local;
  local.kind = LocalName::Kind::symbol;
  local.symbol = symbol;
  declare(name, local);
  return unique(name.text);
}

std::string ScopeStack::define_label(const Token& name, LocalLabel label) {
  if (!scopes_.back().labels.emplace(name.text, label).second)
    lexer_.fail(name, fmt::format("the label {} is defined twice in this scope", quoted(name.text)));
  label_names_.emplace_back(name.text);
  return unique(name.text);
}

std::vector<std::string> ScopeStack::visible_names() const {
  std::vector<std::string> names;
  for (const Register& reg : function_.registers)
    if (names.size() < most_candidates) names.push_back(reg.name);
  for (const auto* group : {&function_.params, &function_.returns, &function_.variables})
    for (const Variable& variable : *group)
      if (names.size() < most_candidates) names.push_back(variable.name);
  return names;
}

}  // namespace syncline::isa
