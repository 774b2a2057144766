// The `call` instruction: direct, or through a register with a prototype or a list of targets.
#include <fmt/format.h>

#include <algorithm>

#include "isa/ptx/constant.h"
#include "isa/ptx/function_parser.h"

namespace syncline::isa {

Operand FunctionParser::parse_call_list(bool results) {
  Operand list;
  list.kind = OperandKind::list;
  lexer_.expect('(', results ? "before the return values" : "before the arguments");
  if (lexer_.accept(')')) return list;
  do {
    const Token place = lexer_.current();
    Operand element = parse_single();
    const auto stands = [&](const Operand& o) {
      return o.kind == OperandKind::reg || (o.kind == OperandKind::sink && results) ||
             (o.kind == OperandKind::immediate && !results);
    };
    const bool variable = element.kind == OperandKind::symbol || element.kind == OperandKind::sink || stands(element);
    const bool vector =
        element.kind == OperandKind::vector && std::all_of(element.elements.begin(), element.elements.end(), stands);
    if (!variable && !vector)
      lexer_.fail(place, results ? "a return value is a register, a `.param` variable or `_`"
                                 : "an argument is a register, a constant or a `.param` variable");
    if (vector && element.elements.size() == 1) element = Operand(std::move(element.elements.front()));
    list.elements.push_back(std::move(element));
  } while (lexer_.accept(','));
  lexer_.expect(')', "after the list of the call");
  return list;
}

void FunctionParser::parse_call(Instruction& instruction) {
  std::vector<Operand>& operands = instruction.operands;
  Operand empty;
  empty.kind = OperandKind::list;
  places_.push_back(lexer_.current().place());
  if (lexer_.current().is('(')) {
    operands.push_back(parse_call_list(true));
    lexer_.expect(',', "before the function that is called");
  } else {
    operands.push_back(empty);
  }

  places_.push_back(lexer_.current().place());
  const Token callee = lexer_.current();
  if (callee.kind != TokenKind::word) lexer_.fail_found("the function that is called");
  operands.push_back(parse_named());
  const Operand& target = operands.back();
  const bool direct = target.kind == OperandKind::symbol && target.symbol.kind == SymbolKind::function;
  if (!direct && target.kind != OperandKind::reg)
    lexer_.fail(callee, fmt::format("{} is neither a function nor a register that holds one", quoted(callee.text)));
  if (target.offset != 0) lexer_.fail(callee, "a function is called at its beginning");

  places_.push_back(lexer_.current().place());
  bool comma = lexer_.accept(',');
  if (comma && lexer_.current().is('(')) {
    operands.push_back(parse_call_list(false));
    comma = lexer_.accept(',');
  } else {
    operands.push_back(empty);
  }

  places_.push_back(lexer_.current().place());
  if (comma) {
    if (direct) lexer_.fail_found("`;`: a direct call has no prototype");
    parse_label_operand(operands, LocalTarget::prototype);
  } else {
    if (!direct) lexer_.fail_found("`,` and a `.callprototype` or `.calltargets` label behind an indirect call");
    operands.emplace_back();
  }
}

}  // namespace syncline::isa
