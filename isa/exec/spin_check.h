// Finds warps whose running lanes go round for ever while others of them wait for these lanes to come.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/exec/loop_slice.h"
#include "isa/exec/warp.h"

namespace syncline::isa {

/// Whether one warp repeats itself: it comes to a place where it has been before with the same lanes, the same waiting
/// paths, and the same registers, as far as these decide where it went in between (LoopSlice). When it read what memory
/// still holds, and nobody changes memory, it will do the same for ever. (Cycles of any length are found, as Brent does
/// it: Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980.)
class SpinCheck {
 public:
  /// Forgets what the warp did: it begins to be watched, or something has changed that its state does not show.
  void restart() { steps_ = 0; }
  /// The warp is about to execute its next instruction. `loaded`: what it has loaded is in its registers. True from the
  /// time on at which it has repeated itself, until the next restart.
  bool repeats(const Warp& warp, bool loaded = true);
  bool repeats() const { return steps_ != 0 && repeats_; }

 private:
  std::uint64_t steps_ = 0, kept_for_ = 0;  ///< instructions since the restart; up to which the state is kept
  std::uint32_t pc_ = no_pc;                ///< where it was kept; no_pc: it is not
  bool repeats_ = false;
  std::vector<std::uint8_t> kept_, now_;
  std::vector<StateRegister> registers_;  ///< in now_
  LoopSlice went_;                        ///< since the state is kept

  bool is_as_kept(const Warp& warp);
};

/// Lanes of the warp wait at a meeting point for lanes that run, and come only when these do.
bool lanes_wait_below(const Warp& warp);

/// "warp 0 of CTA (0, 0, 0): lanes 0x1 wait at k.ptx:9: `...` in kernel `k`, for lanes 0xfffffffe, which go round at
/// k.ptx:7: `...` in kernel `k`": for a warp with lanes_wait_below.
std::string describe_spin(const Warp& warp);

}  // namespace syncline::isa
