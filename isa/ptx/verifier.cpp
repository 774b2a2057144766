#include "isa/ptx/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "isa/ptx/instruction_age.h"
#include "isa/ptx/operand_checker.h"
#include "isa/ptx/printer.h"

namespace syncline::isa {
namespace {

/// Why an operand does not fit; empty text when it does.
struct Misfit {
  std::size_t position = 0;
  std::string message;
};

/// True when every number of the integer type `from` is one of `to`.
bool contains(Type to, Type from) {
  const unsigned have = type_bytes(to), need = type_bytes(from);
  if (is_signed(from)) return is_signed(to) && have >= need;
  return is_signed(to) ? have > need : have >= need;
}

/// Limits on constants and types that the ISA states.
std::string check_values(const Instruction& instruction) {
  const auto constant = [&](std::size_t i) {
    return i < instruction.operands.size() && instruction.operands[i].kind == OperandKind::immediate;
  };
  if ((instruction.opcode == Opcode::bar || instruction.opcode == Opcode::barrier) &&
      instruction.mods.barrier != BarrierMode::warp_sync) {
    const bool reduces =
        instruction.mods.barrier != BarrierMode::sync && instruction.mods.barrier != BarrierMode::arrive;
    const std::size_t id = reduces ? 1 : 0;
    if (constant(id) && instruction.operands[id].bits > 15)
      return fmt::format("a CTA has the barriers 0 to 15, not {}", instruction.operands[id].bits);
    const bool has_count = instruction.operands.size() > id + 1 + (reduces ? 1 : 0);
    if (instruction.mods.barrier == BarrierMode::arrive && constant(id + 1) && instruction.operands[id + 1].bits == 0)
      return "who arrives without waiting says for how many threads the barrier is, not 0";
    if (has_count && constant(id + 1) && instruction.operands[id + 1].bits % 32 != 0)
      return fmt::format("the thread count of a barrier is a multiple of the warp size, not {}",
                         instruction.operands[id + 1].bits);
  }
  const Modifiers& m = instruction.mods;
  if (instruction.opcode == Opcode::cvt && m.sat && !m.pack && !is_float(m.type) && !is_float(m.source_type) &&
      contains(m.type, m.source_type))
    return fmt::format("`.sat` has no place here: every .{} is a .{}", name(m.source_type), name(m.type));
  if (instruction.opcode == Opcode::pmevent) {
    const std::uint64_t limit = instruction.mods.mask ? 0xffff : 15;
    if (instruction.operands[0].bits > limit)
      return fmt::format("the performance monitor events are 0 to 15, {} is {}", instruction.operands[0].bits,
                         instruction.mods.mask ? "a mask of more" : "none of them");
  }
  const bool sized = instruction.opcode == Opcode::discard || instruction.opcode == Opcode::applypriority ||
                     instruction.opcode == Opcode::fence;
  if (sized && instruction.operands.size() == 2 && instruction.operands[1].bits != 128)
    return fmt::format("the size can be 128 only, not {}", instruction.operands[1].bits);
  if (instruction.opcode == Opcode::lop3 && instruction.operands[4].bits > 255)
    return fmt::format("the table of lop3 has 8 bits: {} does not fit", instruction.operands[4].bits);
  if (instruction.opcode == Opcode::vmad && instruction.operands[3].minus &&
      instruction.operands[1].minus != instruction.operands[2].minus)
    return "either the product or the last operand can be negated, not both";
  const bool memory =
      instruction.opcode == Opcode::ld || instruction.opcode == Opcode::st || instruction.opcode == Opcode::ldu;
  if (memory && instruction.mods.vector > 1) {
    const unsigned element = type_bytes(instruction.mods.type), bytes = instruction.mods.vector * element;
    const bool wide_space = instruction.mods.space == Space::global || instruction.mods.space == Space::none;
    const bool wide = bytes == 32 && element >= 4 && element <= 8 && wide_space && instruction.opcode != Opcode::ldu;
    if (bytes > 16 && !wide)
      return fmt::format("a vector access of {} bytes is not possible: at most 16, or 32 in .global space", bytes);
    if (instruction.mods.vector == 8 && !wide)
      return fmt::format("`.v8` is for elements of 32 bits; {} bytes of .{} can be accessed by a shorter vector", bytes,
                         name(instruction.mods.type));
  }
  return {};
}

/// Tries one form; the operands are converted only when all of them fit.
bool fits(const OperandChecker& checker, const Form& form, std::vector<Operand>& operands, Misfit& misfit) {
  if (operands.size() < form.required_operands || operands.size() > form.operands.size()) {
    misfit.position = 0;
    return false;
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    std::string message = checker.check(form.operands[i], operands[i]);
    if (message.empty()) continue;
    misfit.position = i + 1;
    misfit.message = std::move(message);
    return false;
  }
  return true;
}

/// How many operands there may be, and the forms with them.
std::string wrong_count(const MatchedOpcode& matched, const Instruction& instruction) {
  std::size_t least = std::numeric_limits<std::size_t>::max(), most = 0;
  const std::string opcode = full_opcode(instruction.opcode, instruction.mods);
  std::vector<std::string> lists;
  for (const Form* form : matched.forms) {
    least = std::min(least, form->required_operands);
    most = std::max(most, form->operands.size());
    std::string list =
        form->operands.empty() ? fmt::format("`{}`", opcode) : fmt::format("`{} {}`", opcode, operand_list(*form));
    if (std::find(lists.begin(), lists.end(), list) == lists.end()) lists.push_back(std::move(list));
  }
  return fmt::format("expected {} operands, found {}; the forms are {}",
                     least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most),
                     instruction.operands.size(), fmt::join(lists, ", "));
}

}  // namespace

void verify_instruction(ParserContext& context, const Function& function, const MatchedOpcode& matched,
                        Instruction& instruction, const InstructionPlace& place) {
  const std::string& source = context.module.source_name;
  if (instruction.opcode == Opcode::call) return verify_direct_call(context, function, instruction);
  const OperandChecker checker(context, function, instruction);
  if (matched.cache_hint) {
    const OperandRule policy = [] {
      OperandRule rule;
      rule.fixed = Type::b64;
      return rule;
    }();
    const std::string message =
        instruction.operands.empty() ? "expected a cache policy" : checker.check(policy, instruction.operands.back());
    if (!message.empty()) fail_at(source, place.opcode.place(), "cache policy: " + message);
    instruction.operands.pop_back();
  }
  Misfit best;
  bool good = false;
  for (const Form* form : matched.forms) {
    Misfit misfit;
    good = fits(checker, *form, instruction.operands, misfit);
    if (good) break;
    if (misfit.position > best.position) best = std::move(misfit);
  }
  if (!good) {
    const std::string opcode = full_opcode(instruction.opcode, instruction.mods);
    if (best.position == 0)
      fail_at(source, place.opcode.place(), fmt::format("`{}`: {}", opcode, wrong_count(matched, instruction)));
    fail_at(source, place.operands[best.position - 1],
            fmt::format("operand {} of `{}`: {}", best.position, opcode, best.message));
  }
  verify_age(context, matched, instruction, place.opcode.place());
  if (const std::string message = check_values(instruction); !message.empty())
    fail_at(source, place.opcode.place(),
            fmt::format("`{}`: {}", full_opcode(instruction.opcode, instruction.mods), message));
}

}  // namespace syncline::isa
