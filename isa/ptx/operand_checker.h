// Does an operand fit the place that a form of its instruction has for it?
#pragma once

#include <cstdint>
#include <string>

#include "isa/ptx/context.h"

namespace syncline::isa {

/// The operands of one instruction.
class OperandChecker {
 public:
  OperandChecker(const ParserContext& context, const Function& function, const Instruction& instruction)
      : context_(context), function_(function), instruction_(instruction) {}

  /// Empty when it fits; `operand` then has its immediates converted.
  std::string check(const OperandRule& rule, Operand& operand) const;

 private:
  std::string found(const Operand& operand) const;
  std::string check_value(const OperandRule& rule, Operand& operand) const;
  std::string check_vector(const OperandRule& rule, Type type, unsigned count, Operand& operand) const;
  std::string check_pack(const OperandRule& rule, Type type, Operand& operand) const;
  std::string check_scalar(const OperandRule& rule, Type type, Operand& operand, bool sink) const;
  std::string check_register(const OperandRule& rule, Type type, const Operand& operand) const;
  std::string check_immediate(const OperandRule& rule, Type type, Operand& operand) const;
  std::string check_special(const OperandRule& rule, Type type, const Operand& operand) const;
  std::string misfit_special(Type type, const Operand& operand) const;
  std::string check_symbol(const OperandRule& rule, Type type, const Operand& operand) const;
  std::string check_address(const Operand& operand) const;
  std::int64_t accessed_bytes() const;
  /// In what has so many bytes and begins at the operand's symbol, or at 0.
  bool lies_within(const Operand& operand, std::int64_t bytes) const;
  /// The parameters of a kernel lie behind each other from 0 on; those of functions and calls have no addresses.
  std::string check_number(const Operand& operand) const;
  std::string check_symbol_base(const Operand& operand) const;
  /// Parameters have no neighbours: an access behind their end is a mistake of the text.
  std::string check_parameter_bounds(const Operand& operand, const Variable& variable) const;

  const ParserContext& context_;
  const Function& function_;
  const Instruction& instruction_;
};

}  // namespace syncline::isa
