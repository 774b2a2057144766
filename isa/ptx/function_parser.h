// Reads one function body: declarations, labels, instructions.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "isa/ptx/constant.h"
#include "isa/ptx/context.h"
#include "isa/ptx/scope.h"

namespace syncline::isa {

class FunctionParser {
 public:
  /// `params` and `returns` of the function are read already; the current token is the opening brace.
  FunctionParser(ParserContext& context, std::uint32_t function_index);
  void parse_body();

 private:
  // function_parser.cpp: statements
  void declare_parameters();
  void parse_statement();
  void parse_label_or_instruction(const Token& word);
  void parse_instruction(const Token& opcode, Guard guard);
  Guard parse_guard();
  const MatchedOpcode* match_opcode(const Token& opcode);  ///< null when it is refused
  bool read_opcode(const Token& opcode, std::string_view full, MatchedOpcode& matched);

  // body_directives.cpp: what starts with a dot
  void parse_directive();
  void parse_registers();
  void parse_variables(Space space);
  void parse_labelled_directive(const Token& label);
  void parse_branch_targets(const Token& label);
  void parse_call_targets(const Token& label);
  void parse_call_prototype(const Token& label);
  void parse_location();

  // operand_parser.cpp
  void parse_operands(const Token& opcode, const Form& form, Instruction& instruction);
  Operand parse_operand();
  Operand parse_single();
  Operand parse_named();
  Operand parse_register(const Token& name, std::uint32_t index, std::uint32_t count);
  Operand parse_symbol(const Token& name, Symbol symbol);
  Operand parse_vector();
  Operand parse_address();
  Operand parse_minus();
  Operand parse_constant();
  static Operand constant_operand(const Constant& constant);
  Operand parse_component(const Token& name, Operand operand);
  void parse_selector(Operand& operand);
  std::int64_t parse_offset();
  void parse_label_operand(std::vector<Operand>& operands, LocalTarget wanted);
  std::uint32_t predicate_register(const Token& name);
  const LocalName* find_name(const Token& name);
  void parse_st_sum(const Token& opcode, Guard guard, Operand& value);
  [[noreturn]] void fail_undeclared(const Token& name);

  // call_parser.cpp
  void parse_call(Instruction& instruction);
  Operand parse_call_list(bool results);

  ParserContext& context_;
  Lexer& lexer_;
  Module& module_;
  Function& function_;
  std::uint32_t function_index_;
  ScopeStack scopes_;
  SourceLine source_;
  std::vector<TextPlace> places_;                           ///< of the operands of the instruction that is being read
  bool indexed_ = false;                                    ///< the operand that is being read was name[n]
  std::vector<std::string_view> words_;                     ///< modifier words of that instruction
  std::unordered_map<std::string_view, LocalName> shared_;  ///< registers of the module that this function has named
};

}  // namespace syncline::isa
