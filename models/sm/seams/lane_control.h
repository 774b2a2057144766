// What a policy may do to lanes of a warp from outside: give up what they have begun, and let them begin again.
#pragma once

#include <cstdint>
#include <string>

#include "base/lane_mask.h"

namespace syncline::models {

/// The SM implements it. `slot`: warp slot of the SM; the warp has not ended. Regions are those of isa::Warp: lanes
/// enter one, and can be brought back to its beginning, with their registers, until they leave it. Between
/// instructions, or while one of the warp is offered to a lane stage, or a listener is told that lanes begin or end a
/// transaction: it counts as executed then.
class LaneControl {
 public:
  virtual ~LaneControl() = default;
  /// The lanes of the path that runs enter a region, which begins at the warp's next instruction. What they have loaded
  /// must have come, for its registers are to be kept (base::ModelError; issue gates know: IssueQuery).
  virtual void checkpoint(unsigned slot) = 0;
  /// Those of the lanes that are in a region leave what they do, and wait at its beginning for `restore`. Of any lanes:
  /// nothing comes back any more of the memory instructions of these lanes: what has not left the lane stages never
  /// leaves them, and what has is done, but changes no register. Lane stages hear of it (LaneStage::aborted).
  virtual void abort(unsigned slot, base::LaneMask lanes) = 0;
  /// The lanes that were aborted begin again, once the others of their region have left it (base::ModelError before).
  virtual void restore(unsigned slot) = 0;
  /// `lanes`, of the path that runs or that has executed the last instruction, leave their innermost region where they
  /// are; or they wait at the end of their transactions (WarpEvents::transaction_arrived), and go on behind it.
  virtual void commit(unsigned slot, base::LaneMask lanes) = 0;
  /// What global memory holds now, whoever has it; takes no time. False: nobody tells.
  virtual bool read_memory(std::uint64_t address, void* to, unsigned bytes) = 0;
  /// For messages: the next instruction of the warp, with its place in the program's text, and the warp.
  virtual std::string where(unsigned slot) const = 0;
};

}  // namespace syncline::models
