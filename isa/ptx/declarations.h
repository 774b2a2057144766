// Declarations of variables and parameters (PTX ISA, "State Spaces, Types, and Variables").
#pragma once

#include <optional>
#include <vector>

#include "isa/ptx/context.h"

namespace syncline::isa {

/// What stands before the first name of a declaration.
struct DeclarationHead {
  Type type = Type::none;
  unsigned vector = 1;
  std::uint32_t align = 0;  ///< 0: not said
  bool managed = false, pointer = false;
  bool opaque = false;  ///< a texture, sampler or surface
  Space pointer_space = Space::none;
  std::uint32_t pointer_align = 0;
  TextPlace place;
};

/// What element `index` of a register of `vector` elements is called: flat registers of their own, v$x for v.x.
std::string register_name(std::string_view name, unsigned vector, unsigned index);

/// Skips the initial value of a texture, sampler or surface.
void skip_opaque_initialiser(Lexer& lexer);

/// The state space that a directive opens: ".global", ".shared", ...; Space::none for anything else.
Space declared_space(const Token& token);

/// Reads vector, type, alignment and attributes up to the first name. A texture, sampler or surface is refused, and
/// read as the handle of 64 bits that it is, so that reading can go on.
DeclarationHead read_declaration_head(Lexer& lexer, Refusals& refused);
/// The same of registers.
DeclarationHead read_register_head(Lexer& lexer, Refusals& refused);

/// Reads one name with dimensions; `space` decides what is legal. The initialiser is not read.
Variable read_declarator(Lexer& lexer, const DeclarationHead& head, Space space);

/// Reads `= ...` when it is there. Relocations with a name go to `pending`; the caller completes their indices.
void read_initialiser(Lexer& lexer, Variable& variable, std::vector<PendingRelocation>& pending);

/// Reads `( .param ..., .reg ... )` and lays the parameters out. A prototype may call them all `_`.
std::vector<Variable> read_parameters(Lexer& lexer, Refusals& refused, std::uint64_t& bytes, bool anonymous = false);
/// The same for what a function returns.
std::vector<Variable> read_results(Lexer& lexer, Refusals& refused, std::uint64_t& bytes, bool anonymous = false);

/// Reads `<n>` behind a name, which then stands for n registers or variables with the numbers 0 to n-1 behind it
/// ("Parameterized Variable Names"); nothing when it is not there. `what` is for messages: "registers".
std::optional<std::uint64_t> read_name_count(Lexer& lexer, const char* what);

/// Skips what stands in matching braces or parentheses; the current token is the opening one.
void skip_balanced(Lexer& lexer, char open, char close);

}  // namespace syncline::isa
