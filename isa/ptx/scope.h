// Names inside a function body. `{ }` opens a scope; inner names hide outer ones and end with their scope.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "isa/ptx/ast.h"
#include "isa/ptx/lexer.h"

namespace syncline::isa {

struct LocalName {
  enum class Kind : std::uint8_t { reg, symbol } kind = Kind::reg;
  std::uint32_t index = no_index;  ///< of the first register
  std::uint32_t count = 1;         ///< registers: 2 or 4 for a vector register
  Symbol symbol;
};

/// What a label-like name stands for.
enum class LocalTarget : std::uint8_t { label, branch_table, prototype, call_targets };

struct LocalLabel {
  LocalTarget kind = LocalTarget::label;
  std::uint32_t index = no_index;
};

/// A use of a label-like name that may come before its definition: where the index goes.
struct PendingLabel {
  enum class Place : std::uint8_t { operand, table } place = Place::operand;
  Token name;
  LocalTarget wanted = LocalTarget::label;
  std::uint32_t instruction = 0;  ///< operand: of this instruction; table: the number of the branch table
  std::uint32_t position = 0;     ///< operand number, or entry of the table
  bool any_call_target = false;   ///< a prototype or a list of call targets
};

class ScopeStack {
 public:
  ScopeStack(const Lexer& lexer, Function& function) : lexer_(lexer), function_(function) {}

  void open(const Token& brace);
  void close();  ///< resolves the scope's labels; what stays open goes to the scope outside
  std::size_t depth() const { return scopes_.size(); }
  const Token& innermost_brace() const { return scopes_.back().brace; }

  void declare_register(const Token& name, Type type, unsigned vector);
  void declare_range(const Token& prefix, Type type, std::uint64_t count);  ///< prefix0 ... prefix(count-1)
  /// Registers a variable; returns the name that is unique in the function.
  std::string declare_symbol(const Token& name, Symbol symbol);
  /// Registers a parameter that lives in an existing register.
  void declare_alias(const Token& name, std::uint32_t reg);
  std::string define_label(const Token& name, LocalLabel label);
  void use_label(PendingLabel use) { scopes_.back().pending.push_back(use); }

  /// Null when no scope has the name. The answer holds until the next call.
  const LocalName* find(std::string_view name);
  std::vector<std::string> visible_names() const;  ///< for "did you mean"; cut at some thousands
  void require_all_labels() const;                 ///< after the outermost scope is closed

 private:
  struct Range {
    std::string_view prefix;
    std::uint32_t first, count;
  };
  struct Scope {
    Token brace;
    std::uint32_t number = 0;
    std::unordered_map<std::string_view, LocalName> names;
    std::vector<Range> ranges;
    std::unordered_map<std::string_view, LocalLabel> labels;
    std::vector<PendingLabel> pending;
  };

  const LocalName* find_in(const Scope& scope, std::string_view name);
  void require_new(const Token& name);
  std::string unique(std::string_view name);
  std::uint32_t add_register(std::string name, Type type, const Token& place);
  void resolve(const PendingLabel& use, const LocalLabel& label);

  const Lexer& lexer_;
  Function& function_;
  std::vector<Scope> scopes_;
  std::vector<PendingLabel> unresolved_;
  std::unordered_set<std::string> suffixed_;
  std::vector<std::string> label_names_;
  std::uint32_t scopes_opened_ = 0;
  LocalName in_range_;
};

}  // namespace syncline::isa
