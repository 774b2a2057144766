#include "isa/exec/meeting_points.h"

#include <algorithm>

#include "isa/cfg/control_flow_graph.h"
#include "isa/exec/program.h"

namespace syncline::isa {

MeetingPoints::MeetingPoints(const Program& program) : block_(program.size()) {
  for (const FunctionCode& code : program.functions()) {
    const Function& function = program.module().functions[code.function];
    const ControlFlowGraph graph(function);
    // Before the first instruction there may be ops that keep parameters; behind the last is the implicit ret, where
    // all threads of a function meet at the latest.
    const std::uint32_t first = code.end - 1 - static_cast<std::uint32_t>(function.instructions.size());
    const std::uint32_t last = function.is_entry ? no_pc : code.end - 1;
    const auto add = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t next) {
      std::fill(block_.begin() + begin, block_.begin() + end, static_cast<std::uint32_t>(next_.size()));
      next_.push_back(next);
    };
    add(code.entry, first, first);
    const std::vector<std::uint32_t> meets = immediate_post_dominators(graph, function);
    for (std::uint32_t b = 0; b < graph.size(); ++b) {
      const BasicBlock& block = graph.blocks()[b];
      add(first + block.first, first + block.last,
          meets[b] == no_index ? last : first + graph.blocks()[meets[b]].first);
    }
    add(code.end - 1, code.end, no_pc);
  }
}

std::uint32_t MeetingPoints::of(std::uint32_t a, std::uint32_t b) const {
  for (; a != no_pc; a = next(a))
    for (std::uint32_t other = b; other != no_pc; other = next(other))
      if (block_[other] == block_[a]) return std::max(a, other);
  return no_pc;
}

}  // namespace syncline::isa
