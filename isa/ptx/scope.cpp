#include "isa/ptx/scope.h"

#include <fmt/format.h>

#include <charconv>

#include "base/nearest.h"

namespace syncline::isa {
namespace {

constexpr std::size_t deepest_scope = 256;
constexpr std::uint64_t most_registers = 1u << 20;
constexpr std::size_t most_candidates = 4096;

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
  for (const PendingLabel& use : scope.pending) {
    const auto found = scope.labels.find(use.name.text);
    if (found != scope.labels.end())
      resolve(use, found->second);
    else if (scopes_.empty())
      unresolved_.push_back(use);
    else
      scopes_.back().pending.push_back(use);
  }
}

void ScopeStack::resolve(const PendingLabel& use, const LocalLabel& label) {
  const bool fits = label.kind == use.wanted || (use.any_call_target && label.kind == LocalTarget::call_targets);
  if (!fits)
    lexer_.fail(use.name, fmt::format("expected {}, but {} is {}", describe(use.wanted), quoted(use.name.text),
                                      describe(label.kind)));
  if (use.place == PendingLabel::Place::table) {
    function_.branch_tables[use.instruction].labels[use.position] = label.index;
    return;
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
}

void ScopeStack::require_all_labels() const {
  if (unresolved_.empty()) return;
  const PendingLabel& use = unresolved_.front();
  const std::string nearest = base::nearest_name(use.name.text, label_names_);
  lexer_.fail(use.name, fmt::format("there is no {} {} that can be seen from here{}",
                                    use.wanted == LocalTarget::label ? "label" : "target list", quoted(use.name.text),
                                    nearest.empty() ? "" : fmt::format("; did you mean `{}`?", nearest)));
}

const LocalName* ScopeStack::find_in(const Scope& scope, std::string_view name) {
  if (const auto found = scope.names.find(name); found != scope.names.end()) return &found->second;
  if (scope.ranges.empty()) return nullptr;
  std::string_view prefix;
  std::uint32_t number = 0;
  if (!split_number(name, prefix, number)) return nullptr;
  for (const Range& range : scope.ranges)
    if (number < range.count && range.prefix == prefix) {
      in_range_ = LocalName{};
      in_range_.index = range.first + number;
      return &in_range_;
    }
  return nullptr;
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

std::string ScopeStack::unique(std::string_view name) {
  std::string text(name);
  const bool nested = scopes_.size() > 1;
  if (!nested && name.find('$') == std::string_view::npos) return text;
  if (nested) text += fmt::format("${}", scopes_.back().number);
  while (!suffixed_.insert(text).second) text += "$";
  return text;
}

std::uint32_t ScopeStack::add_register(std::string name, Type type, const Token& place) {
  if (function_.registers.size() >= most_registers)
    lexer_.fail(place, fmt::format("more than {} registers in one function", most_registers));
  function_.registers.push_back({std::move(name), type});
  return static_cast<std::uint32_t>(function_.registers.size() - 1);
}

void ScopeStack::declare_register(const Token& name, Type type, unsigned vector) {
  require_new(name);
  const std::string text = unique(name.text);
  LocalName local;
  local.count = vector;
  if (vector == 1) {
    local.index = add_register(text, type, name);
  } else {
    for (unsigned i = 0; i < vector; ++i) {
      // A flat register of its own, whose name can be read back: v$x for v.x.
      const std::uint32_t index = add_register(text + "$" + "xyzw"[i], type, name);
      if (i == 0) local.index = index;
    }
  }
  scopes_.back().names.emplace(name.text, local);
}

void ScopeStack::declare_range(const Token& prefix, Type type, std::uint64_t count) {
  Scope& scope = scopes_.back();
  if (function_.registers.size() + count > most_registers)
    lexer_.fail(prefix, fmt::format("more than {} registers in one function", most_registers));
  for (const Range& range : scope.ranges)
    if (range.prefix == prefix.text)
      lexer_.fail(prefix, fmt::format("the registers {}<...> are declared twice in this scope", quoted(prefix.text)));
  for (const auto& [other, local] : scope.names) {
    std::string_view other_prefix;
    std::uint32_t number = 0;
    if (split_number(other, other_prefix, number) && other_prefix == prefix.text && number < count)
      lexer_.fail(prefix, fmt::format("{} is declared twice in this scope", quoted(other)));
  }
  Range range{prefix.text, static_cast<std::uint32_t>(function_.registers.size()), static_cast<std::uint32_t>(count)};
  for (std::uint64_t i = 0; i < count; ++i)
    function_.registers.push_back({unique(fmt::format("{}{}", prefix.text, i)), type});
  scope.ranges.push_back(range);
}

std::string ScopeStack::declare_symbol(const Token& name, Symbol symbol) {
  require_new(name);
  LocalName local;
  local.kind = LocalName::Kind::symbol;
  local.symbol = symbol;
  scopes_.back().names.emplace(name.text, local);
  return unique(name.text);
}

void ScopeStack::declare_alias(const Token& name, std::uint32_t reg) {
  require_new(name);
  LocalName local;
  local.index = reg;
  scopes_.back().names.emplace(name.text, local);
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
