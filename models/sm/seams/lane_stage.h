// Seam: a memory instruction of a warp with its lanes, in front of the coalescer and of shared memory. It goes through
// an ordered chain of stages, whatever its space is; what they let pass is coalesced or served as without them. The
// logs of transactions, conflicts within a warp and transactions in shared memory are such stages. What happens to
// single lines on their way to the L1 is the next seam's (memory_stage.h).
//
// Stages see loads, stores, atomics and reductions, after their addresses have been found good, and not prefetches: who
// drops a hint answers to nobody.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/lane_mask.h"
#include "isa/exec/memory_access.h"
#include "models/sm/l1_interface.h"
#include "models/sm/seams/lane_control.h"
#include "models/sm/seams/warp_events.h"

namespace syncline::models {

class LaneStage;
struct GridLaunch;

/// Names an instruction until it is performed; no other instruction of the SM ever has the same.
using LaneTicket = std::uint64_t;

/// A memory instruction while it is offered to a stage. The stage says of each lane, once, what becomes of it, or holds
/// the instruction; a lane of which it says nothing, or two things, is a ModelError that names the stage.
class LaneOffer {
 public:
  virtual ~LaneOffer() = default;
  /// One state space (never generic). `lanes`: those of which this stage has said nothing yet.
  virtual const isa::MemoryAccess& access() const = 0;
  virtual const WarpIdentity& warp() const = 0;
  virtual std::uint32_t pc() const = 0;  ///< number of the instruction in its program
  virtual LaneTicket ticket() const = 0;
  /// For messages: the instruction, with its place in the program's text, and the warp.
  virtual std::string where() const = 0;

  /// They go on to the next stage; behind the last one to memory.
  virtual void pass(base::LaneMask lanes) = 0;
  /// They are answered with `values`: lane after lane, access().stride bytes apart, as memory would hold them; null
  /// where the instruction brings none. The registers have them at `at`, when the instruction is performed, too, unless
  /// other lanes of it take longer.
  virtual void answer(base::LaneMask lanes, const std::uint8_t* values, base::Cycle at) = 0;
  /// The stage answers them later (LaneChain::answer). The warp goes on meanwhile, as behind a load from memory.
  virtual void keep(base::LaneMask lanes) = 0;
  /// Nothing happens for them: no access, no change of a register.
  virtual void drop(base::LaneMask lanes) = 0;
  /// The lanes of which the stage says nothing wait until LaneChain::retry, and are offered to it again. The warp
  /// issues nothing until then, others of the SM do; lanes that pass wait with them, others are answered meanwhile.
  virtual void hold() = 0;

  /// A lane that passes does so with another address of the same space.
  virtual void redirect(unsigned lane, std::uint64_t address) = 0;
  /// What passes takes this much longer: the value of a load from shared memory comes, and the first line access of
  /// other spaces leaves so many cycles later. Sums up over stages.
  virtual void delay(base::Cycle cycles) = 0;
  /// The load/store unit is busy for so many cycles more, as with bank conflicts. Sums up over stages.
  virtual void occupy(base::Cycle cycles) = 0;
};

/// What a stage can do outside an offer. The SM's lane path implements it.
class LaneChain {
 public:
  virtual ~LaneChain() = default;
  /// Lanes that the stage keeps are answered, as by LaneOffer::answer.
  virtual void answer(const LaneStage& stage, LaneTicket ticket, base::LaneMask lanes, const std::uint8_t* values,
                      base::Cycle at) = 0;
  /// The instruction of the warp in `slot` that is held is offered again, in cycle `at` or as soon as may be: one held
  /// instruction of the SM a cycle, the one held longest first, when the load/store unit is free.
  virtual void retry(unsigned slot, base::Cycle at = 0) = 0;
  /// A request for the stage to fill in and `send`: lines of its own, in local memory for instance.
  virtual Message& make_request(MessageClass message_class, L1Kind kind) = 0;
  /// `request` goes through the memory stages to the L1, in front of the line accesses that wait there, one a cycle.
  /// Its reply comes to LaneStage::replied with `token`; no reply comes where it is `posted`.
  virtual void send(LaneStage& stage, Message& request, std::uint32_t token) = 0;
  /// The shared memory of the CTA in a slot.
  virtual std::vector<std::uint8_t>& shared(base::CtaSlot cta) = 0;
  /// The launch of which it is a part.
  virtual const GridLaunch& grid(base::CtaSlot cta) const = 0;
};

/// An instruction that is held or kept has one of the entries of `sm.memory.instructions`. Who holds warps until others
/// have done something must leave entries for these others.
class LaneStage {
 public:
  virtual ~LaneStage() = default;
  /// For messages.
  virtual std::string_view name() const = 0;
  /// Called once, before simulation starts.
  virtual void attach(LaneChain& chain, LaneControl& control) { (void)chain, (void)control; }
  /// The instructions of a warp come in program order. Called while the instruction issues, and when it is retried.
  virtual void offer(LaneOffer& offer, base::Cycle now) = 0;
  /// The reply to a request that the stage sent; valid during the call.
  virtual void replied(std::uint32_t token, const Message& reply, base::Cycle now) {
    (void)token, (void)reply, (void)now;
  }
  /// Somebody aborted these lanes of a warp (LaneControl::abort): the stage keeps none of them any more, and answers
  /// none.
  virtual void aborted(unsigned slot, base::LaneMask lanes) { (void)slot, (void)lanes; }
  /// Of these lanes, which execute an instruction of memory together, some have bad addresses; nothing has become of
  /// it. True: the stage has aborted all of them, for it is not sure that they did what a program does; false: the run
  /// ends.
  virtual bool excuses(unsigned slot, base::LaneMask lanes) { return (void)slot, (void)lanes, false; }
  /// What is left over at the end of a run, one line each.
  virtual std::vector<std::string> left_over() const { return {}; }
};

}  // namespace syncline::models
