// Names inside a function body. `{ }` opens a scope; inner names hide outer ones and end with their scope.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "isa/ptx/ast.h"
#include "isa/ptx/context.h"

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
  ScopeStack(ParserContext& context, Function& function)
      : context_(context), lexer_(context.lexer), function_(function) {}

  void open(const Token& brace);
  void close();  ///< resolves the scope's labels; what stays open goes to the scope outside
  std::size_t depth() const { return scopes_.size(); }
  const Token& innermost_brace() const { return scopes_.back().brace; }

  void declare_register(const Token& name, Type type, unsigned vector);
  void declare_range(const Token& prefix, Type type, unsigned vector, std::uint64_t count);  ///< prefix0, prefix1 ...
  /// A register that no text can name; returns its number.
  std::uint32_t add_scratch(const Token& near, Type type);
  /// A register of the module under a number of this function.
  LocalName add_shared(const Token& near, const ModuleRegister& reg);
  /// Registers a variable; returns the name that is unique in the function.
  std::string declare_symbol(const Token& name, Symbol symbol);
  std::string define_label(const Token& name, LocalLabel label);
  void use_label(const PendingLabel& use) { scopes_.back().pending[use.name.text].push_back(use); }

  /// Null when no scope has the name. The answer holds until the next call.
  const LocalName* find(std::string_view name);
  std::vector<std::string> visible_names() const;  ///< for "did you mean"; cut at some thousands
  void require_all_labels() const;                 ///< after the outermost scope is closed

 private:
  struct Range {
    std::uint32_t first, count, vector;
  };
  using Pending = std::unordered_map<std::string_view, std::vector<PendingLabel>>;
  struct Scope {
    Token brace;
    std::uint32_t number = 0;
    std::unordered_map<std::string_view, LocalName> names;
    std::unordered_map<std::string_view, std::uint32_t>
        lowest;                                          ///< of names that end in a number: by what is before it
    std::unordered_map<std::string_view, Range> ranges;  ///< by prefix
    std::unordered_map<std::string_view, LocalLabel> labels;
    Pending pending;
  };

  const LocalName* find_in(const Scope& scope, std::string_view name);
  void require_new(const Token& name);
  void declare(const Token& name, const LocalName& local);
  std::string unique(std::string_view name);
  void require_room(std::uint64_t registers, const Token& place);
  std::uint32_t add_register(std::string_view name, Type type, unsigned vector);
  bool resolve(const PendingLabel& use, const LocalLabel& label);

  ParserContext& context_;
  const Lexer& lexer_;
  Function& function_;
  std::vector<Scope> scopes_;
  std::vector<PendingLabel> unresolved_;  ///< the first of them in the text
  std::unordered_set<std::string> suffixed_;
  std::vector<std::string> label_names_;
  std::uint32_t scopes_opened_ = 0;
  LocalName in_range_;
};

}  // namespace syncline::isa
