#include "isa/exec/code_layout.h"

#include "isa/cfg/control_flow_graph.h"
#include "isa/exec/program.h"

namespace syncline::isa {

CodeLayout lay_out(const Program& program) {
  CodeLayout layout;
  layout.position.resize(program.size());
  layout.block_end.resize(program.size());
  for (const FunctionCode& code : program.functions()) {
    const Function& function = program.module().functions[code.function];
    const auto count = static_cast<std::uint32_t>(function.instructions.size());
    const ControlFlowGraph graph(function);
    // Before the first instruction there may be ops that keep parameters; behind the last is the implicit ret.
    const std::uint32_t first = code.end - 1 - count;
    std::uint32_t position = 0;
    const auto place = [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t pc = begin; pc < end; ++pc) {
        layout.position[pc] = position++;
        layout.block_end[pc] = end;
      }
    };
    place(code.entry, first);
    for (const std::uint32_t block : block_order(graph))
      place(first + graph.blocks()[block].first, first + graph.blocks()[block].last);
    place(code.end - 1, code.end);
  }
  return layout;
}

}  // namespace syncline::isa
