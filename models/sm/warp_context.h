// What an SM keeps of one warp beside its architectural state.
#pragma once

#include "base/ids.h"
#include "isa/exec/warp.h"
#include "models/sm/hold_account.h"
#include "models/sm/scoreboard.h"
#include "models/sm/stall.h"

namespace syncline::models {

struct WarpContext {
  explicit WarpContext(const isa::ReconvergenceSpec& reconvergence) : warp(reconvergence) {}

  isa::Warp warp;
  Scoreboard board;
  base::Cycle next_at = 0;  ///< earliest issue of the next instruction, whatever its registers say
  /// The cycle, if it is known, at which nothing is left to wait for, and what the warp is then.
  base::Cycle opens_at = base::never;
  WarpState opens_as = WarpState::empty;
  unsigned cta = 0;       ///< CTA slot
  unsigned place = 0;     ///< of its local memory (WarpPlaces)
  unsigned accesses = 0;  ///< memory instructions that are not performed yet
  unsigned writes = 0;    ///< of them stores, atomics and reductions
  unsigned atomics = 0;   ///< of these, atomics and reductions
  unsigned blocking = 0;  ///< of them those that nothing passes: with acquire semantics, or held by a lane stage
  Hold hold;              ///< what the issue gate does to the next instruction
  /// Not 0: a fence waits for the SM's stores among the memory instructions up to this one (FencePlan::drain_sm).
  std::uint64_t drains_up_to = 0;
  bool fencing = false;  ///< the L1 has not answered a fence
  bool live = false;     ///< started and not ended
};

}  // namespace syncline::models
