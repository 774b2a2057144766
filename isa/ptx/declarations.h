// Declarations of variables and parameters (PTX ISA, "State Spaces, Types, and Variables").
#pragma once

#include <vector>

#include "isa/ptx/context.h"

namespace syncline::isa {

/// What stands before the first name of a declaration.
struct DeclarationHead {
  Type type = Type::none;
  unsigned vector = 1;
  std::uint32_t align = 0;  ///< 0: not said
  bool managed = false, pointer = false;
  Space pointer_space = Space::none;
  std::uint32_t pointer_align = 0;
  TextPlace place;
};

/// The state space that a directive opens: ".global", ".shared", ...; Space::none for anything else.
Space declared_space(const Token& token);

/// Reads types, alignment, vector and attributes, in any order, up to the first name.
DeclarationHead read_declaration_head(Lexer& lexer);

/// Reads one name with dimensions; `space` decides what is legal. The initialiser is not read.
Variable read_declarator(Lexer& lexer, const DeclarationHead& head, Space space);

/// Reads `= ...` when it is there. Relocations with a name go to `pending`; the caller completes their indices.
void read_initialiser(Lexer& lexer, Variable& variable, std::vector<PendingRelocation>& pending);

/// Reads `( .param ..., .reg ... )` and lays the parameters out. A prototype may call them all `_`.
std::vector<Variable> read_parameters(Lexer& lexer, std::uint64_t& bytes, bool anonymous = false);

/// Skips what stands in matching braces or parentheses; the current token is the opening one.
void skip_balanced(Lexer& lexer, char open, char close);

}  // namespace syncline::isa
