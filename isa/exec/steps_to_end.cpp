#include "isa/exec/steps_to_end.h"

#include <algorithm>
#include <queue>

#include "isa/exec/program.h"

namespace syncline::isa {
namespace {

bool is_call(const Op& op) {
  return op.kind == OpKind::call || op.kind == OpKind::call_indirect;
}

/// A thread that comes here may have no instruction behind it.
bool may_be_last(const Op& op) {
  return op.kind == OpKind::exit || op.kind == OpKind::ret || op.kind == OpKind::trap;
}

/// A function that the kernel calls may end the thread.
bool functions_end_threads(const Program& program) {
  const std::uint32_t kernel_end = program.entry().end;
  for (std::uint32_t pc = 0; pc < program.size(); ++pc) {
    if (program.op(pc).kind == OpKind::exit && (pc < program.entry().entry || pc >= kernel_end)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::uint16_t> find_steps_to_end(const Program& program) {
  std::vector<std::vector<std::uint32_t>> before(program.size());
  std::vector<std::uint16_t> steps(program.size(), most_steps_to_end);
  std::queue<std::uint32_t> found;
  const bool calls_may_end = functions_end_threads(program);
  for (std::uint32_t pc = 0; pc < program.size(); ++pc) {
    const Op& op = program.op(pc);
    if (may_be_last(op) || (calls_may_end && is_call(op))) {
      steps[pc] = 1;
      found.push(pc);
      continue;
    }
    if (op.kind == OpKind::branch) before[op.target].push_back(pc);
    if (op.kind == OpKind::branch_table)
      for (const std::uint32_t target : program.branch_table(op)) before[target].push_back(pc);
    const bool jumps = (op.kind == OpKind::branch || op.kind == OpKind::branch_table) && !op.guarded;
    if (!jumps && pc + 1 < program.size()) before[pc + 1].push_back(pc);
  }
  // From the ends backwards: who is found first is nearest.
  for (; !found.empty(); found.pop()) {
    const std::uint32_t next = found.front();
    for (const std::uint32_t pc : before[next]) {
      if (steps[pc] != most_steps_to_end) continue;
      steps[pc] = static_cast<std::uint16_t>(std::min<unsigned>(steps[next] + 1U, most_steps_to_end - 1U));
      found.push(pc);
    }
  }
  return steps;
}

}  // namespace syncline::isa
