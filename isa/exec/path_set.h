// What mechanisms have in common whose paths take turns: any path may wait for something while others run.
#pragma once

#include <vector>

#include "isa/exec/reconvergence.h"

namespace syncline::isa {

/// The paths of a warp beside the one that runs. A mechanism says which of them runs next, and where they become one.
class PathSet : public Reconvergence {
 public:
  bool takes_turns() const override { return true; }
  void start(Cursor& cursor, const Program& program) override;
  void exit(Cursor& cursor, base::LaneMask lanes) override;
  bool wait_at_barrier(Cursor& cursor, base::LaneMask lanes) override;
  void barrier_opened(Cursor& cursor, base::LaneMask lanes) override;
  bool gather(Cursor& cursor, Gathering* parts, std::size_t count, bool anywhere) override;
  void checkpoint(Cursor& cursor) override;
  void abort(Cursor& cursor, base::LaneMask lanes) override;
  base::LaneMask aborted(const Cursor& cursor) const override;
  void arrive(Cursor& cursor, base::LaneMask lanes) override;
  base::LaneMask arrived(const Cursor& cursor) const override;
  void restore(Cursor& cursor) override;
  void commit(Cursor& cursor, base::LaneMask lanes) override;
  base::LaneMask alive(const Cursor& cursor) const override;
  unsigned depth() const override { return static_cast<unsigned>(paths_.size()); }
  void waiting(std::vector<WaitingPath>& paths) const override;

 protected:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  enum class State : std::uint8_t {
    ready,
    meets,           ///< waits where paths meet
    gathers,         ///< waits for lanes of the warp, at the instruction at its pc
    before_barrier,  ///< waits at a barrier of the CTA until no other path of the warp can run
    at_barrier,      ///< waits for the CTA; its pc is behind the barrier
    at_end           ///< waits at the end of its region, behind which its pc is
  };
  struct Path {
    std::uint32_t pc = no_pc, frame = 0;
    base::LaneMask lanes = 0;
    State state = State::ready;
    bool anywhere = false;       ///< gathers: with lanes at any instruction that waits for `members`
    base::LaneMask members = 0;  ///< gathers
    std::uint32_t meeting = none, region = none;
    std::uint32_t waited = 0;  ///< meets: branches back of other paths since
  };
  /// The cursor as a path that waits.
  Path aside(const Cursor& cursor, State state) const;
  /// Path n becomes the one that runs.
  void run(Cursor& cursor, std::size_t n);
  void remove(std::size_t n) { paths_.erase(paths_.begin() + static_cast<std::ptrdiff_t>(n)); }

  /// The cursor has no lanes left: another path that can run becomes it; where there is none, `blocked`.
  virtual void next(Cursor& cursor) = 0;
  /// Paths have changed; the cursor's lanes can run.
  virtual void settle(Cursor& cursor) = 0;
  /// `path` has become one that could run: it may stand where it meets others.
  virtual void woken(Path& path) = 0;
  /// Lanes of `path` go elsewhere: up to `until`, no meeting waits for them any more. (Lanes that end: all.)
  virtual void depart(std::uint32_t meeting, base::LaneMask lanes, std::uint32_t until) = 0;
  /// The lanes of `path` run with those of the cursor from now on.
  virtual void join(Path& path) = 0;
  /// Nobody can run: the cursor is a path that waits, or the end.
  void block(Cursor& cursor);

  Path running_;             ///< meeting and region of the cursor
  std::vector<Path> paths_;  ///< those that run first come first

 private:
  struct Region {
    std::uint32_t pc = no_pc, frame = 0, meeting = none, parent = none;
    base::LaneMask inside = 0;   ///< lanes that have not left it; none: no region
    base::LaneMask aborted = 0;  ///< of them those that wait at its beginning
  };
  void lanes_are_fewer(Cursor& cursor);
  void leave_behind(Cursor& cursor, Path path, base::LaneMask lanes);
  /// Those of `lanes` that are on the path have left its region: the path goes on behind it.
  void leave_region(Path& path, base::LaneMask lanes);
  std::vector<Region> regions_;
  std::vector<Path> stay_;  ///< in their region, of paths of which others leave it
};

}  // namespace syncline::isa
