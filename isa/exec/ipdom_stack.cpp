#include "isa/exec/ipdom_stack.h"

#include "base/error.h"

namespace syncline::isa {

void IpdomStack::start(Cursor& cursor, const Program&) {
  stack_.clear();
  cursor.watch = no_pc;
}

void IpdomStack::push(std::uint32_t pc, std::uint32_t watch, std::uint32_t frame, base::LaneMask lanes, Kind kind) {
  stack_.push_back({{pc, watch, frame, false, false, lanes}, kind});
}

void IpdomStack::pop(Cursor& cursor) {
  while (!stack_.empty()) {
    const Entry& top = stack_.back();
    cursor = top.at;
    if (top.kind == Kind::retry && cursor.lanes != 0) {
      cursor.blocked = true;
      return;
    }
    stack_.pop_back();
    // An entry whose lanes have all ended is left over; one that already stands at its meeting point is part of the
    // entry below.
    if (cursor.lanes != 0 && cursor.pc != cursor.watch) return;
  }
  cursor = Cursor{};
}

void IpdomStack::diverge(Cursor& cursor, const BranchSide* sides, std::size_t count, std::uint32_t reconverge) {
  const std::uint32_t meet = reconverge == no_pc ? cursor.watch : reconverge;
  if (meet != cursor.watch) push(meet, cursor.watch, cursor.frame, cursor.lanes);
  // A side that begins at the meeting point just waits there.
  const BranchSide* first = nullptr;
  for (std::size_t n = count; n-- > 0;) {
    if (sides[n].pc == meet) continue;
    if (first != nullptr) push(first->pc, meet, cursor.frame, first->lanes);
    first = &sides[n];
  }
  cursor.pc = first->pc;
  cursor.watch = meet;
  cursor.lanes = first->lanes;
}

void IpdomStack::exit(Cursor& cursor, base::LaneMask lanes) {
  for (Entry& entry : stack_) entry.at.lanes &= ~lanes;
  cursor.lanes &= ~lanes;
  if (cursor.lanes == 0) pop(cursor);
}

void IpdomStack::call(Cursor& cursor, base::LaneMask callers, std::uint32_t pc, std::uint32_t frame,
                      std::uint32_t return_pc, std::uint32_t rest_pc) {
  if (return_pc != cursor.watch) push(return_pc, cursor.watch, cursor.frame, cursor.lanes);
  const base::LaneMask rest = cursor.lanes & ~callers;
  if (rest != 0 && rest_pc != return_pc) push(rest_pc, return_pc, cursor.frame, rest);
  cursor.pc = pc;
  cursor.watch = no_pc;
  cursor.frame = frame;
  cursor.lanes = callers;
}

void IpdomStack::checkpoint(Cursor& cursor) {
  push(no_pc, cursor.watch, cursor.frame, 0, Kind::committed);
  push(cursor.pc, no_pc, cursor.frame, 0, Kind::retry);
  cursor.watch = no_pc;
}

std::size_t IpdomStack::innermost_retry() const {
  std::size_t n = stack_.size();
  while (n-- > 0)
    if (stack_[n].kind == Kind::retry) return n;
  throw base::ModelError("ipdom: there is no checkpoint");
}

void IpdomStack::abort(Cursor& cursor, base::LaneMask lanes) {
  innermost_retry();
  // From the top down: the first region in which a lane is found is its innermost one. What is below that does not
  // change.
  base::LaneMask left = lanes, inside = cursor.blocked ? 0 : cursor.lanes & lanes;
  if (!cursor.blocked) cursor.lanes &= ~lanes;
  std::size_t top = stack_.size();
  for (std::size_t n = top; n-- > 0;) {
    Entry& entry = stack_[n];
    if (entry.kind != Kind::retry) {
      inside |= entry.at.lanes & left;
      continue;
    }
    for (std::size_t above = n + 1; above < top; ++above) stack_[above].at.lanes &= ~inside;
    left &= ~(inside | entry.at.lanes);
    entry.at.lanes |= inside;
    inside = 0;
    top = n;
  }
  if (!cursor.blocked && cursor.lanes == 0) pop(cursor);
}

base::LaneMask IpdomStack::aborted(const Cursor&) const {
  base::LaneMask lanes = 0;
  for (const Entry& entry : stack_)
    if (entry.kind == Kind::retry) lanes |= entry.at.lanes;
  return lanes;
}

void IpdomStack::restore(Cursor& cursor) {
  const std::size_t retry = innermost_retry();
  if (!cursor.blocked || retry + 1 != stack_.size())
    throw base::ModelError("ipdom: lanes begin again while others of their region run");
  cursor = stack_[retry].at;
  stack_[retry].at.lanes = 0;
}

void IpdomStack::commit(Cursor& cursor, base::LaneMask lanes) {
  const std::size_t retry = innermost_retry();
  // The instruction behind which they leave may have brought them to where they wait for others.
  std::uint32_t pc = cursor.pc;
  if ((cursor.lanes & lanes) == 0)
    for (std::size_t n = retry + 1; n < stack_.size(); ++n)
      if ((stack_[n].at.lanes & lanes) != 0) pc = stack_[n].at.pc;
  Cursor& behind = stack_[retry - 1].at;
  if (behind.pc != no_pc && behind.pc != pc)
    throw base::ModelError("ipdom: lanes leave their region at different places");
  behind.pc = pc;
  behind.lanes |= lanes;
  for (std::size_t n = retry + 1; n < stack_.size(); ++n) stack_[n].at.lanes &= ~lanes;
  cursor.lanes &= ~lanes;
  if (cursor.lanes == 0) pop(cursor);
}

base::LaneMask IpdomStack::alive(const Cursor& cursor) const {
  base::LaneMask lanes = cursor.lanes;
  for (const Entry& entry : stack_) lanes |= entry.at.lanes;
  return lanes;
}

void IpdomStack::waiting(std::vector<WaitingPath>& paths) const {
  for (std::size_t n = stack_.size(); n-- > 0;)
    if (const Cursor& at = stack_[n].at; at.lanes != 0)
      paths.push_back({at.pc, at.frame, at.lanes, stack_[n].kind == Kind::retry});
}

}  // namespace syncline::isa
