#include "isa/ptx/video_selector.h"

#include <fmt/format.h>

namespace syncline::isa {
namespace {

constexpr std::uint8_t bytes = 7, halves = 8;  ///< Operand::selector of several digits

unsigned digit(const Operand& operand, unsigned place) {
  return static_cast<unsigned>(operand.bits >> (4 * place)) & 0xF;
}

/// One digit of a mask is a plain part of a register: .b0 to .b3 are 1 to 4, .h0 and .h1 5 and 6.
bool is_single_mask(unsigned elements, std::uint8_t selector) {
  return elements == 4 ? selector >= 1 && selector <= 4 : selector == 5 || selector == 6;
}

/// Digits that fall from left to right: an element stands at most once in a mask.
bool is_mask(unsigned elements, const Operand& operand) {
  if (operand.selector != (elements == 4 ? bytes : halves) || operand.component < 2) return false;
  for (unsigned place = 0; place < operand.component; ++place) {
    if (digit(operand, place) >= elements) return false;
    if (place > 0 && digit(operand, place) <= digit(operand, place - 1)) return false;
  }
  return true;
}

std::uint32_t mask_of(unsigned elements, const Operand& operand) {
  if (operand.selector == 0) return (1u << elements) - 1;
  if (operand.selector < bytes) return 1u << (operand.selector - (elements == 4 ? 1 : 5));
  std::uint32_t mask = 0;
  for (unsigned place = 0; place < operand.component; ++place) mask |= 1u << digit(operand, place);
  return mask;
}

/// Three bits an element; without a selector those of the operand itself, which stand behind those of the operands
/// before it.
std::uint32_t permutation_of(unsigned elements, const Operand& operand, unsigned first) {
  std::uint32_t permutation = 0;
  for (unsigned n = 0; n < elements; ++n)
    permutation |= (operand.selector == 0 ? first + n : digit(operand, n)) << (3 * n);
  return permutation;
}

}  // namespace

std::string selector_misfit(Opcode opcode, bool destination, const Operand& operand) {
  if (operand.selector == 0) return {};
  const unsigned elements = simd_elements(opcode);
  if (elements == 0) {
    if (operand.selector < bytes) return {};
    return fmt::format("`{}` works on one part of a register: .b0 to .b3, .h0 or .h1", name(opcode));
  }
  if (destination) {
    if (is_single_mask(elements, operand.selector) || is_mask(elements, operand)) return {};
    return fmt::format("the mask of `{}` is {}", name(opcode),
                       elements == 4 ? "bytes in falling order, as .b0, .b20 or .b3210" : ".h0, .h1 or .h10");
  }
  const bool permutes = operand.selector == (elements == 4 ? bytes : halves) && operand.component == elements;
  if (permutes) return {};
  return fmt::format("a source of `{}` is a permutation of {} as {}", name(opcode),
                     elements == 4 ? "four of the bytes 0 to 7," : "two of the halves 0 to 3,",
                     elements == 4 ? ".b3210" : ".h10");
}

std::uint32_t video_selection(const Instruction& instruction) {
  const std::vector<Operand>& operands = instruction.operands;
  if (const unsigned elements = simd_elements(instruction.opcode); elements != 0)
    return mask_of(elements, operands[0]) | permutation_of(elements, operands[1], 0) << 4 |
           permutation_of(elements, operands[2], elements) << 16;
  std::uint32_t selection = 0;
  for (unsigned n = 0; n < 3; ++n) selection |= static_cast<std::uint32_t>(operands[n].selector) << (4 * n);
  if (instruction.opcode != Opcode::vmad) return selection;
  // Two negated factors leave the product as it is.
  if (operands[1].minus != operands[2].minus) selection |= 1u << 12;
  if (operands[3].minus) selection |= 1u << 13;
  return selection;
}

}  // namespace syncline::isa
