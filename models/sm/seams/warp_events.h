// Seam: what warps and CTAs of an SM do that others have to know: who forms quanta, commits, or distributes work.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/dim3.h"
#include "base/ids.h"
#include "base/lane_mask.h"
#include "isa/exec/memory_access.h"
#include "isa/exec/op.h"

namespace syncline::models {

/// A warp, where it runs and what it is a part of.
struct WarpIdentity {
  base::SmId sm;
  unsigned slot = 0;  ///< warp slot of the SM
  base::CtaSlot cta_slot;
  base::GridId grid;
  base::Dim3 cta{0, 0, 0};  ///< index in the grid
  unsigned index = 0;       ///< warp in its CTA
};

/// A memory instruction of a warp that goes to memory as line accesses. Valid during the call.
struct WarpMemory {
  const isa::MemoryAccess& access;
  std::uint32_t pc = 0;     ///< number of the instruction in its program
  std::size_t lines = 0;    ///< line accesses
  std::uint64_t order = 0;  ///< their Message::order
};

/// All default to nothing, so that a listener names only what it listens to. Called in the order in which things
/// happen in a cycle, at most one branch each when nobody listens.
class WarpEvents {
 public:
  virtual ~WarpEvents() = default;
  virtual void cta_launched(base::SmId, base::CtaSlot, base::GridId, base::Dim3 /*cta*/, unsigned /*warps*/) {}
  virtual void cta_ended(base::SmId, base::CtaSlot, base::GridId, base::Dim3 /*cta*/) {}
  virtual void warp_started(const WarpIdentity&) {}
  /// An instruction issued; the listener sees every one (quantum lengths are counted in instructions).
  virtual void issued(const WarpIdentity&, const isa::Op&, base::LaneMask) {}
  /// It is counted there; `waits`: nothing of it goes on until the barrier opens.
  virtual void at_barrier(const WarpIdentity&, unsigned /*barrier*/, bool /*waits*/) {}
  /// All have come to a barrier, whether anybody waits there or not; what comes from now on belongs to its next phase.
  /// `whole`: it is for all threads of the CTA that have not ended.
  virtual void barrier_passed(base::SmId, base::CtaSlot, unsigned /*barrier*/, bool /*whole*/) {}
  /// The warp waited for a barrier that is passed.
  virtual void barrier_opened(const WarpIdentity&, unsigned /*barrier*/) {}
  virtual void fence(const WarpIdentity&, isa::Scope, isa::Semantics) {}
  /// Lanes are in a transaction now, a region of isa::Warp that begins at the warp's next instruction. (Of nested ones
  /// only the outermost is told.) A policy has them begin, aborted and restored, when it may be, by LaneControl.
  virtual void transaction_begun(const WarpIdentity&, base::LaneMask) {}
  /// They wait at the end of theirs until a policy commits or aborts them; all others of their regions are aborted.
  virtual void transaction_arrived(const WarpIdentity&, base::LaneMask) {}
  /// It begins, and asks what its access says.
  virtual void memory_started(const WarpIdentity&, const WarpMemory&) {}
  /// All its line accesses are answered; the data of its access is what its lanes get, if they get anything.
  virtual void memory_answered(const WarpIdentity&, const WarpMemory&) {}
  /// A memory instruction is performed. At once, while it issues, where nothing of it goes to memory.
  virtual void memory_performed(const WarpIdentity&, const isa::Op&) {}
  /// An access to the CTA's shared memory takes effect now.
  virtual void shared_access(const WarpIdentity&, const isa::Op&, const isa::MemoryAccess&) {}
  virtual void exited(const WarpIdentity&) {}  ///< all lanes ended
};

}  // namespace syncline::models
