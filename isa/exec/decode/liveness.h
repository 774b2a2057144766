// Which registers hold a value that is still needed, at the borders of basic blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "isa/cfg/control_flow_graph.h"
#include "isa/ptx/ast.h"

namespace syncline::isa {

/// Of one register: the first and the last block, in the order of the text, that begins with a needed value in it, and
/// the same of blocks that end with one. no_index where there is none.
struct NeededIn {
  std::uint32_t first_begin = no_index, last_begin = no_index;
  std::uint32_t first_end = no_index, last_end = no_index;
};

/// For each register of the function, the carry flag last. A guarded write leaves the old value alive. Registers are
/// followed in groups from their reads back to their writes, so that memory grows with the text and not with blocks
/// times registers; time does, and where that would be very long base::UserError is thrown, at `where`.
std::vector<NeededIn> needed_registers(const Function& function, const ControlFlowGraph& graph,
                                       const base::SourceLocation& where);

}  // namespace syncline::isa
