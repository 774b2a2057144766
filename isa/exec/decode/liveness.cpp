#include "isa/exec/decode/liveness.h"

#include "isa/exec/decode/register_access.h"

namespace syncline::isa {

Liveness analyse_liveness(const Function& function, const ControlFlowGraph& graph) {
  const std::size_t registers = function.registers.size() + 1;
  Liveness live;
  std::vector<RegisterSet> writes(graph.size(), RegisterSet(registers));
  live.in.assign(graph.size(), RegisterSet(registers));
  live.out.assign(graph.size(), RegisterSet(registers));

  // What a block reads before it writes it starts alive; what it surely writes ends there.
  RegisterAccess access;
  for (std::size_t b = 0; b < graph.size(); ++b)
    for (std::uint32_t i = graph.blocks()[b].first; i < graph.blocks()[b].last; ++i) {
      register_access(function, function.instructions[i], access);
      for (const std::uint32_t r : access.reads)
        if (!writes[b].test(r)) live.in[b].set(r);
      if (!access.partial_write)
        for (const std::uint32_t r : access.writes) writes[b].set(r);
    }
  // Registers in which a function keeps its results are read when it returns.
  for (std::size_t b = 0; b < graph.size(); ++b)
    if (graph.blocks()[b].returns)
      for (const Variable& v : function.returns)
        if (v.reg != no_index) {
          live.out[b].set(v.reg);
          if (!writes[b].test(v.reg)) live.in[b].set(v.reg);
        }

  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = graph.size(); b-- > 0;) {
      bool grew = false;
      for (const std::uint32_t s : graph.blocks()[b].successors) grew |= live.out[b].add(live.in[s]);
      if (grew) changed |= live.in[b].add(live.out[b], writes[b]);
    }
  }
  return live;
}

}  // namespace syncline::isa
