// Reads what stands at module scope and hands function bodies to FunctionParser.
#pragma once

#include <string_view>
#include <vector>

#include "isa/ptx/context.h"
#include "isa/ptx/declarations.h"

namespace syncline::isa {

class ModuleParser {
 public:
  ModuleParser(Lexer& lexer, Module& module) : context_(lexer, module), lexer_(lexer), module_(module) {}
  /// Reads the whole text. What is not there yet is collected and thrown at the end, with the mistake that ended the
  /// reading if there was one.
  void parse();

 private:
  // module_parser.cpp
  void parse_statements();
  void parse_header();
  void parse_version();
  void parse_target();
  void parse_address_size();
  void parse_statement();
  void parse_alias();
  void parse_variables(Space space, Linkage linkage);
  void add_variable(const Token& name, Variable variable, std::size_t first_relocation);
  void parse_registers();
  void add_register(const Token& name, const DeclarationHead& head);
  void resolve_relocations();
  void resolve_aliases();
  void find_addressed_functions();
  void complete_instructions();

  // signature_parser.cpp
  void parse_function(bool is_entry, Linkage linkage);
  void parse_performance_directives(Function& function);
  void refuse_directive(const Token& directive, std::string_view reason);  ///< which is taken already
  std::uint32_t read_limit(const char* what);
  void read_extents(std::array<std::uint32_t, 3>& extents, const char* what);
  std::uint32_t declare_function(const Token& name, Function function, bool has_body);
  void check_parameters(const Function& function, const Token& name) const;

  ParserContext context_;
  Lexer& lexer_;
  Module& module_;
  std::vector<Pragma> pragmas_;
  bool address_size_said_ = false;
};

}  // namespace syncline::isa
