// Thread frontiers with a sorted stack (Diamos et al., "SIMD re-convergence at thread frontiers", MICRO 2011).
#pragma once

#include "isa/exec/code_layout.h"
#include "isa/exec/path_set.h"

namespace syncline::isa {

/// Of the paths of a warp the one runs that is first in the order of blocks (code_layout.h); paths at the same
/// instruction are one. So lanes meet as early as their ways do, also where these come together before the immediate
/// post-dominator. A path looks for others wherever a block begins: the explicit branches that the paper's compiler
/// puts where one falls into a block of the frontier cost nothing here.
///
/// Where the paper has an error, a path that waits at a barrier of the CTA, or for lanes at a `.sync` instruction, lets
/// others run. Lanes that spin keep those waiting whose blocks come later, as under `ipdom`.
class ThreadFrontiers final : public PathSet {
 public:
  std::string_view name() const override { return "tf_stack"; }
  void start(Cursor& cursor, const Program& program) override;
  void diverge(Cursor& cursor, const BranchSide* sides, std::size_t count, std::uint32_t reconverge) override;
  void reached(Cursor& cursor) override { choose(cursor); }
  void jumped(Cursor& cursor, std::uint32_t, std::uint32_t) override { choose(cursor); }
  void call(Cursor& cursor, base::LaneMask callers, std::uint32_t pc, std::uint32_t frame, std::uint32_t return_pc,
            std::uint32_t rest_pc) override;
  void ret(Cursor& cursor, std::uint32_t pc, std::uint32_t frame) override;

 private:
  void next(Cursor& cursor) override;
  void settle(Cursor& cursor) override;
  void woken(Path&) override {}
  void depart(std::uint32_t, base::LaneMask, std::uint32_t) override {}
  void join(Path&) override {}
  /// The path that is to run of those that can; none: there is no such path. Inner calls go first.
  std::size_t first() const;
  /// The cursor becomes the first of all paths, with all lanes that are where it is.
  void choose(Cursor& cursor);

  const CodeLayout* layout_ = nullptr;
};

}  // namespace syncline::isa
