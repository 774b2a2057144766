#include "isa/exec/independent_threads.h"

#include <algorithm>

#include "isa/exec/cta_barriers.h"
#include "isa/exec/program.h"

namespace syncline::isa {

void IndependentThreads::start(Cursor& cursor, const Program& program) {
  PathSet::start(cursor, program);
  meetings_.clear();
  converges_ = barrier_counting(program.module().sm, name()) == BarrierCounting::per_warp;
  limit_ = std::uint64_t{patience_} * (converges_ ? older_patience : 1);
  whole_ = false;
}

std::uint32_t IndependentThreads::meeting_at(const Cursor& cursor, std::uint32_t pc) {
  if (pc == no_pc || pc == cursor.watch) return running_.meeting;
  const auto free = std::find_if(meetings_.begin(), meetings_.end(), [](const Meeting& m) { return m.expected == 0; });
  const auto index = static_cast<std::uint32_t>(free - meetings_.begin());
  const Meeting meeting{pc, cursor.frame, running_.meeting, cursor.lanes};
  if (free == meetings_.end())
    meetings_.push_back(meeting);
  else
    *free = meeting;
  return index;
}

bool IndependentThreads::is_at_meeting(const Path& path) const {
  return path.meeting != none && meetings_[path.meeting].pc == path.pc && meetings_[path.meeting].frame == path.frame;
}

void IndependentThreads::settle(Cursor& cursor) {
  meet_up();
  const std::uint32_t m = running_.meeting;
  cursor.watch = m != none && meetings_[m].frame == cursor.frame ? meetings_[m].pc : no_pc;
  cursor.jumps = !paths_.empty();
}

void IndependentThreads::diverge(Cursor& cursor, const BranchSide* sides, std::size_t count, std::uint32_t reconverge) {
  const std::uint32_t from = cursor.pc;
  running_.meeting = meeting_at(cursor, reconverge);
  const BranchSide* first = nullptr;
  bool back = false;
  for (std::size_t n = count; n-- > 0;) {
    back = back || sides[n].pc <= from;
    Path path = aside(cursor, State::ready);
    path.pc = sides[n].pc;
    path.lanes = sides[n].lanes;
    if (is_at_meeting(path)) {
      wait_at_meeting(path);
      continue;
    }
    if (first != nullptr) {
      path.pc = first->pc;
      path.lanes = first->lanes;
      paths_.insert(paths_.begin(), path);
    }
    first = &sides[n];
  }
  cursor.pc = first->pc;
  cursor.lanes = first->lanes;
  settle(cursor);
  if (back) looped(cursor);
}

void IndependentThreads::wait_at_meeting(Path path) {
  path.state = State::meets;
  paths_.push_back(path);
}

void IndependentThreads::reached(Cursor& cursor) {
  const base::LaneMask lanes = cursor.lanes;
  wait_at_meeting(aside(cursor, State::meets));
  cursor.lanes = 0;
  meet_up();
  // When all have come they run on at once.
  for (std::size_t n = 0; n < paths_.size(); ++n)
    if ((paths_[n].lanes & lanes) != 0 && paths_[n].state == State::ready) {
      run(cursor, n);
      return settle(cursor);
    }
  next(cursor);
}

void IndependentThreads::woken(Path& path) {
  path.state = is_at_meeting(path) ? State::meets : State::ready;
}

/// Paths at the same meeting are one, and go on when it waits for nobody else.
void IndependentThreads::meet_up() {
  for (std::size_t n = 0; n < paths_.size();) {
    Path& path = paths_[n];
    if (path.state == State::meets) {
      for (std::size_t k = paths_.size(); k-- > n + 1;) {
        if (paths_[k].state != State::meets || paths_[k].meeting != path.meeting) continue;
        if (paths_[k].region != path.region) continue;
        path.lanes |= paths_[k].lanes;
        path.waited = std::max(path.waited, paths_[k].waited);
        remove(k);
      }
      if (meetings_[path.meeting].expected == path.lanes) {
        go_on(path);
        n = 0;  // perhaps to the next meeting, where others are
        continue;
      }
    }
    ++n;
  }
}

/// The path waits no longer for those whom it was to meet.
void IndependentThreads::go_on(Path& path) {
  Meeting& meeting = meetings_[path.meeting];
  meeting.expected &= ~path.lanes;
  path.meeting = meeting.parent;
  woken(path);
}

void IndependentThreads::depart(std::uint32_t meeting, base::LaneMask lanes, std::uint32_t until) {
  for (std::uint32_t m = meeting; m != none && m != until; m = meetings_[m].parent) meetings_[m].expected &= ~lanes;
}

/// Lanes that run together have the innermost meeting in common that waits for all of them.
void IndependentThreads::join(Path& path) {
  const auto holds = [&](std::uint32_t outer, std::uint32_t inner) {
    while (inner != none && inner != outer) inner = meetings_[inner].parent;
    return inner == outer;
  };
  std::uint32_t common = running_.meeting;
  while (common != none && !holds(common, path.meeting)) common = meetings_[common].parent;
  depart(path.meeting, path.lanes, common);
  path.meeting = common;
}

void IndependentThreads::looped(Cursor& cursor) {
  for (std::size_t n = 0; n < paths_.size(); ++n) {
    Path& path = paths_[n];
    if (path.state != State::meets || ++path.waited < limit_) continue;
    go_on(path);
  }
  const auto ready = [](const Path& path) { return path.state == State::ready; };
  if (std::none_of(paths_.begin(), paths_.end(), ready)) return;
  paths_.push_back(aside(cursor, State::ready));
  next(cursor);
}

void IndependentThreads::next(Cursor& cursor) {
  meet_up();
  for (;;) {
    const auto first = [this](State state) {
      return std::find_if(paths_.begin(), paths_.end(), [state](const Path& path) { return path.state == state; }) -
             paths_.begin();
    };
    auto n = static_cast<std::size_t>(first(State::ready));
    if (n == paths_.size()) {
      // Whom it was to meet cannot run either.
      const std::size_t meets = waits_in_vain(lanes_before_barriers());
      if (meets != paths_.size()) {
        go_on(paths_[meets]);
        meet_up();
        continue;
      }
      n = static_cast<std::size_t>(first(State::before_barrier));
    }
    if (n == paths_.size()) return block(cursor);
    run(cursor, n);
    return settle(cursor);
  }
}

std::size_t IndependentThreads::waits_in_vain(base::LaneMask before_barriers) const {
  std::size_t n = 0;
  while (n < paths_.size() &&
         (paths_[n].state != State::meets || (meetings_[paths_[n].meeting].expected & before_barriers) != 0))
    ++n;
  return n;
}

base::LaneMask IndependentThreads::lanes_before_barriers() const {
  base::LaneMask lanes = 0;
  for (const Path& path : paths_)
    if (path.state == State::before_barrier) lanes |= path.lanes;
  return lanes;
}

void IndependentThreads::call(Cursor& cursor, base::LaneMask callers, std::uint32_t pc, std::uint32_t frame,
                              std::uint32_t return_pc, std::uint32_t rest_pc) {
  running_.meeting = meeting_at(cursor, return_pc);
  if (const base::LaneMask rest = cursor.lanes & ~callers; rest != 0) {
    Path path = aside(cursor, State::ready);
    path.pc = rest_pc;
    path.lanes = rest;
    if (is_at_meeting(path))
      wait_at_meeting(path);
    else
      paths_.insert(paths_.begin(), path);
  }
  cursor.pc = pc;
  cursor.frame = frame;
  cursor.lanes = callers;
  settle(cursor);
}

void IndependentThreads::ret(Cursor& cursor, std::uint32_t pc, std::uint32_t frame) {
  cursor.pc = pc;
  cursor.frame = frame;
  settle(cursor);
  if (cursor.pc == cursor.watch) reached(cursor);
}

bool IndependentThreads::comes_to_barrier(Cursor& cursor) {
  if (!converges_) return true;
  for (std::size_t n = paths_.size(); n-- > 0;) {
    Path& path = paths_[n];
    if (path.state != State::before_barrier || path.pc != cursor.pc || path.frame != cursor.frame) continue;
    join(path);
    cursor.lanes |= path.lanes;
    remove(n);
  }
  const bool others_run =
      std::any_of(paths_.begin(), paths_.end(), [](const Path& path) { return path.state == State::ready; });
  if (!others_run && waits_in_vain(lanes_before_barriers() | cursor.lanes) == paths_.size()) {
    settle(cursor);
    return true;
  }
  paths_.push_back(aside(cursor, State::before_barrier));
  cursor.lanes = 0;
  next(cursor);
  return false;
}

bool IndependentThreads::wait_at_barrier(Cursor& cursor, base::LaneMask lanes) {
  whole_ = converges_;
  return !whole_ && PathSet::wait_at_barrier(cursor, lanes);
}

void IndependentThreads::barrier_opened(Cursor& cursor, base::LaneMask lanes) {
  if (!whole_) return PathSet::barrier_opened(cursor, lanes);
  whole_ = cursor.blocked = false;
}

}  // namespace syncline::isa
