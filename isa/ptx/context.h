// What the parts of the parser share while they read one module.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/ptx/ast.h"
#include "isa/ptx/forms.h"
#include "isa/ptx/lexer.h"
#include "isa/ptx/refusals.h"

namespace syncline::isa {

/// An initialiser that names something which may be declared further down.
struct PendingRelocation {
  std::uint32_t function;  ///< whose body declares the variable, or no_index for a module variable
  std::uint32_t variable;  ///< index into Module::variables or Function::variables
  std::size_t relocation;  ///< index into its relocations
  Token name;
};

/// `.alias a, b`, resolved when the whole module is known.
struct PendingAlias {
  std::uint32_t alias;
  Token target;
};

/// `.reg` at module scope: a scalar, or a vector of 2 or 4.
struct ModuleRegister {
  std::uint32_t first = no_index;  ///< index into Module::registers
  std::uint32_t count = 1;
};

struct ParserContext {
  ParserContext(Lexer& l, Module& m) : lexer(l), module(m) {}
  Lexer& lexer;
  Module& module;
  std::unordered_map<std::string_view, Symbol> names;              ///< module scope; the keys point into the text
  std::unordered_map<std::string_view, ModuleRegister> registers;  ///< those of `names` that are registers
  std::deque<std::string> made_names;                              ///< that `<n>` makes: no part of the text
  std::uint64_t registers_made = 0;                                ///< in all functions so far
  std::uint64_t initial_bytes = 0;                                 ///< of initial values so far
  std::vector<PendingRelocation> relocations;
  std::vector<PendingAlias> aliases;
  std::unordered_map<std::string_view, MatchedOpcode> opcodes;  ///< by full text: "add.rn.f32"
  Refusals refused;                                             ///< told together at the end of the text

  /// The n-th name of `name<count>`, which lives as long as the text.
  std::string_view make_name(const Token& name, std::uint64_t n);

  /// Fails when the initial values of all variables get too many.
  void count_initial(const Token& name, const Variable& variable);

  /// Takes an identifier or fails: "expected the name of the function, found `5`".
  Token take_name(const char* what) {
    if (lexer.current().kind != TokenKind::word) lexer.fail_found(what);
    return lexer.take();
  }
};

}  // namespace syncline::isa
