#include "isa/ptx/function_parser.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "isa/ptx/declarations.h"
#include "isa/ptx/unsupported.h"
#include "isa/ptx/verifier.h"

namespace syncline::isa {
namespace {

constexpr std::size_t most_words = 32;  // of an opcode; the longest that there is has a dozen

}  // namespace

FunctionParser::FunctionParser(ParserContext& context, std::uint32_t function_index)
    : context_(context),
      lexer_(context.lexer),
      module_(context.module),
      function_(context.module.functions[function_index]),
      function_index_(function_index),
      scopes_(context, function_) {}

void FunctionParser::parse_body() {
  scopes_.open(lexer_.expect('{', "before the body of the function"));
  declare_parameters();
  while (scopes_.depth() > 0) parse_statement();
  scopes_.require_all_labels();
  verify_function(context_, function_);
}

void FunctionParser::declare_parameters() {
  const auto declare = [&](std::vector<Variable>& variables, SymbolKind kind) {
    for (std::uint32_t i = 0; i < variables.size(); ++i) {
      Variable& v = variables[i];
      // The name is in the text; a view of the module's own string lives as long.
      const Token name{TokenKind::word, v.name, v.line, v.column};
      if (v.space == Space::reg) {
        scopes_.declare_register(name, v.type, v.vector);
        v.reg = static_cast<std::uint32_t>(function_.registers.size()) - v.vector;
        // The parameter is declared as a vector again where the module is printed: its elements keep their names.
        for (unsigned e = 0; v.vector > 1 && e < v.vector; ++e)
          function_.registers[v.reg + e].name = fmt::format("{}.{}", v.name, "xyzw"[e]);
      } else {
        scopes_.declare_symbol(name, {kind, i});
      }
    }
  };
  declare(function_.returns, SymbolKind::return_value);
  declare(function_.params, SymbolKind::parameter);
}

void FunctionParser::parse_statement() {
  const Token& token = lexer_.current();
  switch (token.kind) {
    case TokenKind::end:
      lexer_.fail(token, fmt::format("the file ends inside function `{}`: expected `}}` for the `{{` in line {}",
                                     function_.name, scopes_.innermost_brace().line));
    case TokenKind::word:
      parse_label_or_instruction(lexer_.take());
      return;
    case TokenKind::dot:
      parse_directive();
      return;
    default:
      break;
  }
  if (token.is('{')) {
    scopes_.open(lexer_.take());
  } else if (token.is('}')) {
    lexer_.take();
    scopes_.close();
  } else if (token.is('@')) {
    const Guard guard = parse_guard();
    if (lexer_.current().kind != TokenKind::word) lexer_.fail_found("an instruction behind the guard");
    const Token opcode = lexer_.take();
    parse_instruction(opcode, guard);
  } else {
    lexer_.fail_found("an instruction, a label, a directive or `}`");
  }
}

void FunctionParser::parse_label_or_instruction(const Token& word) {
  if (!lexer_.current().is(':')) return parse_instruction(word, Guard{});
  lexer_.take();
  const std::string_view next = lexer_.current().kind == TokenKind::dot ? lexer_.current().text : std::string_view{};
  if (next == ".branchtargets" || next == ".calltargets" || next == ".callprototype")
    return parse_labelled_directive(word);
  Label label;
  label.instruction = static_cast<std::uint32_t>(function_.instructions.size());
  label.line = word.line;
  label.name = scopes_.define_label(word, {LocalTarget::label, static_cast<std::uint32_t>(function_.labels.size())});
  function_.labels.push_back(std::move(label));
}

Guard FunctionParser::parse_guard() {
  lexer_.expect('@', "before the guard");
  Guard guard;
  guard.negated = lexer_.accept('!');
  const Token name = context_.take_name("a predicate register behind `@`");
  guard.reg = predicate_register(name);
  return guard;
}

const MatchedOpcode* FunctionParser::match_opcode(const Token& opcode) {
  words_.clear();
  const char* end = opcode.text.data() + opcode.text.size();
  bool contiguous = true;
  while (lexer_.current().kind == TokenKind::dot) {
    const Token word = lexer_.take();
    contiguous = contiguous && word.text.data() == end;
    end = word.text.data() + word.text.size();
    words_.push_back(word.text);
    if (words_.size() > most_words) lexer_.fail(opcode, fmt::format("more than {} modifiers", most_words));
  }
  // Written in one piece, the text itself is the key; it lives as long as the parser.
  const std::string_view full(opcode.text.data(), static_cast<std::size_t>(end - opcode.text.data()));
  if (contiguous)
    if (const auto found = context_.opcodes.find(full); found != context_.opcodes.end()) return &found->second;
  MatchedOpcode matched;
  if (context_.refused.again(full) || !read_opcode(opcode, full, matched)) return nullptr;
  return &(context_.opcodes[full] = std::move(matched));
}

bool FunctionParser::read_opcode(const Token& opcode, std::string_view full, MatchedOpcode& matched) {
  const auto refuse = [&](std::string message, std::string note) {
    context_.refused.add(full, opcode.place(), std::move(message), std::move(note));
    if (context_.refused.enough()) context_.refused.fail(lexer_.source());
    return false;
  };
  const auto base = find_opcode(opcode.text);
  if (base && match_forms(*base, words_, matched)) return true;
  if (context_.refused.full()) return refuse({}, {});
  if (!base) {
    const std::string why = explain_unknown_opcode(opcode.text);
    const std::string_view reason = unsupported_reason(opcode.text);
    return refuse(why, reason.empty() ? why : std::string(reason));
  }
  const std::string near = fmt::format("the nearest forms are {}", fmt::join(nearest_forms(*base, words_, 3), ", "));
  for (const std::string_view word : words_)
    if (!is_modifier_word(word)) {
      const std::string nearest = base::nearest_name(word, modifier_word_texts());
      const std::string why = fmt::format("unknown or unsupported modifier {}{}; {}", quoted(word),
                                          nearest.empty() ? "" : fmt::format(", did you mean `{}`?", nearest), near);
      return refuse(fmt::format("{}: {}", quoted(full), why), why);
    }
  return refuse(fmt::format("there is no instruction {}; {}", quoted(full), near), "there is no such form; " + near);
}

void FunctionParser::parse_instruction(const Token& opcode, Guard guard) {
  const MatchedOpcode* const known = match_opcode(opcode);
  if (known == nullptr) return lexer_.skip_statement();
  const MatchedOpcode& matched = *known;
  Instruction instruction;
  instruction.opcode = matched.opcode;
  instruction.mods = matched.mods;
  instruction.guard = guard;
  instruction.line = opcode.line;
  instruction.column = opcode.column;
  instruction.source = source_;
  places_.clear();
  const Form& first = *matched.forms.front();
  const RuleKind kind = first.operands.empty() ? RuleKind::value : first.operands.back().kind;
  if (kind == RuleKind::call) {
    parse_call(instruction);
  } else if (kind == RuleKind::label) {
    parse_label_operand(instruction.operands, LocalTarget::label);
  } else if (kind == RuleKind::branch_table) {
    places_.push_back(lexer_.current().place());
    instruction.operands.push_back(parse_operand());
    lexer_.expect(',', "before the name of the `.branchtargets` table");
    parse_label_operand(instruction.operands, LocalTarget::branch_table);
  } else {
    instruction.operands.reserve(first.operands.size());
    if (!lexer_.current().is(';')) parse_operands(opcode, first, instruction);
  }
  if (!lexer_.current().is(';')) lexer_.fail_found(fmt::format("`,` or `;` after the operands of `{}`", opcode.text));
  lexer_.take();
  const InstructionPlace place{opcode, places_};
  verify_instruction(context_, function_, matched, instruction, place);
  function_.instructions.push_back(std::move(instruction));
}

}  // namespace syncline::isa
