// Whatever the form tables accept can be decoded: every choice of modifiers of every form, with operands made from the
// rules of its row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "isa/ptx/forms.h"
#include "isa/ptx/parser.h"
#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using namespace isa;

/// A register of a type, by the names that `declarations` gives them.
std::string register_of(Type type, unsigned number) {
  if (type == Type::pred) return "%p" + std::to_string(number);
  const unsigned bits = type == Type::none ? 64 : std::max(8u, 8 * type_bytes(type));
  return "%b" + std::to_string(bits) + "_" + std::to_string(number);
}
const char* const declarations =
    ".reg .b8 %b8_<9>;\n.reg .b16 %b16_<9>;\n.reg .b32 %b32_<9>;\n.reg .b64 %b64_<9>;\n"
    ".reg .b128 %b128_<9>;\n";

std::string operand_of(Opcode opcode, const OperandRule& rule, const Modifiers& mods, unsigned number) {
  const Type type = rule_type(rule, mods);
  switch (rule.kind) {
    case RuleKind::address:
      return mods.space == Space::param ? "[k_out]" : mods.space == Space::const_ ? "[cvar]" : "[%b64_8]";
    case RuleKind::constant:
      return opcode == Opcode::pmevent || opcode == Opcode::lop3 || opcode == Opcode::alloca_ ? "8" : "128";
    case RuleKind::label:
      return "STORE";
    case RuleKind::branch_table:
      return "TABLE";
    case RuleKind::call:
      return "callee";
    case RuleKind::value:
      break;
  }
  if (const unsigned elements = rule.quadruple ? 4 : rule.vector ? mods.vector : 1; elements > 1) {
    std::string text;
    for (unsigned n = 0; n < elements; ++n) text += (n == 0 ? "{" : ", ") + register_of(type, n);
    return text + "}";
  }
  const std::string name = register_of(type, number);
  return rule.pair_required ? name + "|%p8" : name;
}

/// All choices of words, the optional ones left out and put in; capped, for a few forms have thousands.
std::vector<std::vector<std::string>> choices(const Form& form) {
  std::vector<std::vector<std::string>> all = {{}};
  for (const FormElement& element : form.elements) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& begun : all) {
      // Hints change nothing that is decoded.
      const bool hint = element.optional && !element.is_type && element.words.front().apply == nullptr;
      if (element.optional) longer.push_back(begun);
      if (hint) continue;
      for (const ModifierWord& word : element.words) {
        longer.push_back(begun);
        longer.back().push_back((element.is_type ? "." : "") + std::string(word.text));
      }
    }
    constexpr std::size_t most = 400;
    const std::size_t step = longer.size() / most + 1;
    all.clear();
    for (std::size_t n = 0; n < longer.size(); n += step) all.push_back(longer[n]);
    if (step > 1) all.push_back(longer.back());
  }
  return all;
}

/// cvt.sat that could clamp nothing is refused.
bool saturates_nothing(Opcode opcode, const Modifiers& m) {
  if (opcode != Opcode::cvt || !m.sat || m.pack || is_float(m.type) || is_float(m.source_type)) return false;
  const unsigned to = type_bytes(m.type), from = type_bytes(m.source_type);
  const bool widens = to > from && (is_signed(m.type) || !is_signed(m.source_type));
  return widens || (to == from && is_signed(m.type) == is_signed(m.source_type));
}

bool is_legal_access(Opcode opcode, const Modifiers& m) {
  const unsigned bytes = m.vector * type_bytes(m.type);
  const bool wide_space = opcode != Opcode::ldu && (m.space == Space::global || m.space == Space::none);
  return bytes <= 16 ? m.vector < 8 : bytes == 32 && wide_space && type_bytes(m.type) >= 4 && type_bytes(m.type) <= 8;
}

TEST(EveryForm, IsDecoded) {
  std::size_t instructions = 0;
  for (unsigned n = 0; n < static_cast<unsigned>(Opcode::count_); ++n) {
    const auto opcode = static_cast<Opcode>(n);
    if (opcode == Opcode::call || opcode == Opcode::brx) continue;  // their operands are a syntax of their own
    std::string body;
    for (const Form& form : forms_of(opcode))
      for (const auto& words : choices(form)) {
        MatchedOpcode matched;
        ASSERT_TRUE(match_forms(opcode, {words.begin(), words.end()}, matched));
        const bool moves = opcode == Opcode::ld || opcode == Opcode::st || opcode == Opcode::ldu;
        if (moves && !is_legal_access(opcode, matched.mods)) continue;
        if (saturates_nothing(opcode, matched.mods)) continue;
        const bool ended = std::any_of(matched.notes.begin(), matched.notes.end(),
                                       [](const FormNote* note) { return !note->instead.empty(); });
        if (ended) continue;  // older modules only: cross_lane_test.cpp
        if (opcode == Opcode::st && matched.mods.space == Space::param)
          continue;  // a kernel's parameters are read-only
        std::string text(name(opcode));
        for (const std::string& word : words) text += word;
        for (std::size_t i = 0; i < form.required_operands; ++i)
          text += (i == 0 ? " " : ", ") + operand_of(opcode, form.operands[i], matched.mods, static_cast<unsigned>(i));
        if (matched.cache_hint) text += ", %b64_7";
        body += text + ";\n";
        ++instructions;
      }
    const std::string ptx = kernel_of(declarations + body, ".const .b64 cvar[4];\n");
    EXPECT_EQ(error_of([&] { Machine(ptx).program("k"); }), "") << name(opcode);
  }
  EXPECT_GT(instructions, 5000u);
}

}  // namespace
}  // namespace syncline::test
