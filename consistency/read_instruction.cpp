#include "consistency/read_instruction.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/nearest.h"

namespace syncline::consistency {
namespace {

constexpr std::string_view opcodes[] = {"ld",  "st",  "atom", "red", "fence", "membar", "bar", "barrier",
                                        "mov", "add", "sub",  "mul", "and",   "or",     "xor", "beq",
                                        "bne", "blt", "ble",  "bgt", "bge",   "goto"};

struct BranchName {
  std::string_view name;
  Comparison comparison;
};
constexpr BranchName branches[] = {{"beq", Comparison::eq},     {"bne", Comparison::ne}, {"blt", Comparison::lt},
                                   {"ble", Comparison::le},     {"bgt", Comparison::gt}, {"bge", Comparison::ge},
                                   {"goto", Comparison::always}};

}  // namespace

/// An opcode and its qualifiers, each with its place; `take` finds the one qualifier of a family.
struct InstructionReader::Mnemonic {
  Token opcode;
  std::vector<Token> qualifiers;
  mutable std::vector<std::string> known;  ///< all words that were asked for

  template <class Enum>
  std::optional<Enum> take(const base::ChoiceTable<Enum>& table, std::vector<std::string_view> allowed,
                           std::string_view family) const {
    std::optional<Enum> found;
    known.insert(known.end(), allowed.begin(), allowed.end());
    for (const Token& qualifier : qualifiers) {
      if (std::find(allowed.begin(), allowed.end(), qualifier.text) == allowed.end()) continue;
      if (found)
        TokenStream::fail(qualifier, "`" + opcode.text + "` has a second " + std::string(family) + ", `." +
                                         qualifier.text + "`; expected one");
      for (const auto& row : table) {
        if (row.first == qualifier.text) found = row.second;
      }
    }
    return found;
  }

  bool take_word(std::string_view word) const {
    known.emplace_back(word);
    return std::any_of(qualifiers.begin(), qualifiers.end(), [&](const Token& q) { return q.text == word; });
  }

  /// Every qualifier is one of those that were asked for.
  void nothing_else() const {
    for (const Token& qualifier : qualifiers) {
      if (std::find(known.begin(), known.end(), qualifier.text) == known.end())
        TokenStream::fail(qualifier, "`" + opcode.text + "` has no qualifier `." + qualifier.text + "`" +
                                         base::suggestion(qualifier.text, known));
    }
  }
};

namespace {
const std::vector<std::string_view> all_scopes{"cta", "gpu", "sys"};
}

InstructionReader::Mnemonic InstructionReader::read_mnemonic() {
  Mnemonic mnemonic;
  mnemonic.opcode = tokens_.expect_word("an instruction");
  const std::string& name = mnemonic.opcode.text;
  if (std::find(std::begin(opcodes), std::end(opcodes), name) == std::end(opcodes))
    TokenStream::fail(mnemonic.opcode,
                      "unknown instruction `" + name + "`" +
                          base::suggestion(name, {std::begin(opcodes), std::end(opcodes)}, std::size(opcodes)));
  while (tokens_.accept(".")) mnemonic.qualifiers.push_back(tokens_.expect_word("a qualifier behind `.`"));
  return mnemonic;
}

Instruction InstructionReader::read(Thread& thread, Token& label) {
  const Token first = tokens_.peek();
  const Mnemonic mnemonic = read_mnemonic();
  Instruction instruction;
  instruction.where = first.where;
  const std::string& name = mnemonic.opcode.text;
  if (name == "ld") {
    load(mnemonic, thread, instruction);
  } else if (name == "st") {
    store(mnemonic, thread, instruction);
  } else if (name == "atom" || name == "red") {
    atomic(mnemonic, thread, instruction);
  } else if (name == "fence") {
    fence(mnemonic, instruction);
  } else if (name == "membar") {
    membar(mnemonic, instruction);
  } else if (name == "bar" || name == "barrier") {
    barrier(mnemonic, instruction);
  } else if (name[0] == 'b' || name == "goto") {
    branch(mnemonic, thread, instruction, label);
  } else {
    alu(mnemonic, thread, instruction);
  }
  instruction.text = tokens_.text_between(first, tokens_.peek());
  return instruction;
}

void InstructionReader::load(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction) {
  instruction.kind = InstructionKind::load;
  const auto semantics = mnemonic.take(semantics_names(), {"weak", "relaxed", "acquire"}, "semantics");
  const auto scope = mnemonic.take(scope_names(), all_scopes, "scope");
  instruction.is_volatile = mnemonic.take_word("volatile");
  mnemonic.nothing_else();
  instruction.destination = destination(thread);
  comma();
  const Token& source = tokens_.peek();
  if (source.kind == Token::Kind::number || is_register(thread, source.text)) {  // ld r, 1: how the dialect moves
    if (!mnemonic.qualifiers.empty() && semantics != Semantics::weak)
      TokenStream::fail(source, "expected a location behind `" + mnemonic.opcode.text + "." +
                                    mnemonic.qualifiers.front().text + "`, found " + source.shown());
    instruction.kind = InstructionKind::move;
    instruction.a = operand(thread);
    return;
  }
  instruction.semantics = instruction.is_volatile ? Semantics::relaxed : semantics.value_or(Semantics::weak);
  instruction.scope = scope.value_or(Scope::sys);
  if ((instruction.semantics != Semantics::weak && !instruction.is_volatile) != scope.has_value())
    TokenStream::fail(mnemonic.opcode, scope
                                           ? "a weak or volatile `ld` takes no scope"
                                           : "a relaxed or acquiring `ld` needs a scope; expected .cta, .gpu or .sys");
  instruction.location = address(thread);
}

void InstructionReader::store(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction) {
  instruction.kind = InstructionKind::store;
  const auto semantics = mnemonic.take(semantics_names(), {"weak", "relaxed", "release"}, "semantics");
  const auto scope = mnemonic.take(scope_names(), all_scopes, "scope");
  instruction.is_volatile = mnemonic.take_word("volatile");
  mnemonic.nothing_else();
  instruction.semantics = instruction.is_volatile ? Semantics::relaxed : semantics.value_or(Semantics::weak);
  instruction.scope = scope.value_or(Scope::sys);
  if ((instruction.semantics != Semantics::weak && !instruction.is_volatile) != scope.has_value())
    TokenStream::fail(mnemonic.opcode, scope
                                           ? "a weak or volatile `st` takes no scope"
                                           : "a relaxed or releasing `st` needs a scope; expected .cta, .gpu or .sys");
  instruction.location = address(thread);
  comma();
  instruction.a = operand(thread);
}

void InstructionReader::atomic(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction) {
  const bool is_reduction = mnemonic.opcode.text == "red";
  instruction.kind = is_reduction ? InstructionKind::reduction : InstructionKind::atomic;
  const std::vector<std::string_view> allowed =
      is_reduction ? std::vector<std::string_view>{"relaxed", "release"}
                   : std::vector<std::string_view>{"relaxed", "acquire", "release", "acq_rel"};
  const std::vector<std::string_view> operations =
      is_reduction ? std::vector<std::string_view>{"add", "sub", "and", "or", "xor", "min", "max"}
                   : std::vector<std::string_view>{"add", "sub", "exch", "cas", "and", "or", "xor", "min", "max"};
  instruction.semantics = mnemonic.take(semantics_names(), allowed, "semantics").value_or(Semantics::relaxed);
  instruction.scope = mnemonic.take(scope_names(), all_scopes, "scope").value_or(Scope::gpu);
  const auto operation = mnemonic.take(atomic_names(), operations, "operation");
  mnemonic.nothing_else();
  if (!operation)
    TokenStream::fail(mnemonic.opcode, "`" + mnemonic.opcode.text + "` needs an operation" +
                                           base::suggestion("", {operations.begin(), operations.end()}));
  instruction.atomic = *operation;
  if (!is_reduction) {
    instruction.destination = destination(thread);
    comma();
  }
  instruction.location = address(thread);
  comma();
  instruction.a = operand(thread);
  if (*operation == AtomicOp::cas) {
    comma();
    instruction.b = operand(thread);
  }
}

void InstructionReader::fence(const Mnemonic& mnemonic, Instruction& instruction) {
  instruction.kind = InstructionKind::fence;
  const auto semantics = mnemonic.take(semantics_names(), {"sc", "acq_rel", "acquire", "release"}, "semantics");
  const auto scope = mnemonic.take(scope_names(), all_scopes, "scope");
  mnemonic.nothing_else();
  if (!scope) TokenStream::fail(mnemonic.opcode, "`fence` needs a scope; expected .cta, .gpu or .sys");
  instruction.semantics = semantics.value_or(Semantics::acq_rel);
  instruction.scope = *scope;
}

void InstructionReader::membar(const Mnemonic& mnemonic, Instruction& instruction) {
  static const base::ChoiceTable<Scope> levels{{"cta", Scope::cta}, {"gl", Scope::gpu}, {"sys", Scope::sys}};
  instruction.kind = InstructionKind::fence;
  instruction.semantics = Semantics::sc;
  instruction.is_membar = true;
  const auto level = mnemonic.take(levels, {"cta", "gl", "sys"}, "level");
  mnemonic.nothing_else();
  if (!level) TokenStream::fail(mnemonic.opcode, "`membar` needs a level; expected .cta, .gl or .sys");
  instruction.scope = *level;
}

void InstructionReader::barrier(const Mnemonic& mnemonic, Instruction& instruction) {
  instruction.kind = InstructionKind::barrier;
  mnemonic.take_word("cta");
  const bool is_sync = mnemonic.take_word("sync");
  mnemonic.nothing_else();
  if (!is_sync) TokenStream::fail(mnemonic.opcode, "`" + mnemonic.opcode.text + "` needs `.sync`");
  const auto number = [&](std::string_view what) {
    const Token token = tokens_.expect_number(what);
    if (token.value < 0) TokenStream::fail(token, "expected " + std::string(what) + " from 0, found " + token.shown());
    return static_cast<unsigned>(token.value);
  };
  instruction.instance = number("the number of the barrier's instance");
  if (tokens_.accept(",")) instruction.barrier = number("the number of the barrier");
  // The count says how many threads meet; of a test these are the threads that name the barrier.
  if (tokens_.accept(",")) number("the count of threads");
}

void InstructionReader::alu(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction) {
  mnemonic.nothing_else();
  instruction.destination = destination(thread);
  comma();
  instruction.a = operand(thread);
  if (mnemonic.opcode.text == "mov") {
    instruction.kind = InstructionKind::move;
    return;
  }
  instruction.kind = InstructionKind::alu;
  for (const auto& row : alu_names()) {
    if (row.first == mnemonic.opcode.text) instruction.alu = row.second;
  }
  comma();
  instruction.b = operand(thread);
}

void InstructionReader::branch(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction, Token& label) {
  mnemonic.nothing_else();
  instruction.kind = InstructionKind::branch;
  for (const BranchName& row : branches) {
    if (row.name == mnemonic.opcode.text) instruction.comparison = row.comparison;
  }
  if (instruction.comparison != Comparison::always) {
    instruction.a = operand(thread);
    comma();
    instruction.b = operand(thread);
    comma();
  }
  label = tokens_.expect_word("a label");
}

void InstructionReader::comma() {
  tokens_.expect(",", "between operands");
}

Operand InstructionReader::operand(Thread& thread) {
  const Token token = tokens_.next();
  if (token.kind == Token::Kind::number) return {std::nullopt, token.value};
  if (token.kind == Token::Kind::word && is_register(thread, token.text)) return {reg(thread, token.text), 0};
  TokenStream::fail(token, "expected a register (r0, r1, ...) or a number, found " + token.shown());
}

unsigned InstructionReader::destination(Thread& thread) {
  const Token token = tokens_.expect_word("a register (r0, r1, ...)");
  if (!is_register(thread, token.text))
    TokenStream::fail(token, "expected a register (r0, r1, ...), found " + token.shown());
  return reg(thread, token.text);
}

unsigned InstructionReader::address(const Thread& thread) {
  const bool bracket = tokens_.accept("[");
  const Token token = tokens_.expect_word("a location");
  if (is_register(thread, token.text))
    TokenStream::fail(token, "expected a location, found the register " + token.shown());
  if (bracket) tokens_.expect("]", "behind the location");
  return location(token.text);
}

unsigned InstructionReader::location(const std::string& name) {
  for (unsigned i = 0; i < program_.locations.size(); ++i) {
    if (program_.locations[i].name == name) return i;
  }
  program_.locations.push_back({name, 0});
  return static_cast<unsigned>(program_.locations.size()) - 1;
}

unsigned InstructionReader::reg(Thread& thread, const std::string& name) {
  for (unsigned i = 0; i < thread.registers.size(); ++i) {
    if (thread.registers[i].name == name) return i;
  }
  thread.registers.push_back({name, 0});
  return static_cast<unsigned>(thread.registers.size()) - 1;
}

bool InstructionReader::is_register(const Thread& thread, const std::string& name) {
  const bool usual = name.size() > 1 && name[0] == 'r' && std::all_of(name.begin() + 1, name.end(), [](char c) {
                       return std::isdigit(static_cast<unsigned char>(c)) != 0;
                     });
  return usual || std::any_of(thread.registers.begin(), thread.registers.end(),
                              [&](const Register& r) { return r.name == name; });
}

}  // namespace syncline::consistency
