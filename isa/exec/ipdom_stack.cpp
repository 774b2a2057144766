#include "isa/exec/ipdom_stack.h"

#include <algorithm>

#include "base/error.h"
#include "isa/exec/program.h"

namespace syncline::isa {

void IpdomStack::start(Cursor& cursor, const Program& program) {
  stack_.clear();
  program_ = &program;
  cursor.watch = no_pc;
}

void IpdomStack::push(std::uint32_t pc, std::uint32_t watch, std::uint32_t frame, base::LaneMask lanes) {
  stack_.push_back({{pc, watch, frame, false, false, lanes}, false, 0, 0});
}

void IpdomStack::pop(Cursor& cursor) {
  while (!stack_.empty()) {
    const Entry& top = stack_.back();
    cursor = top.at;
    if (top.is_retry) {
      const base::LaneMask arrived = arrived_at(stack_.size() - 1);
      if (cursor.lanes == 0 && arrived != 0) {
        cursor.pc = stack_[stack_.size() - 2].at.pc;
        cursor.lanes = arrived;
      }
      if (cursor.lanes != 0) {
        cursor.blocked = true;
        return;
      }
      const unsigned ends = top.ends;
      stack_.pop_back();
      stack_.back().ends = ends;
      continue;
    }
    if (top.ends > 1)
      go_on_from_end(cursor);
    else
      stack_.pop_back();
    // An entry whose lanes have all ended is left over; one that already stands at its meeting point is part of the
    // entry below.
    if (cursor.lanes != 0 && cursor.pc != cursor.watch) return;
  }
  cursor = Cursor{};
}

void IpdomStack::go_on_from_end(Cursor& cursor) {
  const Entry end = stack_.back();
  stack_.pop_back();
  const auto others = stack_.end() - static_cast<std::ptrdiff_t>(end.ends - 1);
  stack_.back().ends = end.ends - 1;
  if (end.at.lanes == 0) return;
  // Of the places where it meets others, all on its way, the first one; but where the path around the region ends, they
  // meet with all of that path.
  const MeetingPoints& meetings = program_->meetings();
  const std::uint32_t around = end.at.watch;
  std::uint32_t meet = around;
  for (auto other = others; other != stack_.end(); ++other) {
    const std::uint32_t there = other->at.lanes == 0 ? no_pc : meetings.of(end.at.pc, other->at.pc);
    if (there == no_pc || meetings.of(around, there) == there) continue;
    if (meet == around || meetings.of(there, meet) == meet) meet = there;
  }
  cursor.watch = meet;
  if (meet == around) return;
  const auto same = std::find_if(others, stack_.end(), [meet](const Entry& other) { return other.at.pc == meet; });
  if (same != stack_.end()) {
    same->at.lanes |= end.at.lanes;
    return;
  }
  // Below them, so that they come there first.
  Entry waits = end;
  waits.at.pc = meet;
  waits.ends = 0;
  stack_.insert(others, waits);
  ++stack_.back().ends;
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
  push(no_pc, cursor.watch, cursor.frame, 0);
  push(cursor.pc, no_pc, cursor.frame, 0);
  stack_.back().is_retry = true;
  stack_.back().ends = 1;
  cursor.watch = no_pc;
}

std::size_t IpdomStack::innermost_retry() const {
  std::size_t n = stack_.size();
  while (n-- > 0)
    if (stack_[n].is_retry) return n;
  throw base::ModelError("ipdom: there is no checkpoint");
}

bool IpdomStack::waits_for_policy(const Cursor& cursor) const {
  return cursor.blocked && !stack_.empty() && stack_.back().is_retry;
}

base::LaneMask IpdomStack::arrived_at(std::size_t retry) const {
  base::LaneMask lanes = 0;
  for (std::size_t n = retry - stack_[retry].ends; n < retry; ++n) lanes |= stack_[n].arrived;
  return lanes;
}

IpdomStack::Entry& IpdomStack::end_at(std::uint32_t place) {
  const std::size_t retry = innermost_retry();
  for (std::size_t n = retry - stack_[retry].ends; n < retry; ++n) {
    std::uint32_t& pc = stack_[n].at.pc;
    if (pc == no_pc) pc = place;
    if (pc == place) return stack_[n];
  }
  Entry another;
  another.at = stack_[retry - 1].at;
  another.at.pc = place;
  another.at.lanes = 0;
  ++stack_[retry].ends;
  return *stack_.insert(stack_.begin() + static_cast<std::ptrdiff_t>(retry), another);
}

void IpdomStack::abort(Cursor& cursor, base::LaneMask lanes) {
  innermost_retry();
  const bool waits = waits_for_policy(cursor);
  // From the top down: the first region in which a lane is found is its innermost one. What is below that does not
  // change.
  base::LaneMask left = lanes, inside = cursor.blocked ? 0 : cursor.lanes & lanes;
  if (!cursor.blocked) cursor.lanes &= ~lanes;
  std::size_t top = stack_.size();
  for (std::size_t n = top; n-- > 0;) {
    Entry& entry = stack_[n];
    if (!entry.is_retry) {
      inside |= entry.at.lanes & left;
      continue;
    }
    for (std::size_t above = n + 1; above < top; ++above) stack_[above].at.lanes &= ~inside;
    inside |= arrived_at(n) & left;
    for (std::size_t end = n - entry.ends; end < n; ++end) stack_[end].arrived &= ~inside;
    left &= ~(inside | entry.at.lanes);
    entry.at.lanes |= inside;
    inside = 0;
    top = n;
  }
  if (waits || (!cursor.blocked && cursor.lanes == 0)) pop(cursor);
}

base::LaneMask IpdomStack::aborted(const Cursor&) const {
  base::LaneMask lanes = 0;
  for (const Entry& entry : stack_)
    if (entry.is_retry) lanes |= entry.at.lanes;
  return lanes;
}

void IpdomStack::restore(Cursor& cursor) {
  const std::size_t retry = innermost_retry();
  if (!waits_for_policy(cursor) || arrived_at(retry) != 0)
    throw base::ModelError("ipdom: lanes begin again while others of their region run");
  cursor = stack_[retry].at;
  stack_[retry].at.lanes = 0;
}

void IpdomStack::arrive(Cursor& cursor, base::LaneMask lanes) {
  end_at(cursor.pc).arrived |= lanes;
  for (std::size_t n = innermost_retry() + 1; n < stack_.size(); ++n) stack_[n].at.lanes &= ~lanes;
  cursor.lanes &= ~lanes;
  if (cursor.lanes == 0) pop(cursor);
}

base::LaneMask IpdomStack::arrived(const Cursor& cursor) const {
  return waits_for_policy(cursor) ? arrived_at(stack_.size() - 1) : 0;
}

void IpdomStack::commit(Cursor& cursor, base::LaneMask lanes) {
  const bool waits = waits_for_policy(cursor);
  const std::size_t retry = innermost_retry();
  const base::LaneMask others = waits ? 0 : lanes & ~arrived_at(retry);
  for (std::size_t n = retry - stack_[retry].ends; n < retry; ++n) {
    stack_[n].at.lanes |= stack_[n].arrived & lanes;
    stack_[n].arrived &= ~lanes;
  }
  if (others != 0) {
    // The instruction behind which they leave may have brought them to where they wait for others.
    std::uint32_t pc = cursor.pc;
    if ((cursor.lanes & others) == 0)
      for (std::size_t n = retry + 1; n < stack_.size(); ++n)
        if ((stack_[n].at.lanes & others) != 0) pc = stack_[n].at.pc;
    end_at(pc).at.lanes |= others;
    for (std::size_t n = innermost_retry() + 1; n < stack_.size(); ++n) stack_[n].at.lanes &= ~others;
    cursor.lanes &= ~others;
  }
  if (waits || cursor.lanes == 0) pop(cursor);
}

base::LaneMask IpdomStack::alive(const Cursor& cursor) const {
  base::LaneMask lanes = cursor.lanes;
  for (const Entry& entry : stack_) lanes |= entry.at.lanes | entry.arrived;
  return lanes;
}

void IpdomStack::waiting(std::vector<WaitingPath>& paths) const {
  for (std::size_t n = stack_.size(); n-- > 0;) {
    const Cursor& at = stack_[n].at;
    if (at.lanes != 0) paths.push_back({at.pc, at.frame, at.lanes, stack_[n].is_retry});
    if (stack_[n].arrived != 0) paths.push_back({at.pc, at.frame, stack_[n].arrived, true});
  }
}

}  // namespace syncline::isa
