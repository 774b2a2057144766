#include "isa/exec/path_set.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace syncline::isa {

void PathSet::start(Cursor& cursor, const Program&) {
  paths_.clear();
  regions_.clear();
  running_ = Path{};
  cursor.watch = no_pc;
}

PathSet::Path PathSet::aside(const Cursor& cursor, State state) const {
  Path path = running_;
  path.pc = cursor.pc;
  path.frame = cursor.frame;
  path.lanes = cursor.lanes;
  path.state = state;
  path.waited = 0;
  return path;
}

void PathSet::run(Cursor& cursor, std::size_t n) {
  running_ = paths_[n];
  remove(n);
  cursor.pc = running_.pc;
  cursor.frame = running_.frame;
  cursor.lanes = running_.lanes;
  cursor.blocked = false;
}

void PathSet::block(Cursor& cursor) {
  cursor = Cursor{};
  const Path* shown = nullptr;
  for (const Path& path : paths_)
    if (shown == nullptr || (shown->state != State::at_barrier && path.state == State::at_barrier)) shown = &path;
  if (shown != nullptr) {
    running_ = *shown;
    cursor.pc = shown->pc;
    cursor.frame = shown->frame;
    cursor.lanes = shown->lanes;
    cursor.blocked = true;
    return;
  }
  for (std::uint32_t n = 0; n < regions_.size(); ++n) {
    const Region& region = regions_[n];
    if (region.aborted == 0) continue;
    running_ = Path{};
    running_.region = n;
    running_.meeting = region.meeting;
    cursor.pc = region.pc;
    cursor.frame = region.frame;
    cursor.lanes = region.aborted;
    cursor.blocked = true;
    return;
  }
}

/// Lanes have ended or were taken away: those that wait for them ask again.
void PathSet::lanes_are_fewer(Cursor& cursor) {
  paths_.erase(std::remove_if(paths_.begin(), paths_.end(), [](const Path& path) { return path.lanes == 0; }),
               paths_.end());
  for (Path& path : paths_)
    if (path.state == State::gathers) path.state = State::ready;
  for (std::size_t n = 0; n < paths_.size(); ++n)
    if (paths_[n].state == State::meets) woken(paths_[n]);
  if (cursor.lanes == 0 || cursor.blocked)
    next(cursor);
  else
    settle(cursor);
}

void PathSet::exit(Cursor& cursor, base::LaneMask lanes) {
  depart(running_.meeting, lanes, none);
  for (Region& region : regions_) {
    region.inside &= ~lanes;
    region.aborted &= ~lanes;
  }
  cursor.lanes &= ~lanes;
  lanes_are_fewer(cursor);
}

bool PathSet::wait_at_barrier(Cursor& cursor, base::LaneMask lanes) {
  Path path = aside(cursor, State::at_barrier);
  path.pc = cursor.pc + 1;
  leave_behind(cursor, path, lanes);
  return true;
}

/// `lanes` of the cursor wait on `path`; the others go on, or somebody else does.
void PathSet::leave_behind(Cursor& cursor, Path path, base::LaneMask lanes) {
  path.lanes = lanes;
  paths_.push_back(path);
  cursor.lanes &= ~lanes;
  if (cursor.lanes == 0)
    next(cursor);
  else
    settle(cursor);
}

void PathSet::barrier_opened(Cursor& cursor, base::LaneMask lanes) {
  for (Path& path : paths_) {
    if (path.state != State::at_barrier || (path.lanes & lanes) == 0) continue;
    path.state = State::ready;
    woken(path);
  }
  if (cursor.blocked)
    next(cursor);
  else
    settle(cursor);
}

bool PathSet::gather(Cursor& cursor, Gathering* parts, std::size_t count, bool anywhere) {
  const base::LaneMask all = alive(cursor);
  for (Gathering* part = parts; part != parts + count; ++part) {
    const auto is_here = [&](const Path& path) {
      return path.pc == cursor.pc && path.frame == cursor.frame && path.region == running_.region;
    };
    const auto waits_too = [&](const Path& path) {
      return path.state == State::gathers && path.members == part->members &&
             (is_here(path) || (anywhere && path.anywhere));
    };
    base::LaneMask have = part->lanes;
    for (const Path& path : paths_)
      if (waits_too(path)) have |= path.lanes;
    part->complete = (part->members & all & ~have) == 0;
    if (!part->complete) {
      Path path = aside(cursor, State::gathers);
      path.lanes = part->lanes;
      path.members = part->members;
      path.anywhere = anywhere;
      paths_.push_back(path);
      cursor.lanes &= ~part->lanes;
      continue;
    }
    for (std::size_t n = paths_.size(); n-- > 0;) {
      Path& path = paths_[n];
      if (!waits_too(path)) continue;
      if (is_here(path)) {
        join(path);
        part->lanes |= path.lanes;
        cursor.lanes |= path.lanes;
        remove(n);
      } else {
        ++path.pc;
        path.state = State::ready;
        woken(path);
      }
    }
  }
  if (cursor.lanes != 0) {
    settle(cursor);
    return true;
  }
  next(cursor);
  return false;
}

void PathSet::checkpoint(Cursor& cursor) {
  Region region;
  region.pc = cursor.pc;
  region.frame = cursor.frame;
  region.meeting = running_.meeting;
  region.parent = running_.region;
  region.inside = cursor.lanes;
  // Regions that all lanes have left are used again.
  const auto free = std::find_if(regions_.begin(), regions_.end(), [](const Region& r) { return r.inside == 0; });
  running_.region = static_cast<std::uint32_t>(free - regions_.begin());
  running_.meeting = none;
  if (free == regions_.end())
    regions_.push_back(region);
  else
    *free = region;
  settle(cursor);
}

void PathSet::abort(Cursor& cursor, base::LaneMask lanes) {
  const auto leave = [&](base::LaneMask& of, const Path& path) {
    if (path.region == none) return;
    Region& region = regions_[path.region];
    const base::LaneMask gone = of & lanes;
    region.aborted |= gone;
    of &= ~gone;
    depart(path.meeting, gone, none);
  };
  for (Path& path : paths_) leave(path.lanes, path);
  if (!cursor.blocked) leave(cursor.lanes, running_);
  lanes_are_fewer(cursor);
}

base::LaneMask PathSet::aborted(const Cursor&) const {
  base::LaneMask lanes = 0;
  for (const Region& region : regions_) lanes |= region.aborted;
  return lanes;
}

void PathSet::restore(Cursor& cursor) {
  bool any = false;
  for (std::uint32_t n = 0; n < regions_.size(); ++n) {
    Region& region = regions_[n];
    if (region.aborted == 0 || region.aborted != region.inside) continue;
    Path path;
    path.pc = region.pc;
    path.frame = region.frame;
    path.lanes = region.aborted;
    path.region = n;
    region.aborted = 0;
    paths_.insert(paths_.begin(), path);
    any = true;
  }
  if (!any) throw base::ModelError(std::string(name()) + ": lanes begin again while others of their region run");
  if (cursor.blocked)
    next(cursor);
  else
    settle(cursor);
}

void PathSet::arrive(Cursor& cursor, base::LaneMask lanes) {
  if (running_.region == none) throw base::ModelError(std::string(name()) + ": there is no checkpoint");
  leave_behind(cursor, aside(cursor, State::at_end), lanes);
}

base::LaneMask PathSet::arrived(const Cursor&) const {
  base::LaneMask lanes = 0;
  for (std::uint32_t n = 0; n < regions_.size(); ++n) {
    base::LaneMask at_end = 0;
    for (const Path& path : paths_)
      if (path.state == State::at_end && path.region == n) at_end |= path.lanes;
    if ((at_end | regions_[n].aborted) == regions_[n].inside) lanes |= at_end;
  }
  return lanes;
}

/// Lanes that leave a region meet those behind it whom they were to meet before.
void PathSet::leave_region(Path& path, base::LaneMask lanes) {
  Region& region = regions_[path.region];
  depart(path.meeting, lanes, none);
  region.inside &= ~lanes;
  if (path.lanes != lanes) {
    stay_.push_back(path);
    stay_.back().lanes = path.lanes & ~lanes;
    path.lanes = lanes;
  }
  path.meeting = region.meeting;
  path.region = region.parent;
}

/// The instruction behind which they leave may have brought their path to where it waits, while another one runs.
void PathSet::commit(Cursor& cursor, base::LaneMask lanes) {
  bool any = false;
  for (Path& path : paths_) {
    if ((path.lanes & lanes) == 0 || path.region == none) continue;
    any = true;
    leave_region(path, path.lanes & lanes);
    if (path.state == State::at_barrier) continue;
    path.state = State::ready;
    woken(path);
  }
  const bool runs = !cursor.blocked && (cursor.lanes & lanes) != 0 && running_.region != none;
  if (runs) {
    running_ = aside(cursor, State::ready);
    leave_region(running_, cursor.lanes & lanes);
    cursor.lanes = running_.lanes;
  }
  if (lanes != 0 && !any && !runs) throw base::ModelError(std::string(name()) + ": there is no checkpoint");
  paths_.insert(paths_.begin(), stay_.begin(), stay_.end());
  stay_.clear();
  if (cursor.blocked) return next(cursor);
  settle(cursor);
  if (runs && cursor.pc == cursor.watch) reached(cursor);
}

base::LaneMask PathSet::alive(const Cursor& cursor) const {
  base::LaneMask lanes = cursor.lanes;
  for (const Path& path : paths_) lanes |= path.lanes;
  return lanes | aborted(cursor);
}

void PathSet::waiting(std::vector<WaitingPath>& paths) const {
  for (const Path& path : paths_) {
    const bool is_blocked = path.state == State::at_barrier || path.state == State::at_end;
    paths.push_back({path.pc, path.frame, path.lanes, is_blocked});
  }
  for (const Region& region : regions_)
    if (region.aborted != 0) paths.push_back({region.pc, region.frame, region.aborted, true});
}

}  // namespace syncline::isa
