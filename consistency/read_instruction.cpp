#include "consistency/read_instruction.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/nearest.h"
#include "consistency/refusal.h"

namespace syncline::consistency {
namespace {

constexpr std::string_view opcodes[] = {
    "ld",  "tld", "suld", "cold", "st",  "sust", "atom", "suatom", "red", "sured", "fence", "membar", "bar", "barrier",
    "mov", "add", "sub",  "mul",  "and", "or",   "xor",  "beq",    "bne", "blt",   "ble",   "bgt",    "bge", "goto"};

/// How the dialect writes accesses by other proxies.
struct ProxyName {
  std::string_view opcode, generic;
  Proxy proxy;
};
constexpr ProxyName proxies[] = {{"tld", "ld", Proxy::texture},      {"suld", "ld", Proxy::surface},
                                 {"cold", "ld", Proxy::constant},    {"sust", "st", Proxy::surface},
                                 {"suatom", "atom", Proxy::surface}, {"sured", "red", Proxy::surface}};

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

  /// "fence.proxy.async.global"
  std::string all() const {
    std::string text = opcode.text;
    for (const Token& qualifier : qualifiers) text += "." + qualifier.text;
    return text;
  }

  /// "ld.acquire"
  std::string shown() const { return opcode.text + (qualifiers.empty() ? "" : "." + qualifiers.front().text); }

  bool take_word(std::string_view word) const {
    known.emplace_back(word);
    return std::any_of(qualifiers.begin(), qualifiers.end(), [&](const Token& q) { return q.text == word; });
  }

  /// Such an access is relaxed.sys, and says nothing else of it.
  bool take_volatile(const std::optional<Semantics>& semantics) const {
    const bool found = take_word("volatile");
    if (found && semantics)
      TokenStream::fail(opcode, "a volatile `" + opcode.text + "` is relaxed.sys; expected no other semantics");
    return found;
  }

  /// Every qualifier is one of those that were asked for.
  void nothing_else() const {
    for (const Token& qualifier : qualifiers) {
      if (std::find(known.begin(), known.end(), qualifier.text) == known.end())
        throw Refusal(qualifier.where,
                      "`" + opcode.text + "` has no qualifier `." + qualifier.text + "`" +
                          base::suggestion(qualifier.text, known),
                      "`" + opcode.text + "." + qualifier.text + "`");
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
    throw Refusal(mnemonic.opcode.where,
                  "unknown instruction `" + name + "`" +
                      base::suggestion(name, {std::begin(opcodes), std::end(opcodes)}, std::size(opcodes)),
                  "`" + name + "`");
  while (tokens_.accept(".")) mnemonic.qualifiers.push_back(tokens_.expect_word("a qualifier behind `.`"));
  return mnemonic;
}

Instruction InstructionReader::read(Thread& thread, Token& label) {
  const Token first = tokens_.peek();
  const Mnemonic mnemonic = read_mnemonic();
  Instruction instruction;
  instruction.where = first.where;
  std::string_view name = mnemonic.opcode.text;
  for (const ProxyName& row : proxies) {
    if (row.opcode != name) continue;
    name = row.generic;
    instruction.proxy = row.proxy;
  }
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
    barrier(mnemonic, thread, instruction);
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
  instruction.is_volatile = mnemonic.take_volatile(semantics);
  mnemonic.nothing_else();
  instruction.destination = destination(thread);
  comma();
  const Token& source = tokens_.peek();
  if (source.kind == Token::Kind::number || is_register(thread, source.text)) {  // ld r, 1: how the dialect moves
    if (instruction.proxy != Proxy::generic || (!mnemonic.qualifiers.empty() && semantics != Semantics::weak))
      TokenStream::fail(source, "expected a location behind `" + mnemonic.shown() + "`, found " + source.shown());
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
  address(thread, instruction);
}

void InstructionReader::store(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction) {
  instruction.kind = InstructionKind::store;
  const auto semantics = mnemonic.take(semantics_names(), {"weak", "relaxed", "release"}, "semantics");
  const auto scope = mnemonic.take(scope_names(), all_scopes, "scope");
  instruction.is_volatile = mnemonic.take_volatile(semantics);
  mnemonic.nothing_else();
  instruction.semantics = instruction.is_volatile ? Semantics::relaxed : semantics.value_or(Semantics::weak);
  instruction.scope = scope.value_or(Scope::sys);
  if ((instruction.semantics != Semantics::weak && !instruction.is_volatile) != scope.has_value())
    TokenStream::fail(mnemonic.opcode, scope
                                           ? "a weak or volatile `st` takes no scope"
                                           : "a relaxed or releasing `st` needs a scope; expected .cta, .gpu or .sys");
  address(thread, instruction);
  comma();
  instruction.a = operand(thread);
}

void InstructionReader::atomic(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction) {
  const bool is_reduction = mnemonic.opcode.text == "red" || mnemonic.opcode.text == "sured";
  instruction.kind = is_reduction ? InstructionKind::reduction : InstructionKind::atomic;
  std::vector<std::string_view> operations{"add", "sub", "and", "or", "xor", "min", "max", "inc", "dec"};
  if (!is_reduction) operations.insert(operations.end(), {"exch", "cas"});
  instruction.semantics = mnemonic.take(semantics_names(), {"relaxed", "acquire", "release", "acq_rel"}, "semantics")
                              .value_or(Semantics::relaxed);
  if (is_reduction) {  // it makes no acquire pattern: what PTX has of it is `relaxed` and `release`
    if (instruction.semantics == Semantics::acquire) instruction.semantics = Semantics::relaxed;
    if (instruction.semantics == Semantics::acq_rel) instruction.semantics = Semantics::release;
  }
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
  address(thread, instruction);
  comma();
  instruction.a = operand(thread);
  if (*operation == AtomicOp::cas) {
    comma();
    instruction.b = operand(thread);
  }
}

void InstructionReader::fence(const Mnemonic& mnemonic, Instruction& instruction) {
  if (!mnemonic.qualifiers.empty() && mnemonic.qualifiers.front().text == "proxy") {
    instruction.kind = InstructionKind::proxy_fence;
    const std::size_t kinds = mnemonic.qualifiers.size() - 1;
    const Token& kind = mnemonic.qualifiers.back();
    const std::vector<std::string> known{"alias", "texture", "surface", "constant"};
    for (const auto& row : proxy_names()) {
      if (kinds == 1 && row.first == kind.text) instruction.proxy = row.second;
    }
    if (instruction.proxy == Proxy::generic)
      throw Refusal(kind.where, "there is no `" + mnemonic.all() + "` here" + base::suggestion(kind.text, known),
                    "`" + mnemonic.all() + "`");
    return;
  }
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

void InstructionReader::barrier(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction) {
  instruction.kind = InstructionKind::barrier;
  mnemonic.take_word("cta");
  const bool waits = mnemonic.take_word("sync");
  instruction.arrives_only = mnemonic.take_word("arrive");
  mnemonic.nothing_else();
  if (waits == instruction.arrives_only)
    TokenStream::fail(mnemonic.opcode, "`" + mnemonic.opcode.text + "` needs `.sync` or `.arrive`");
  const auto check = [](const Token& token, Value least, const std::string& what) {
    if (token.kind == Token::Kind::number && token.value < least)
      TokenStream::fail(token, "expected " + what + " from " + std::to_string(least) + ", found " + token.shown());
  };
  const std::string what = "the number of the barrier's instance";
  check(tokens_.peek(), 0, what);
  instruction.instance = static_cast<unsigned>(tokens_.expect_number(what).value);
  if (!tokens_.accept(",")) return;
  check(tokens_.peek(), 0, "the number of the barrier");
  instruction.barrier = operand(thread);
  if (!tokens_.accept(",")) return;
  check(tokens_.peek(), 1, "a count of threads");
  instruction.count = operand(thread);
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

void InstructionReader::address(const Thread& thread, Instruction& instruction) {
  const bool bracket = tokens_.accept("[");
  const Token token = tokens_.expect_word("a location");
  if (is_register(thread, token.text))
    TokenStream::fail(token, "expected a location, found the register " + token.shown());
  if (bracket) tokens_.expect("]", "behind the location");
  const Name& name = program_.names[find_or_add(program_, token.text)];
  instruction.location = name.location;
  instruction.address = name.address;
}

std::size_t InstructionReader::find_or_add(Program& program, const std::string& name) {
  const auto found = find_name(program, name);
  if (found) return *found;
  const auto address = static_cast<unsigned>(program.names.size());
  program.names.push_back({name, static_cast<unsigned>(program.locations.size()), address});
  program.locations.push_back({name, 0});
  return address;
}

std::optional<std::size_t> InstructionReader::find_name(const Program& program, const std::string& name) {
  for (std::size_t i = 0; i < program.names.size(); ++i) {
    if (program.names[i].name == name) return i;
  }
  return std::nullopt;
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
