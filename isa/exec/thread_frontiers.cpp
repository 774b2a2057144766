#include "isa/exec/thread_frontiers.h"

#include "isa/exec/program.h"

namespace syncline::isa {

void ThreadFrontiers::start(Cursor& cursor, const Program& program) {
  PathSet::start(cursor, program);
  layout_ = &program.layout();
}

std::size_t ThreadFrontiers::first() const {
  std::size_t found = paths_.size();
  for (std::size_t n = 0; n < paths_.size(); ++n) {
    const Path& path = paths_[n];
    if (path.state != State::ready) continue;
    if (found != paths_.size()) {
      const Path& best = paths_[found];
      if (path.frame < best.frame) continue;
      if (path.frame == best.frame) {
        const std::uint32_t at = layout_->position[path.pc], best_at = layout_->position[best.pc];
        // Of paths at the same place, first those of the region of the path that runs: with them it can become one.
        if (at > best_at || (at == best_at && path.region != running_.region)) continue;
      }
    }
    found = n;
  }
  return found;
}

void ThreadFrontiers::choose(Cursor& cursor) {
  for (;;) {
    const std::size_t n = first();
    if (n == paths_.size() || paths_[n].frame < cursor.frame) {
      cursor.watch = no_pc;
      cursor.jumps = false;
      return;
    }
    const Path best = paths_[n];
    if (best.frame == cursor.frame && best.pc == cursor.pc && best.region == running_.region) {
      cursor.lanes |= best.lanes;
      remove(n);
      continue;
    }
    if (best.frame == cursor.frame && layout_->position[best.pc] >= layout_->position[cursor.pc]) {
      const std::uint32_t end = layout_->block_end[cursor.pc];
      cursor.watch = best.pc > cursor.pc && best.pc < end ? best.pc : end;
      cursor.jumps = true;
      return;
    }
    paths_[n] = aside(cursor, State::ready);
    running_ = best;
    cursor.pc = best.pc;
    cursor.frame = best.frame;
    cursor.lanes = best.lanes;
  }
}

/// Within an instruction: it looks for others behind it.
void ThreadFrontiers::settle(Cursor& cursor) {
  cursor.watch = cursor.pc + 1;
  cursor.jumps = true;
}

void ThreadFrontiers::next(Cursor& cursor) {
  const std::size_t n = first();
  if (n == paths_.size()) return block(cursor);
  run(cursor, n);
  choose(cursor);
}

void ThreadFrontiers::diverge(Cursor& cursor, const BranchSide* sides, std::size_t count, std::uint32_t) {
  for (std::size_t n = 1; n < count; ++n) {
    Path path = aside(cursor, State::ready);
    path.pc = sides[n].pc;
    path.lanes = sides[n].lanes;
    paths_.push_back(path);
  }
  cursor.pc = sides[0].pc;
  cursor.lanes = sides[0].lanes;
  choose(cursor);
}

void ThreadFrontiers::call(Cursor& cursor, base::LaneMask callers, std::uint32_t pc, std::uint32_t frame, std::uint32_t,
                           std::uint32_t rest_pc) {
  if (const base::LaneMask rest = cursor.lanes & ~callers; rest != 0) {
    Path path = aside(cursor, State::ready);
    path.pc = rest_pc;
    path.lanes = rest;
    paths_.push_back(path);
  }
  cursor.pc = pc;
  cursor.frame = frame;
  cursor.lanes = callers;
  choose(cursor);
}

void ThreadFrontiers::ret(Cursor& cursor, std::uint32_t pc, std::uint32_t frame) {
  cursor.pc = pc;
  cursor.frame = frame;
  choose(cursor);
}

}  // namespace syncline::isa
