// How the lanes of a warp that took different ways meet again. One object per warp holds the paths that wait; the
// path that runs is the warp's cursor. Mechanisms: ipdom (a SIMT stack); others implement the same interface.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/lane_mask.h"
#include "isa/exec/op.h"

namespace syncline::isa {

/// The path that runs. `watch` is the pc at which the mechanism wants to be asked (`reached`): between branches the
/// warp compares one number per instruction and makes no virtual call.
struct Cursor {
  std::uint32_t pc = no_pc;  ///< next instruction; no_pc when no path is left
  std::uint32_t watch = no_pc;
  std::uint32_t frame = 0;   ///< call frame (index kept by the warp)
  base::LaneMask lanes = 0;  ///< lanes on this path, all alive
};

/// A path that waits, for messages and traces.
struct WaitingPath {
  std::uint32_t pc = no_pc;
  std::uint32_t frame = 0;
  base::LaneMask lanes = 0;
};

/// One group of lanes that go the same way from a branch.
struct BranchSide {
  std::uint32_t pc = no_pc;
  base::LaneMask lanes = 0;
};

class Reconvergence {
 public:
  virtual ~Reconvergence() = default;
  virtual std::string_view name() const = 0;

  /// A warp starts: `cursor` holds its first pc and lanes.
  virtual void start(Cursor& cursor) = 0;
  /// The lanes of the cursor part: two or more sides, none empty, together the cursor's lanes. `reconverge` is where
  /// they meet (no_pc: not before they end). On return the cursor is the side that runs first.
  virtual void diverge(Cursor& cursor, const BranchSide* sides, std::size_t count, std::uint32_t reconverge) = 0;
  /// The cursor came to cursor.watch: by falling through or by a branch of all its lanes.
  virtual void reached(Cursor& cursor) = 0;
  /// `lanes` of the cursor ended. The cursor changes to another path when none is left on its own.
  virtual void exit(Cursor& cursor, base::LaneMask lanes) = 0;
  /// `callers` (a subset of the cursor's lanes) enter `pc` with a new frame; they go on at `return_pc` afterwards.
  /// The rest of the cursor's lanes, if any, goes on at `rest_pc` and meets the callers at `return_pc`.
  virtual void call(Cursor& cursor, base::LaneMask callers, std::uint32_t pc, std::uint32_t frame,
                    std::uint32_t return_pc, std::uint32_t rest_pc) = 0;
  /// All lanes of a call have come to its end.
  virtual void ret(Cursor& cursor) = 0;
  /// Lanes of the cursor wait at a CTA barrier while other paths of the warp have not come. True when the mechanism
  /// switched the cursor to another path that can run meanwhile.
  virtual bool yield_at_barrier(Cursor& cursor) {
    (void)cursor;
    return false;
  }
  /// All lanes that are alive, over all paths.
  virtual base::LaneMask alive(const Cursor& cursor) const = 0;
  /// Highest call frame that any path uses: a new call takes the next.
  virtual std::uint32_t highest_frame(const Cursor& cursor) const { return cursor.frame; }
  virtual unsigned depth() const = 0;                               ///< paths that wait
  virtual void waiting(std::vector<WaitingPath>& paths) const = 0;  ///< innermost first
};

/// Makes the mechanism of that name; throws base::UserError for a name that does not exist.
std::unique_ptr<Reconvergence> make_reconvergence(std::string_view name);
/// The mechanisms by name.
const base::ChoiceTable<std::string>& reconvergence_mechanisms();

}  // namespace syncline::isa
