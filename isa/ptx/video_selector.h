// Which parts of registers the operands of video instructions are (PTX ISA, "Video Instructions").
#pragma once

#include <cstdint>
#include <string>

#include "isa/ptx/ast.h"

namespace syncline::isa {

constexpr bool is_video(Opcode opcode) {
  return opcode >= Opcode::vabsdiff && opcode <= Opcode::vsub4;
}

/// Why a selector does not fit its operand: scalar instructions take one byte or half, SIMD ones a permutation of the
/// elements of both sources, or a mask of those of the destination. Empty when it fits, or when there is none.
std::string selector_misfit(Opcode opcode, bool destination, const Operand& operand);

/// Selectors and negations of a video instruction, as LaneArgs::immediate holds them (isa/lanes/lane_kernel.h).
std::uint32_t video_selection(const Instruction& instruction);

}  // namespace syncline::isa
