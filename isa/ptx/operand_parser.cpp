// Operands as the text writes them; whether they fit the instruction is the verifier's business.
#include <fmt/format.h>

#include "base/nearest.h"
#include "isa/ptx/constant.h"
#include "isa/ptx/function_parser.h"

namespace syncline::isa {
namespace {

constexpr std::size_t most_elements = 64;
constexpr const char* vector_contents = "a vector holds registers, constants and `_`";

/// .x .y .z .w, or .r .g .b .a; 4 when it is none of these.
unsigned component_number(std::string_view word) {
  if (word.size() != 2) return 4;
  for (const std::string_view letters : {"xyzw", "rgba"})
    if (const std::size_t at = letters.find(word[1]); at != std::string_view::npos) return static_cast<unsigned>(at);
  return 4;
}

}  // namespace

void FunctionParser::parse_operands(const Token& opcode, const Form& form, Instruction& instruction) {
  std::vector<Operand>& operands = instruction.operands;
  do {
    const std::size_t position = operands.size();
    const bool address = position < form.operands.size() && form.operands[position].kind == RuleKind::address;
    places_.push_back(lexer_.current().place());
    indexed_ = false;
    operands.push_back(parse_operand());
    // name[3] is an address by itself ("Arrays as Operands").
    if (address && indexed_ && operands.back().kind == OperandKind::symbol) operands.back().kind = OperandKind::address;
    const bool sum = lexer_.current().is('+') || lexer_.current().is('-');
    if (sum && instruction.opcode == Opcode::st && !address) parse_st_sum(opcode, instruction.guard, operands.back());
    if (operands.size() > most_elements) lexer_.fail_found("`;`: too many operands");
  } while (lexer_.accept(','));
}

/// st [a], r+4 stores a sum: an addition of its own, into a register that nobody else has.
void FunctionParser::parse_st_sum(const Token& opcode, Guard guard, Operand& value) {
  const Token sign = lexer_.current();
  const Type type = value.kind == OperandKind::reg ? function_.registers[value.index].type : Type::none;
  const unsigned bytes = type_bytes(type);
  if (is_float(type) || value.selector != 0 || value.minus || (bytes != 2 && bytes != 4 && bytes != 8))
    lexer_.fail(sign, "a constant can be added here to an integer register of 16, 32 or 64 bits");
  Instruction add;
  add.opcode = Opcode::add;
  add.mods.type = bytes == 2 ? Type::s16 : bytes == 4 ? Type::s32 : Type::s64;
  add.guard = guard;
  add.line = opcode.line;
  add.column = opcode.column;
  add.source = source_;
  Operand amount;
  amount.kind = OperandKind::immediate;
  const std::int64_t offset = parse_offset();
  amount.negative = offset < 0;
  Constant constant;
  constant.bits = static_cast<std::uint64_t>(offset);
  constant_bits(constant, add.mods.type, amount.bits);
  Operand sum;
  sum.kind = OperandKind::reg;
  sum.index = scopes_.add_scratch(opcode, add.mods.type);
  add.operands = {sum, value, amount};
  function_.instructions.push_back(std::move(add));
  value = sum;
}

Operand FunctionParser::parse_operand() {
  Operand first = parse_single();
  if (!lexer_.accept('|')) return first;
  Operand pair;
  pair.kind = OperandKind::pair;
  pair.elements.push_back(std::move(first));
  pair.elements.push_back(parse_single());
  return pair;
}

Operand FunctionParser::parse_single() {
  const Token& token = lexer_.current();
  if (token.kind == TokenKind::word && token.text != "WARP_SZ") return parse_named();
  if (token.is('{')) return parse_vector();
  if (token.is('[')) return parse_address();
  if (token.is('!')) {
    const Token bang = lexer_.take();
    if (lexer_.current().kind == TokenKind::word && lexer_.current().text != "WARP_SZ") {
      Operand operand = parse_named();
      if (operand.kind != OperandKind::reg) lexer_.fail(bang, "`!` in an operand needs a predicate register");
      operand.negated = true;
      return operand;
    }
    Operand operand = parse_constant();
    operand.bits = operand.bits == 0 ? 1 : 0;
    return operand;
  }
  if (token.is('-')) return parse_minus();
  if (starts_constant(token)) return parse_constant();
  lexer_.fail_found("an operand");
}

/// A negative constant, or a register that vmad negates.
Operand FunctionParser::parse_minus() {
  const Token minus = lexer_.take();
  const Token& next = lexer_.current();
  if (next.kind != TokenKind::word || next.text == "WARP_SZ")
    return constant_operand(read_constant_behind_minus(lexer_));
  Operand operand = parse_named();
  if (operand.kind != OperandKind::reg) lexer_.fail(minus, "`-` in an operand needs a register or a constant");
  operand.minus = true;
  return operand;
}

Operand FunctionParser::parse_constant() {
  return constant_operand(read_constant(lexer_));
}

Operand FunctionParser::constant_operand(const Constant& constant) {
  Operand operand;
  operand.kind = OperandKind::immediate;
  operand.immediate_kind = constant.kind;
  operand.bits = constant.bits;
  operand.negative = constant.is_negative();
  return operand;
}

Operand FunctionParser::parse_named() {
  const Token name = lexer_.take();
  if (name.text == "_") {
    Operand sink;
    sink.kind = OperandKind::sink;
    return sink;
  }
  if (const LocalName* local = find_name(name)) {
    if (local->kind == LocalName::Kind::reg) return parse_register(name, local->index, local->count);
    return parse_symbol(name, local->symbol);
  }
  if (name.text[0] == '%') {
    if (const auto special = find_special_register(name.text)) {
      Operand operand;
      operand.kind = OperandKind::special;
      operand.special = *special;
      return parse_component(name, operand);
    }
  }
  if (const auto found = context_.names.find(name.text); found != context_.names.end())
    return parse_symbol(name, found->second);
  fail_undeclared(name);
}

/// What a name means in this function; null for what is known at module scope only.
const LocalName* FunctionParser::find_name(const Token& name) {
  if (const LocalName* local = scopes_.find(name.text)) return local;
  if (const auto known = shared_.find(name.text); known != shared_.end()) return &known->second;
  const auto found = context_.registers.find(name.text);
  if (found == context_.registers.end()) return nullptr;
  return &(shared_[name.text] = scopes_.add_shared(name, found->second));
}

void FunctionParser::fail_undeclared(const Token& name) {
  std::vector<std::string> names = scopes_.visible_names();
  for (const Variable& v : module_.variables) names.push_back(v.name);
  for (const Register& r : module_.registers) names.push_back(r.name);
  for (const Function& f : module_.functions) names.push_back(f.name);
  for (unsigned i = 0; i < static_cast<unsigned>(SpecialRegister::count_); ++i)
    names.push_back(special_register_name(static_cast<SpecialRegister>(i)));
  const std::string nearest = base::nearest_name(name.text, names);
  lexer_.fail(name, fmt::format("{} is not declared{}", quoted(name.text),
                                nearest.empty() ? "" : fmt::format("; did you mean `{}`?", nearest)));
}

Operand FunctionParser::parse_component(const Token& name, Operand operand) {
  const bool has_components = info(operand.special).is_vector;
  if (lexer_.current().kind != TokenKind::dot) {
    if (!has_components) return operand;
    Operand all;  // for mov.v4
    all.kind = OperandKind::vector;
    all.elements.assign(4, operand);
    for (unsigned i = 0; i < 4; ++i) all.elements[i].component = static_cast<std::uint8_t>(i);
    return all;
  }
  const Token word = lexer_.take();
  const unsigned component = component_number(word.text);
  if (!has_components || component > 3)
    lexer_.fail(word, fmt::format("`{}` has no component {}", name.text, quoted(word.text)));
  operand.component = static_cast<std::uint8_t>(component);
  return operand;
}

Operand FunctionParser::parse_register(const Token& name, std::uint32_t index, std::uint32_t count) {
  Operand operand;
  operand.kind = OperandKind::reg;
  operand.index = index;
  if (count == 1) {
    if (lexer_.current().kind == TokenKind::dot) parse_selector(operand);
    return operand;
  }
  if (lexer_.current().kind == TokenKind::dot) {
    const Token word = lexer_.take();
    const unsigned component = component_number(word.text);
    if (component >= count) lexer_.fail(word, fmt::format("`{}` has no component {}", name.text, quoted(word.text)));
    operand.index += component;
    return operand;
  }
  Operand vector;
  vector.kind = OperandKind::vector;
  for (std::uint32_t i = 0; i < count; ++i) {
    operand.index = index + i;
    vector.elements.push_back(operand);
  }
  return vector;
}

void FunctionParser::parse_selector(Operand& operand) {
  const Token word = lexer_.take();
  const std::string_view text = word.text.substr(1);
  const char unit = text[0];
  const std::string_view digits = text.substr(1);
  const unsigned limit = unit == 'b' ? 8 : unit == 'h' ? 4 : 0;
  bool good = limit != 0 && !digits.empty() && digits.size() <= 4;
  for (const char digit : digits) good = good && digit >= '0' && static_cast<unsigned>(digit - '0') < limit;
  if (!good) lexer_.fail(word, fmt::format("a register has no part {}", quoted(word.text)));
  if (digits.size() == 1 && static_cast<unsigned>(digits[0] - '0') < limit / 2) {
    operand.selector = static_cast<std::uint8_t>((unit == 'b' ? 1 : 5) + (digits[0] - '0'));
    return;
  }
  operand.selector = unit == 'b' ? 7 : 8;
  operand.component = static_cast<std::uint8_t>(digits.size());
  for (const char digit : digits) operand.bits = operand.bits << 4 | static_cast<unsigned>(digit - '0');
}

std::int64_t FunctionParser::parse_offset() {
  std::uint64_t sum = 0;
  while (lexer_.current().is('+') || lexer_.current().is('-')) {
    const Token sign = lexer_.take();
    const Constant term = read_offset_term(lexer_);
    if (term.kind != ImmediateKind::integer) lexer_.fail(sign, "an offset is an integer constant");
    sum = sign.is('-') ? sum - term.bits : sum + term.bits;
  }
  return static_cast<std::int64_t>(sum);
}

Operand FunctionParser::parse_symbol(const Token& name, Symbol symbol) {
  Operand operand;
  operand.kind = OperandKind::symbol;
  operand.symbol = symbol;
  if (!lexer_.current().is('[')) {
    operand.offset = parse_offset();
    return operand;
  }
  // name[3]: the address of an element
  lexer_.take();
  indexed_ = true;
  const Token place = lexer_.current();
  const std::int64_t index = read_integer(lexer_, "the index of the element");
  lexer_.expect(']', "after the index");
  const Variable* variable = find_symbol(module_, function_, symbol);
  if (variable == nullptr || !variable->is_array)
    lexer_.fail(name, fmt::format("{} is no array: it cannot have an index", quoted(name.text)));
  std::int64_t element = type_bytes(variable->type) * variable->vector;
  for (std::size_t i = 1; i < variable->dims.size(); ++i) element *= static_cast<std::int64_t>(variable->dims[i]);
  if (__builtin_mul_overflow(index, element, &operand.offset)) lexer_.fail(place, "the index is out of range");
  return operand;
}

Operand FunctionParser::parse_vector() {
  const Token open = lexer_.take();
  Operand vector;
  vector.kind = OperandKind::vector;
  do {
    if (lexer_.current().is('{') || lexer_.current().is('[')) lexer_.fail(open, vector_contents);
    Operand element = parse_single();
    if (element.kind == OperandKind::vector) lexer_.fail(open, vector_contents);
    vector.elements.push_back(std::move(element));
    if (vector.elements.size() > 8) lexer_.fail(open, "a vector has at most 8 elements");
  } while (lexer_.accept(','));
  lexer_.expect('}', "after the elements of the vector");
  return vector;
}

Operand FunctionParser::parse_address() {
  lexer_.take();
  Operand address;
  if (lexer_.current().kind == TokenKind::word && lexer_.current().text != "WARP_SZ") {
    const Token name = lexer_.current();
    Operand base = parse_named();
    if (base.kind != OperandKind::reg && base.kind != OperandKind::symbol)
      lexer_.fail(name, fmt::format("expected a register or a variable in an address, found {}", quoted(name.text)));
    address = std::move(base);
    if (address.kind == OperandKind::reg) address.offset = parse_offset();
  } else {
    const Token place = lexer_.current();
    const Constant constant = read_constant(lexer_);
    if (constant.kind != ImmediateKind::integer) lexer_.fail(place, "an address is an integer");
    address.offset = static_cast<std::int64_t>(constant.bits);
  }
  address.kind = OperandKind::address;
  lexer_.expect(']', "after the address");
  if (lexer_.current().kind == TokenKind::dot && lexer_.current().text == ".unified") {
    lexer_.take();
    address.unified = true;
  }
  return address;
}

void FunctionParser::parse_label_operand(std::vector<Operand>& operands, LocalTarget wanted) {
  PendingLabel use;
  places_.push_back(lexer_.current().place());
  use.name = context_.take_name(wanted == LocalTarget::label ? "a label" : "the name of a target list");
  use.wanted = wanted;
  use.any_call_target = wanted == LocalTarget::prototype;
  use.instruction = static_cast<std::uint32_t>(function_.instructions.size());
  use.position = static_cast<std::uint32_t>(operands.size());
  Operand operand;
  operand.kind = wanted == LocalTarget::label ? OperandKind::label : OperandKind::branch_table;
  operands.push_back(operand);
  scopes_.use_label(use);
}

std::uint32_t FunctionParser::predicate_register(const Token& name) {
  const LocalName* local = find_name(name);
  if (local == nullptr) fail_undeclared(name);
  if (local->kind != LocalName::Kind::reg || local->count != 1)
    lexer_.fail(name, fmt::format("{} is not a register", quoted(name.text)));
  const Type type = function_.registers[local->index].type;
  if (type != Type::pred)
    lexer_.fail(
        name, fmt::format("expected a predicate register, but {} is of type .{}", quoted(name.text), isa::name(type)));
  return local->index;
}

}  // namespace syncline::isa
