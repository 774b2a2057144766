#include "isa/ptx/printer.h"

#include <fmt/format.h>

#include "isa/ptx/forms.h"

namespace syncline::isa {
namespace {

void set_type(Modifiers& mods, unsigned position, Type type) {
  (position == 0 ? mods.type : position == 1 ? mods.source_type : mods.third_type) = type;
}

Type get_type(const Modifiers& mods, unsigned position) {
  return position == 0 ? mods.type : position == 1 ? mods.source_type : mods.third_type;
}

/// The word of an element that the modifiers speak of, or null. A word that changes nothing counts when it is the only
/// choice of an element that must be there.
const ModifierWord* chosen_word(const FormElement& element, const Modifiers& mods, unsigned types) {
  for (const ModifierWord& word : element.words) {
    if (element.is_type) {
      if (*find_type(word.text) == get_type(mods, types)) return &word;
      continue;
    }
    if (word.apply == nullptr) continue;
    Modifiers same = mods;
    word.apply(same);
    if (same == mods) return &word;
  }
  if (!element.optional && element.words.front().apply == nullptr && !element.is_type) return &element.words.front();
  return nullptr;
}

bool write_form(const Form& form, const Modifiers& mods, std::string& text) {
  Modifiers built;
  unsigned types = 0;
  for (const FormElement& element : form.elements) {
    const ModifierWord* word = chosen_word(element, mods, types);
    if (word == nullptr) {
      if (!element.optional) return false;
      continue;
    }
    if (element.is_type) {
      set_type(built, types++, *find_type(word->text));
      text += '.';
    } else if (word->apply != nullptr) {
      word->apply(built);
    }
    text += word->text;
  }
  return built == mods;
}

std::string selector_text(const Operand& operand) {
  if (operand.selector == 0) return {};
  if (operand.selector <= 4) return fmt::format(".b{}", operand.selector - 1);
  if (operand.selector <= 6) return fmt::format(".h{}", operand.selector - 5);
  std::string digits;
  for (unsigned i = operand.component; i-- > 0;)
    digits += static_cast<char>('0' + (static_cast<unsigned>(operand.bits >> (4 * i)) & 0xF));
  return fmt::format(".{}{}", operand.selector == 7 ? 'b' : 'h', digits);
}

std::string immediate_text(const Operand& operand) {
  switch (operand.immediate_kind) {
    case ImmediateKind::f32:
      return fmt::format("0f{:08X}", operand.bits);
    case ImmediateKind::f64:
      return fmt::format("0d{:016X}", operand.bits);
    case ImmediateKind::integer:
      break;
  }
  if (operand.negative) return fmt::format("{}", static_cast<std::int64_t>(operand.bits));
  return fmt::format("{}", operand.bits);
}

std::string offset_text(std::int64_t offset) {
  return offset == 0 ? std::string{} : fmt::format("+{}", offset);
}

std::string joined(const Module& module, const Function& function, const std::vector<Operand>& operands) {
  std::string text;
  for (const Operand& operand : operands) {
    if (!text.empty()) text += ", ";
    text += operand_text(module, function, operand);
  }
  return text;
}

std::string register_name(const Function& function, std::uint32_t index) {
  return index < function.registers.size() ? function.registers[index].name : std::string("?");
}

std::string address_text(const Module& module, const Function& function, const Operand& operand) {
  if (operand.symbol.kind != SymbolKind::none)
    return fmt::format("[{}{}]", symbol_name(module, function, operand.symbol), offset_text(operand.offset));
  if (operand.index != no_index)
    return fmt::format("[{}{}]", register_name(function, operand.index), offset_text(operand.offset));
  return fmt::format("[{}]", operand.offset);
}

std::string special_text(const Operand& operand) {
  std::string text = special_register_name(operand.special);
  if (info(operand.special).is_vector) text += fmt::format(".{}", "xyzw"[operand.component & 3]);
  return text;
}

template <class Named>
std::string name_of(const std::vector<Named>& items, std::uint32_t index) {
  return index < items.size() ? items[index].name : std::string("?");
}

}  // namespace

std::string full_opcode(Opcode opcode, const Modifiers& modifiers) {
  for (const Form& form : forms_of(opcode)) {
    std::string text(name(opcode));
    if (write_form(form, modifiers, text)) return text;
  }
  return std::string(name(opcode));
}

std::string operand_text(const Module& module, const Function& function, const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::none:
      return {};
    case OperandKind::reg:
      return (operand.negated ? "!"
              : operand.minus ? "-"
                              : "") +
             register_name(function, operand.index) + selector_text(operand);
    case OperandKind::immediate:
      return immediate_text(operand);
    case OperandKind::special:
      return special_text(operand);
    case OperandKind::address:
      return address_text(module, function, operand);
    case OperandKind::vector:
      return "{" + joined(module, function, operand.elements) + "}";
    case OperandKind::sink:
      return "_";
    case OperandKind::label:
      return name_of(function.labels, operand.index);
    case OperandKind::symbol:
      return std::string(symbol_name(module, function, operand.symbol)) + offset_text(operand.offset);
    case OperandKind::pair:
      return operand_text(module, function, operand.elements[0]) + "|" +
             operand_text(module, function, operand.elements[1]);
    case OperandKind::list:
      return "(" + joined(module, function, operand.elements) + ")";
    case OperandKind::branch_table:
      return name_of(function.branch_tables, operand.index);
    case OperandKind::call_prototype:
      return name_of(function.prototypes, operand.index);
    case OperandKind::call_targets:
      return name_of(function.call_target_lists, operand.index);
  }
  return {};
}

std::string to_string(const Module& module, const Function& function, const Instruction& instruction) {
  std::string text;
  if (instruction.guard)
    text = fmt::format("@{}{} ", instruction.guard.negated ? "!" : "", register_name(function, instruction.guard.reg));
  text += full_opcode(instruction.opcode, instruction.mods);
  std::string operands;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    const bool no_results = instruction.opcode == Opcode::call && i == 0 && operand.elements.empty();
    if (no_results || operand.kind == OperandKind::none) continue;
    if (!operands.empty()) operands += ", ";
    operands += operand_text(module, function, operand);
  }
  if (!operands.empty()) text += " " + operands;
  return text + ";";
}

}  // namespace syncline::isa
