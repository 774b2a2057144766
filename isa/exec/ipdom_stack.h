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
class IpdomStack final : public Reconvergence {
 public:
  std::string_view name() const override { return "ipdom"; }
  void start(Cursor& cursor) override;
  void diverge(Cursor& cursor, const BranchSide* sides, std::size_t count, std::uint32_t reconverge) override;
  void reached(Cursor& cursor) override { pop(cursor); }
  void exit(Cursor& cursor, base::LaneMask lanes) override;
  void call(Cursor& cursor, base::LaneMask callers, std::uint32_t pc, std::uint32_t frame, std::uint32_t return_pc,
            std::uint32_t rest_pc) override;
  void ret(Cursor& cursor) override { pop(cursor); }
  base::LaneMask alive(const Cursor& cursor) const override;
  unsigned depth() const override { return static_cast<unsigned>(stack_.size()); }
  void waiting(std::vector<WaitingPath>& paths) const override;

 private:
  void pop(Cursor& cursor);
  std::vector<Cursor> stack_;
};

}  // namespace syncline::isa
