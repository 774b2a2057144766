// One lock for all transactions of a GPU: the share of one SM in it. Nobody's transaction is ever taken back, so it
// needs no log; whatever a transactional memory is faster than is a lower bound of what it is good for.
//
// All lanes of a warp that come to the begin of a transaction are sent back to it, and wait. The SM takes the lock for
// its warps in the order in which they came, each time for one lane, which then goes on by itself until it is at its
// commit. The lock is one of tickets in global memory, so that SMs have it in the order in which they asked: an atomic
// draws a number; atomics look whether it is its turn, after waits that grow with how many are before it; a store lets
// the next one in. What the lane does between is ordered as a program with a lock in PTX would have it ordered: a fence
// of the GPU behind the lock, accesses that no L1 may answer by itself (`.relaxed`, scope gpu), and before the lock is
// given back the wait until all of the warp's accesses are performed, and a fence.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/fields.h"
#include "models/block/block.h"
#include "models/sm/l1_interface.h"
#include "models/sm/seams/fence_rule.h"
#include "models/sm/seams/lane_stage.h"
#include "models/sm/seams/memory_stage.h"
#include "models/sm/seams/warp_events.h"
#include "models/transactions/lane_teller.h"

namespace syncline::models {

/// The keys `transactions.global_lock.*`.
struct GlobalLockSpec {
  std::uint32_t backoff = 100;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("backoff", backoff,
            param::cycles("core", "before an SM looks at the lock again, for each ticket that is before its own",
                          "choice: some part of the time that a short transaction has the lock")
                .between(1, 1'000'000));
  }
};

class GlobalLock final : public Block, public MemoryStage, public WarpEvents {
 public:
  /// Bytes of global memory that the lock takes, zeros at first.
  static constexpr std::uint64_t bytes = 8;

  /// `address`: of the lock, in a line of its own. `slots`: warp slots of the SM. `place`: of the SM.
  GlobalLock(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& core,
             const GlobalLockSpec& spec, base::LineAddress address, unsigned slots, GpuPlace place = {});

  /// What fences cost on this machine; and the part of this that can send lanes back. Once, before simulation starts.
  void use(std::shared_ptr<FenceRule> fences) { fences_ = std::move(fences); }
  static std::shared_ptr<LaneStage> control_of(const std::shared_ptr<GlobalLock>& lock);

  // MemoryStage
  void attach(MemoryChain& chain) override { chain_ = &chain; }
  Offer offer(Message& request, base::Cycle now) override;
  bool reply(Message& reply, base::Cycle now) override;
  std::vector<std::string> left_over() const override;

  // WarpEvents
  void transaction_begun(const WarpIdentity& warp, base::LaneMask lanes) override;
  void transaction_arrived(const WarpIdentity& warp, base::LaneMask lanes) override;
  void memory_started(const WarpIdentity& warp, const WarpMemory& memory) override;
  void memory_answered(const WarpIdentity& warp, const WarpMemory& memory) override;

 private:
  class Control;
  enum class Step : std::uint8_t {
    idle,
    draw,  ///< an atomic draws a ticket
    look,  ///< an atomic reads whose turn it is
    back_off,
    enter,    ///< what the warp did before is being performed
    acquire,  ///< fence
    run,      ///< the lane is in its transaction
    leave,    ///< what the warp did is being performed
    release,  ///< fence
    open      ///< the store that lets the next one in
  };
  /// A memory instruction of a warp that has line accesses under way.
  struct Access {
    std::uint64_t order = 0;
    bool transactional = false;
  };
  /// Of a warp slot.
  struct WarpState {
    base::LaneMask waiting = 0;  ///< lanes at the begin of a transaction
    WarpIdentity warp;           ///< if there are any
    std::vector<Access> accesses;
  };

  void next_warp();
  void look();
  bool turn(std::uint32_t serving, Message& reply, base::Cycle now);
  void drain(Step step);
  void drained();
  void run();
  void open();
  void opened(base::Cycle now);
  Message& atomic(unsigned offset, isa::AtomicOp op, std::uint32_t operand);
  void send(Message& message, Step step);
  bool is_transactional(const Message& request) const;

  const GlobalLockSpec& spec_;
  const base::LineAddress line_;
  const ClockDomain& core_;
  std::shared_ptr<FenceRule> fences_;
  MemoryChain* chain_ = nullptr;
  LaneControl* control_ = nullptr;
  LaneTeller teller_;

  std::vector<WarpState> warps_;
  std::deque<unsigned> queue_;  ///< slots with lanes that wait; the first has the lock or is about to
  Step step_ = Step::idle;
  std::uint32_t ticket_ = 0;
  base::LaneMask lane_ = 0;        ///< that has the lock
  std::uint64_t drain_up_to_ = 0;  ///< order of the last access that is waited for
  base::Cycle asked_at_ = 0, got_at_ = 0;

  base::Counter transactions_, looks_, fences_sent_;
  base::Distribution waited_, held_;
};

}  // namespace syncline::models
