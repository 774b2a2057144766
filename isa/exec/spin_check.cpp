#include "isa/exec/spin_check.h"

#include <fmt/format.h>

#include <cstring>

namespace syncline::isa {

namespace {

/// Clocks change by themselves.
bool reads_what_changes(const Warp& warp) {
  const Op& op = *warp.next();
  return op.kind == OpKind::special || (op.kind == OpKind::adapted && warp.program().adaptation(op).varies);
}

}  // namespace

bool SpinCheck::repeats(const Warp& warp, bool loaded) {
  if (reads_what_changes(warp)) {
    restart();
    return false;
  }
  if (steps_++ == 0) {
    repeats_ = false;
    kept_for_ = 0;
    pc_ = no_pc;
  }
  if (repeats_) return true;
  if (loaded) {
    repeats_ = warp.pc() == pc_ && is_as_kept(warp);
    if (!repeats_ && steps_ > kept_for_) {
      kept_for_ = 2 * steps_;
      pc_ = warp.pc();
      kept_.clear();
      warp.copy_state(kept_);
      went_.clear();
    }
  }
  if (pc_ != no_pc) went_.executed(warp.frame_number(), warp.pc(), *warp.next());
  return repeats_;
}

bool SpinCheck::is_as_kept(const Warp& warp) {
  now_.clear();
  registers_.clear();
  warp.copy_state(now_, &registers_);
  if (now_.size() != kept_.size()) return false;
  const auto is_same = [this](std::size_t begin, std::size_t end) {
    return std::memcmp(now_.data() + begin, kept_.data() + begin, end - begin) == 0;
  };
  std::size_t end = 0;
  for (const StateRegister& r : registers_) {
    if (!is_same(end, r.begin)) return false;
    end = r.begin + r.bytes;
    if (!is_same(r.begin, end) && went_.decides(r.frame, r.id, warp.program())) return false;
  }
  return is_same(end, now_.size());
}

bool lanes_wait_below(const Warp& warp) {
  return !warp.reconvergence().is_fair() && !warp.blocked() && warp.alive() != warp.active();
}

std::string describe_spin(const Warp& warp) {
  const Program& program = warp.program();
  std::vector<WaitingPath> paths;
  warp.reconvergence().waiting(paths);
  std::string text =
      fmt::format("warp {} of CTA ({}, {}, {}):", warp.index(), warp.cta().x, warp.cta().y, warp.cta().z);
  base::LaneMask said = warp.active();
  for (const WaitingPath& path : paths) {
    // Lanes of an entry at which paths meet are in the paths above it, too.
    const base::LaneMask lanes = path.lanes & ~said;
    if (lanes == 0) continue;
    text += fmt::format(" lanes {:#x} wait at {},", lanes, program.where(program.op(path.pc)));
    said |= lanes;
  }
  return text + fmt::format(" for lanes {:#x}, which go round at {}", warp.active(), program.where(*warp.next()));
}

}  // namespace syncline::isa
