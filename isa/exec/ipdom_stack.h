// Reconvergence at immediate post-dominators: the SIMT stack of NVIDIA's GPUs up to Pascal.
#pragma once

#include <vector>

#include "isa/exec/reconvergence.h"

namespace syncline::isa {

/// A divergent branch leaves one entry where its sides meet and one per side that waits; the cursor is the top of the
/// stack. Loops do not let it grow: sides that meet where the current path already must meet share that entry.
/// Of two sides the one that falls through runs first.
///
/// One side runs until it reaches the meeting point or ends: a lane that waits in a loop for another lane of its own
/// warp waits for ever when that lane's side has not run yet (programs for sm_70 and later may do this).
///
/// A policy's region is two entries below the cursor: in one, lanes that committed wait behind the region; in the
/// other, above it, those that were aborted wait at its beginning. Where lanes leave it at several places, there is one
/// of the former for each; when all have left, they go on one after the other, each as far as its lanes meet those of
/// another one (meeting_points.h): behind the region lanes are together again where ways from its ends come together.
class IpdomStack final : public Reconvergence {
 public:
  std::string_view name() const override { return "ipdom"; }
  bool takes_turns() const override { return false; }
  void start(Cursor& cursor, const Program& program) override;
  void diverge(Cursor& cursor, const BranchSide* sides, std::size_t count, std::uint32_t reconverge) override;
  void reached(Cursor& cursor) override { pop(cursor); }
  void jumped(Cursor&, std::uint32_t, std::uint32_t) override {}
  void exit(Cursor& cursor, base::LaneMask lanes) override;
  void call(Cursor& cursor, base::LaneMask callers, std::uint32_t pc, std::uint32_t frame, std::uint32_t return_pc,
            std::uint32_t rest_pc) override;
  void ret(Cursor& cursor, std::uint32_t, std::uint32_t) override { pop(cursor); }
  bool wait_at_barrier(Cursor&, base::LaneMask) override { return false; }
  void barrier_opened(Cursor& cursor, base::LaneMask) override { cursor.blocked = false; }
  bool gather(Cursor&, Gathering*, std::size_t, bool) override { return true; }
  void checkpoint(Cursor& cursor) override;
  void abort(Cursor& cursor, base::LaneMask lanes) override;
  base::LaneMask aborted(const Cursor& cursor) const override;
  void arrive(Cursor& cursor, base::LaneMask lanes) override;
  base::LaneMask arrived(const Cursor& cursor) const override;
  void restore(Cursor& cursor) override;
  void commit(Cursor& cursor, base::LaneMask lanes) override;
  base::LaneMask alive(const Cursor& cursor) const override;
  unsigned depth() const override { return static_cast<unsigned>(stack_.size()); }
  void waiting(std::vector<WaitingPath>& paths) const override;

 private:
  struct Entry {
    Cursor at;
    bool is_retry = false;
    /// Of a retry entry: so many entries below it are ends of its region. Of the topmost end of a region that all have
    /// left: of so many, and it is one of them, lanes have not met.
    unsigned ends = 0;
    base::LaneMask arrived = 0;  ///< of an end: lanes that are there, and have not committed
  };
  void push(std::uint32_t pc, std::uint32_t watch, std::uint32_t frame, base::LaneMask lanes);
  void pop(Cursor& cursor);
  /// The topmost of several ends goes on: it is the cursor, and waits where it meets others.
  void go_on_from_end(Cursor& cursor);
  /// Entry of the innermost region at which its aborted lanes wait. Throws base::ModelError where there is none.
  std::size_t innermost_retry() const;
  /// That of the region which keeps the warp until the policy does something.
  bool waits_for_policy(const Cursor& cursor) const;
  base::LaneMask arrived_at(std::size_t retry) const;
  /// The end of the innermost region at `place`, a pc.
  Entry& end_at(std::uint32_t place);
  std::vector<Entry> stack_;
  const Program* program_ = nullptr;
};

}  // namespace syncline::isa
