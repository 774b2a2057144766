// Which instruction forms exist: legal modifiers and operand shapes of every opcode, as data.
//
// The rows (forms_*.cpp) read like the synopses of the PTX ISA manual. A row is an opcode, its modifiers and its
// operands, for example
//     {"setp", "cmp:$icmp $int", "=pred|pred t t"}
// Modifiers are elements separated by blanks; `.a/.b` means one of these, a trailing `?` that it may be left out,
// `group:` which meaning of the word (modifier_words.h), `$name` a set defined in forms.cpp. Order does not matter to
// the reader, except among types: assemblers accept `.ftz.gt.f32` and `.gt.ftz.f32` alike.
// Operands are separated by blanks:
//     t s r       register or constant of the first, second, third type of the instruction
//     w           twice the width of the first type
//     u32 pred .. of that type
//     =x          destination            =x|pred   destination that may be written d|p    =x|pred!  that must be
//     [] # label table call    address, integer constant, branch target, .branchtargets table, operands of `call`
//     ad          a register that can hold an address, 32 or 64 bits
//   before the type:  * the register may be wider than the type (ld, st, cvt)      & a symbol's address is allowed
//     $ a special register is allowed    ! `!p` is usual        { a vector when the instruction has .v2/.v4/.v8
//     % a pack {a,b} of registers        ^ a video selector .b0 .h1 is allowed       ~ `_` is allowed
//     - `-a` is allowed    @ a vector of four
//   behind: ? may be left out (only at the end)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ptx/modifier_words.h"
#include "isa/vocabulary.h"

namespace syncline::isa {

struct FormRow {
  std::string_view opcode, modifiers, operands;
};

/// One group of rows per file.
const std::vector<FormRow>& integer_forms();
const std::vector<FormRow>& float_forms();
const std::vector<FormRow>& compare_and_move_forms();
const std::vector<FormRow>& memory_forms();
const std::vector<FormRow>& control_forms();
const std::vector<FormRow>& video_forms();

/// What the ISA's notes ask of a module: instructions with all of `words` need this version and architecture.
/// `opcodes` are separated by `/`; words are written as in a row, types in their order, `.*` for any type.
struct FormNote {
  std::string_view opcodes, words;
  unsigned version;               ///< 10 * major + minor; 10 when there is nothing to ask
  unsigned sm;                    ///< 10 when there is nothing to ask
  unsigned operands = 0;          ///< only instructions with this number of operands; 0: all
  bool specific = false;          ///< the target must be one of an architecture or family alone: sm_100a, sm_120f
  std::string_view without = {};  ///< instructions with one of these words are not meant
  std::string_view instead = {};  ///< not empty: from this version and target on they are no more, and this word is due
};
const std::vector<FormNote>& form_notes();

enum class RuleKind : std::uint8_t { value, address, constant, label, branch_table, call };
enum class RuleType : std::uint8_t { fixed, first, second, third, wide, address };

/// What may stand at one place of the operand list.
struct OperandRule {
  RuleKind kind = RuleKind::value;
  RuleType type_from = RuleType::fixed;
  Type fixed = Type::none;
  bool destination = false, pair = false, pair_required = false, optional = false;
  bool wider = false, symbol = false, special = false, negatable = false, vector = false, pack = false;
  bool selector = false, sink = false, minus = false, quadruple = false;
};

/// The type that a rule means in an instruction with these modifiers.
Type rule_type(const OperandRule& rule, const Modifiers& mods);

struct FormElement {
  std::vector<ModifierWord> words;  ///< types too: group "type"
  bool optional = false;
  bool is_type = false;
};

struct Form {
  std::vector<FormElement> elements;
  std::vector<OperandRule> operands;
  std::size_t required_operands = 0;
};

/// All forms of an opcode.
const std::vector<Form>& forms_of(Opcode opcode);

/// A full opcode that was found legal, with the forms that have these modifiers (they differ in operands only).
struct MatchedOpcode {
  Opcode opcode = Opcode::ret;
  Modifiers mods;
  std::vector<const Form*> forms;
  bool cache_hint = false;             ///< .L2::cache_hint: one more operand, the cache policy
  std::vector<const FormNote*> notes;  ///< those about these words
};

/// Fills in `matched.mods` and `.forms`; false when no form has exactly these modifier words.
bool match_forms(Opcode opcode, const std::vector<std::string_view>& words, MatchedOpcode& matched);

/// The notes about an opcode with these words.
std::vector<const FormNote*> notes_of(Opcode opcode, const std::vector<std::string_view>& words);

/// "d, a, b{, c}"
std::string operand_list(const Form& form);

/// "add{.sat}.s32"
std::string synopsis(Opcode opcode, const Form& form);

/// The synopses nearest to the given words, best first.
std::vector<std::string> nearest_forms(Opcode opcode, const std::vector<std::string_view>& words, std::size_t limit);

}  // namespace syncline::isa
