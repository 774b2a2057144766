// What an SM does for transactions, whichever memory detects their conflicts: has its warps begin, as many at a time as
// there are tokens, keeps their accesses out of the L1, aborts lanes, and has them begin again after a wait.
//
// A warp executes an attempt: lanes that run one transaction each, together. Lanes that come to a `tx.begin` while
// their warp cannot begin are sent back to it and wait. An attempt is over when each of its lanes has come to its end
// or has aborted, and whoever detects conflicts has decided; lanes that have aborted are those of the next attempt, and
// the warp keeps its token until none is left.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "models/block/block.h"
#include "models/sm/seams/lane_stage.h"
#include "models/sm/seams/warp_events.h"
#include "models/transactions/kept_accesses.h"
#include "models/transactions/log_lines.h"
#include "models/transactions/transaction_spec.h"

namespace syncline::models {

/// Where a core stands.
struct TransactionPlace {
  base::SmId sm;
  unsigned slots = 0;       ///< warp slots of the SM
  unsigned line_bytes = 0;  ///< of the L1
  std::uint64_t logs = 0;   ///< address of LogLines::bytes
};

class TransactionCore : public Block, public LaneStage, public WarpEvents, public Ticked {
 public:
  /// `causes`: why lanes abort, by the number that `abort_lanes` has.
  TransactionCore(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& core,
                  const TransactionSpec& spec, const TransactionPlace& place,
                  const std::vector<std::string_view>& causes);

  // LaneStage
  std::string_view name() const final { return Block::name(); }
  void attach(LaneChain& chain, LaneControl& control) override;
  void offer(LaneOffer& offer, base::Cycle now) final;
  void aborted(unsigned slot, base::LaneMask lanes) final { kept_.aborted(slot, lanes); }
  std::vector<std::string> left_over() const override;

  // WarpEvents
  void transaction_begun(const WarpIdentity& warp, base::LaneMask lanes) final;
  void transaction_arrived(const WarpIdentity& warp, base::LaneMask lanes) final;

  base::Cycle tick(base::Cycle now) final;

 protected:
  /// The policy has nothing against a new attempt of the warp in `slot`. Who said no calls `try_again`.
  virtual bool may_begin(unsigned slot) const = 0;
  virtual void begin(unsigned slot, base::LaneMask lanes) = 0;
  /// Lanes of an attempt that have not aborted access global memory: `offer` is to hear of each of `lanes`.
  virtual void access(LaneOffer& offer, base::LaneMask lanes, base::Cycle now) = 0;
  /// They have come to the end.
  virtual void arrived(unsigned slot, base::LaneMask lanes) = 0;
  /// What the policy has to do in a cycle of its own; the next one.
  virtual base::Cycle go_on(base::Cycle now) { return (void)now, base::never; }

  struct Attempt {
    base::LaneMask running = 0;  ///< neither aborted nor ended; those at the end included
    base::LaneMask arrived = 0;  ///< of these
    base::LaneMask aborted = 0;
    bool active = false;
  };
  const Attempt& attempt(unsigned slot) const { return warps_[slot].attempt; }
  /// Lanes of the attempt give up what they have done.
  void abort_lanes(unsigned slot, base::LaneMask lanes, std::size_t cause);
  /// The attempt is over: what has not aborted has committed.
  void attempt_ended(unsigned slot);
  /// Nobody has aborted for what he did himself: all lanes of the attempt begin again, at once.
  void give_up(unsigned slot, std::size_t cause);
  /// `may_begin` may answer otherwise.
  void try_again(unsigned slot) { start_if_possible(slot); }

  const WarpIdentity& identity(unsigned slot) const { return warps_[slot].identity; }
  LaneChain& chain() { return *chain_; }
  LaneControl& control() { return *control_; }
  KeptAccesses& kept() { return kept_; }
  LogLines& logs() { return logs_; }
  const TransactionPlace& place() const { return place_; }
  const ClockDomain& core() const { return core_; }
  base::Cycle now() const { return core_.now(); }

 private:
  struct WarpState {
    WarpIdentity identity;
    Attempt attempt;
    base::LaneMask waiting = 0;  ///< lanes at the begin
    bool has_token = false, wants_token = false;
    unsigned retries = 0;        ///< attempts one after the other that aborted lanes
    unsigned fruitless = 0;      ///< of these without a commit
    unsigned aborts = 0;         ///< of `retries` those that were not given up
    base::Cycle not_before = 0;  ///< back-off
    base::Cycle since = 0;       ///< of the attempt, or of the wait
  };
  void start_if_possible(unsigned slot);
  bool take_token(unsigned slot);
  void give_token(unsigned slot);
  void start(unsigned slot);
  /// What comes to an attempt however it ends. ProgramFault: too many have had no commit.
  Attempt end_attempt(unsigned slot);
  base::Cycle backoff(const WarpState& state);
  [[noreturn]] void throw_livelock(unsigned slot) const;

  const TransactionSpec spec_;
  const TransactionPlace place_;
  const ClockDomain& core_;
  LaneChain* chain_ = nullptr;
  LaneControl* control_ = nullptr;
  KeptAccesses kept_;
  LogLines logs_;
  base::Random random_;
  std::vector<WarpState> warps_;
  std::deque<unsigned> token_queue_;
  unsigned tokens_;

  base::Counter attempts_, begun_, committed_;
  std::vector<base::Counter> aborted_;  ///< by cause
  base::Distribution executed_, waited_, retries_;
};

}  // namespace syncline::models
