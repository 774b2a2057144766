// The share of an SM in GPU-LocalTM: its wavefronts' transactions on the shared memory of their CTAs ([LocalTM]), or,
// where nothing detects conflicts, one lane of a CTA at a time.
//
// A wavefront executes an attempt: lanes that run one transaction each, together. An access asks the banks before it
// happens; lanes that conflict abort at once, and the others go on. When all that are left have come to the end they
// commit, and those that have aborted are the next attempt, as protocols/transactions/local/wavefront.h decides. Who
// wants to be alone in the work-group waits in a queue; the first in it has all others give up.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/block/block.h"
#include "models/sm/bank_conflicts.h"
#include "models/sm/seams/lane_stage.h"
#include "models/sm/seams/warp_events.h"
#include "models/transactions/local/local_memory.h"
#include "models/transactions/local/local_plan.h"
#include "models/transactions/local/local_teller.h"
#include "protocols/transactions/local/wavefront.h"

namespace syncline::models {

/// Where a core stands.
struct LocalPlace {
  unsigned slots = 0, cta_slots = 0;  ///< of the SM
  unsigned lanes = 0;                 ///< of a warp
  BankGeometry banks;
  GpuPlace gpu;
};

class LocalCore final : public Block, public LaneStage, public WarpEvents, public Ticked {
 public:
  /// Grids that have a LocalPlan are executed by it, others one lane of a CTA after the other.
  LocalCore(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& core, const LocalKeys& keys,
            const LocalPlace& place);

  // LaneStage
  std::string_view name() const override { return Block::name(); }
  void attach(LaneChain& chain, LaneControl& control) override;
  void offer(LaneOffer& offer, base::Cycle now) override;
  std::vector<std::string> left_over() const override;

  // WarpEvents
  void cta_launched(base::SmId sm, base::CtaSlot slot, base::GridId grid, base::Dim3 cta, unsigned warps) override;
  void warp_started(const WarpIdentity& warp) override;
  void issued(const WarpIdentity& warp, const isa::Op& op, base::LaneMask lanes) override;
  void transaction_begun(const WarpIdentity& warp, base::LaneMask lanes) override;
  void transaction_arrived(const WarpIdentity& warp, base::LaneMask lanes) override;
  void exited(const WarpIdentity& warp) override;

  base::Cycle tick(base::Cycle now) override;

  /// Of words: null where no grid had this detection, with how often it took each row.
  const protocols::local::WordMachine* machine(protocols::local::Detection detection) const;

 private:
  using Mode = protocols::local::Mode;
  /// Of a warp slot.
  struct WarpState {
    explicit WarpState(const protocols::local::LocalTmSpec& spec) : wavefront(spec) {}
    WarpIdentity identity;
    protocols::local::Wavefront wavefront;
    base::LaneMask later = 0;    ///< lanes at the begin of a transaction, while their warp is in one
    base::LaneMask arrived = 0;  ///< at the end
    Mode hardest = Mode::none;   ///< that the transaction has come to
    unsigned retries = 0, fruitless = 0;
    base::Cycle started = 0;        ///< of the warp
    base::Cycle since = 0;          ///< of the attempt, or of the wait for it
    base::Cycle arrived_since = 0;  ///< the first lane of the attempt
    base::Cycle not_before = 0;
  };
  /// Of a CTA slot.
  struct Group {
    const LocalPlan* plan = nullptr;  ///< null: nothing is detected
    protocols::local::LocalTmSpec machine;
    unsigned warps = 0;
    std::unique_ptr<LocalMemory> memory;  ///< null: no transaction yet, or nothing is detected
    unsigned inside = 0;                  ///< warps with an attempt
    std::deque<unsigned> alone;           ///< slots of warps that want to be; the first one is, or is about to be
  };

  Group& group_of(const WarpState& state) { return groups_[state.identity.cta_slot.value()]; }
  protocols::local::WorkItem item(const WarpState& state, unsigned lane) const {
    return static_cast<protocols::local::WorkItem>(state.identity.index * place_.lanes + lane);
  }
  void enter(unsigned slot, base::LaneMask lanes);
  bool may_begin(unsigned slot);
  /// `sent_back`: its lanes have been at the begin before.
  void start(unsigned slot, bool sent_back);
  void start_if_possible(unsigned slot);
  /// Of these lanes those whose access is of what the grid's plan leaves alone: they pass. ProgramFault: they write.
  base::LaneMask untracked(const LaneOffer& offer, base::LaneMask lanes);
  void access(LaneOffer& offer, base::LaneMask lanes);
  void charge(LaneOffer& offer, base::LaneMask done, LocalMemory& memory);
  void end_if_complete(unsigned slot);
  void end(unsigned slot);
  void queue(unsigned slot);
  void quiesce(unsigned slot);
  void leave(WarpState& state);
  void count(const LocalMemory::Busy& busy);

  [[noreturn]] void fail(unsigned slot, const std::string& what) const;

  const LocalKeys keys_;
  const LocalPlace place_;
  const ClockDomain& core_;
  LaneChain* chain_ = nullptr;
  LaneControl* control_ = nullptr;
  std::map<protocols::local::Detection, protocols::local::WordMachine> machines_;  ///< that grids have had
  LocalTeller teller_;
  std::vector<WarpState> warps_;
  std::vector<Group> groups_;

  base::Counter attempts_, begun_, conflicts_, given_up_, second_looks_, backups_, restored_;
  std::array<base::Counter, 3> committed_;  ///< lanes, by the mode in which they did
  std::array<base::Counter, 3> ended_;      ///< transactions of warps, by the hardest mode that they came to
  base::Counter waits_, runs_, overhead_, at_end_, resident_;
  base::Distribution retries_;
};

}  // namespace syncline::models
