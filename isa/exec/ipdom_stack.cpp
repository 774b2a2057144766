#include "isa/exec/ipdom_stack.h"

namespace syncline::isa {

void IpdomStack::start(Cursor& cursor) {
  stack_.clear();
  cursor.watch = no_pc;
}

void IpdomStack::pop(Cursor& cursor) {
  while (!stack_.empty()) {
    cursor = stack_.back();
    stack_.pop_back();
    // An entry whose lanes have all ended is left over; one that already stands at its meeting point is part of the
    // entry below.
    if (cursor.lanes != 0 && cursor.pc != cursor.watch) return;
  }
  cursor = Cursor{};
}

void IpdomStack::diverge(Cursor& cursor, const BranchSide* sides, std::size_t count, std::uint32_t reconverge) {
  const std::uint32_t meet = reconverge == no_pc ? cursor.watch : reconverge;
  if (meet != cursor.watch) stack_.push_back({meet, cursor.watch, cursor.frame, cursor.lanes});
  // A side that begins at the meeting point just waits there.
  const BranchSide* first = nullptr;
  for (std::size_t n = count; n-- > 0;) {
    if (sides[n].pc == meet) continue;
    if (first != nullptr) stack_.push_back({first->pc, meet, cursor.frame, first->lanes});
    first = &sides[n];
  }
  cursor.pc = first->pc;
  cursor.watch = meet;
  cursor.lanes = first->lanes;
}

void IpdomStack::exit(Cursor& cursor, base::LaneMask lanes) {
  for (Cursor& entry : stack_) entry.lanes &= ~lanes;
  cursor.lanes &= ~lanes;
  if (cursor.lanes == 0) pop(cursor);
}

void IpdomStack::call(Cursor& cursor, base::LaneMask callers, std::uint32_t pc, std::uint32_t frame,
                      std::uint32_t return_pc, std::uint32_t rest_pc) {
  if (return_pc != cursor.watch) stack_.push_back({return_pc, cursor.watch, cursor.frame, cursor.lanes});
  const base::LaneMask rest = cursor.lanes & ~callers;
  if (rest != 0 && rest_pc != return_pc) stack_.push_back({rest_pc, return_pc, cursor.frame, rest});
  cursor = {pc, no_pc, frame, callers};
}

base::LaneMask IpdomStack::alive(const Cursor& cursor) const {
  base::LaneMask lanes = cursor.lanes;
  for (const Cursor& entry : stack_) lanes |= entry.lanes;
  return lanes;
}

void IpdomStack::waiting(std::vector<WaitingPath>& paths) const {
  for (std::size_t n = stack_.size(); n-- > 0;)
    if (stack_[n].lanes != 0) paths.push_back({stack_[n].pc, stack_[n].frame, stack_[n].lanes});
}

}  // namespace syncline::isa
