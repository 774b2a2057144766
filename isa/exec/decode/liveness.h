// Which registers hold a value that is still needed, at the borders of basic blocks.
#pragma once

#include <cstdint>
#include <functional>

#include "isa/cfg/control_flow_graph.h"
#include "isa/ptx/ast.h"

namespace syncline::isa {

/// A register and a block, for which something holds.
using RegisterInBlock = std::function<void(std::uint32_t reg, std::uint32_t block)>;

/// Tells each block that begins with a needed value in a register, and each that ends with one, once a register. A
/// guarded write leaves the old value alive. Registers are followed one after the other from their reads back to their
/// writes, so that memory grows with the text and not with blocks times registers.
void visit_liveness(const Function& function, const ControlFlowGraph& graph, const RegisterInBlock& alive_at_begin,
                    const RegisterInBlock& alive_at_end);

}  // namespace syncline::isa
