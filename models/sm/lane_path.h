// The way of memory instructions through the lane stages of an SM (seams/lane_stage.h): which lanes are where, which
// instruction is held, when one is performed of which stages answer some lanes and memory others.
//
// An instruction whose lanes all pass at once takes no state here beyond the call. One of which a stage answers, keeps
// or holds lanes is under way from then on (MemoryInstruction::staged): its entry of the memory path's table is taken,
// its registers wait, fences wait for it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/stats.h"
#include "models/sm/memory_path.h"
#include "models/sm/numbered.h"
#include "models/sm/seams/lane_stage.h"
#include "models/sm/warp_mask.h"

namespace syncline::models {

/// What the owner of a lane path does for it.
class LanePathOwner {
 public:
  virtual ~LanePathOwner() = default;
  /// The instruction in the memory path's next entry is under way from now on.
  virtual void staged(MemoryInstruction& instruction) = 0;
  /// The warp in `slot` issues nothing while an instruction of it is held.
  virtual void lanes_held(unsigned slot, bool held) = 0;
  /// It has passed all stages, and `access.lanes`, if any, are left for memory. `occupied`: what stages add to the time
  /// that it occupies the load/store unit. `again`: it was held, and takes the unit a second time.
  virtual void lanes_passed(MemoryInstruction& instruction, base::Cycle occupied, bool again) = 0;
  virtual std::vector<std::uint8_t>& shared_memory(base::CtaSlot cta) = 0;
  virtual const GridLaunch& grid_of(base::CtaSlot cta) const = 0;
  /// The instruction in its program, and whose it is.
  virtual std::string describe(const MemoryInstruction& instruction) const = 0;
  /// There is something to do at `cycle`.
  virtual void lanes_wake(base::Cycle cycle) = 0;
};

struct LanePathStatistics {
  base::Counter instructions, answered, dropped;
  base::Distribution held;
};

class LanePath final : public LaneChain {
 public:
  /// `entries`: of the table of `path`; `slots`: warp slots.
  LanePath(MemoryPath& path, std::size_t entries, unsigned slots, std::vector<std::shared_ptr<LaneStage>> stages,
           LaneControl& control, LanePathOwner& owner);

  /// The instruction in the path's next entry issues. Its lanes access `window` bytes of shared or local memory.
  void begin(MemoryInstruction& instruction, const WarpIdentity& warp, std::uint64_t window, base::Cycle now);
  /// An instruction that is staged has all its values at `at`, as far as memory brings them.
  void values_at(MemoryInstruction& instruction, base::Cycle at);
  /// Its line accesses are answered; its registers have the values at `registers`.
  void parts_answered(MemoryInstruction& instruction, base::Cycle registers, base::Cycle now);
  /// False: it is no reply to what a stage has sent.
  bool replied(Message& reply, base::Cycle now);
  /// When the registers of an instruction that is performed have their values.
  base::Cycle registers_at(const MemoryInstruction& instruction) const {
    return states_[instruction.index].registers_at;
  }
  /// Instructions that have not been performed, as far as stages still have a say in them.
  template <class Visit>
  void for_each_offered(Visit&& visit) const {
    for (const State& state : states_)
      if (state.ticket != 0) visit(*state.instruction);
  }
  /// LaneControl::abort: these lanes leave the instructions of the warp that are here.
  void abort(unsigned slot, base::LaneMask lanes);

  /// Ends what is due to end.
  void deliver(base::Cycle now);
  /// Next end that is known, or base::never.
  base::Cycle next_end() const { return ends_.empty() ? base::never : ends_.front().cycle; }
  /// First cycle in which a held instruction is to be offered again, or base::never.
  base::Cycle next_offer() const;
  /// Offers one again. The load/store unit is free, and the path's queue has room.
  void advance(base::Cycle now);

  const LanePathStatistics& statistics() const { return statistics_; }
  std::vector<std::string> left_over() const;

  // LaneChain
  void answer(const LaneStage& stage, LaneTicket ticket, base::LaneMask lanes, const std::uint8_t* values,
              base::Cycle at) override;
  void retry(unsigned slot, base::Cycle at) override;
  Message& make_request(MessageClass message_class, L1Kind kind) override {
    return path_.make_request(message_class, kind);
  }
  void send(LaneStage& stage, Message& request, std::uint32_t token) override;
  std::vector<std::uint8_t>& shared(base::CtaSlot cta) override { return owner_.shared_memory(cta); }
  const GridLaunch& grid(base::CtaSlot cta) const override { return owner_.grid_of(cta); }

 private:
  class Offer;
  /// Of an instruction, by its index in the table.
  struct State {
    MemoryInstruction* instruction = nullptr;
    LaneTicket ticket = 0;  ///< 0: nothing of it is here
    WarpIdentity warp;
    std::uint64_t window = 0;
    std::size_t stage = 0;             ///< that it is offered to
    base::LaneMask passing = 0;        ///< past this stage; `access.lanes` are those of which it has said nothing yet
    std::vector<base::LaneMask> kept;  ///< by stage
    base::LaneMask all_kept = 0;
    bool held = false, passed = false;
    base::Cycle held_since = 0;
    base::Cycle ready_at = 0, registers_at = 0;  ///< of the answers so far, the latest
    base::Cycle occupied = 0;
  };
  struct End {
    base::Cycle cycle = 0;
    LaneTicket ticket = 0;
    friend bool operator<(const End& a, const End& b) {  // std::push_heap puts the greatest first
      return a.cycle != b.cycle ? a.cycle > b.cycle : a.ticket > b.ticket;
    }
  };
  struct Sent {
    LaneStage* stage = nullptr;
    std::uint32_t token = 0;
  };

  void go_on(State& state, base::Cycle now);
  void hold(State& state, base::Cycle now);
  void passed(State& state, base::Cycle now);
  void stage(State& state);
  void take_answer(const LaneStage& stage, State& state, base::LaneMask lanes, const std::uint8_t* values,
                   base::Cycle at);
  void may_end(const State& state);
  void settle(State& state, base::Cycle now);
  std::size_t index_of(const LaneStage& stage) const;
  [[noreturn]] void fail(const LaneStage& stage, const State& state, const std::string& what) const;

  MemoryPath& path_;
  std::vector<std::shared_ptr<LaneStage>> stages_;
  LanePathOwner& owner_;
  std::vector<State> states_;
  std::uint64_t begun_ = 0;
  std::vector<State*> held_;           ///< the one held longest first
  std::vector<base::Cycle> retry_at_;  ///< by slot; never: the stage has not said so
  std::vector<End> ends_;              ///< a heap, earliest first
  Numbered<Sent> sent_;                ///< by tag
  LanePathStatistics statistics_;
};

}  // namespace syncline::models
