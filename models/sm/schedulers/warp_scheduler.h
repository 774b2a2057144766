// Which of the warps that could issue now does: the scheduling policy of one of an SM's schedulers.
#pragma once

#include <cstdint>
#include <memory>

#include "base/fields.h"
#include "base/ids.h"
#include "models/sm/warp_mask.h"

namespace syncline::models {

enum class SchedulerPolicy : std::uint8_t { lrr, gto, two_level };

/// The registry: every policy by its name in the configuration.
const base::ChoiceTable<SchedulerPolicy>& scheduler_policies();

/// What the policies can be tuned with.
struct SchedulerSpec {
  SchedulerPolicy policy = SchedulerPolicy::lrr;
  std::uint32_t active_warps = 8;         ///< two_level: size of the active set of one scheduler
  std::uint32_t starvation_limit = 1000;  ///< cycles

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice("policy", policy, scheduler_policies(),
             param::text("order in which ready warps issue", "GPUDet T5.2 and RCC T3.3: lrr; GETM T4.2: gto"));
    v.field("active_warps", active_warps,
            param::count("two_level: warps in the active set of each scheduler", "choice: Narasiman et al. 2011 use 8")
                .between(1, max_warp_slots));
    v.field("starvation_limit", starvation_limit,
            param::cycles("core",
                          "a warp that could not issue for this long goes first: under gto and two_level of its "
                          "scheduler, always of those that wait for the same pipeline or for the way to memory",
                          "choice: above a DRAM access, below what a spin loop may cost")
                .at_least(1));
  }
};

/// One scheduler's policy. It sees only the slots that belong to its scheduler.
class WarpScheduler {
 public:
  virtual ~WarpScheduler() = default;
  /// One of `candidates` (never empty). `stalled` are the scheduler's warps that wait for something long: memory, a
  /// barrier, a fence. May be asked again in the same cycle when a gate denies the choice.
  virtual unsigned pick(WarpMask candidates, WarpMask stalled, base::Cycle now) = 0;
  /// The warp in `slot` issued.
  virtual void issued(unsigned slot) = 0;
  /// A warp starts in `slot`; warps start in ascending order of age. A slot is reused only after `ended`.
  virtual void started(unsigned slot) = 0;
  virtual void ended(unsigned slot) = 0;
};

/// A policy that goes round the slots begins with slot `first`.
std::unique_ptr<WarpScheduler> make_warp_scheduler(const SchedulerSpec& spec, unsigned first = 0);

/// Lets nobody starve under a policy that could ignore a warp for ever (an old warp that spins on what a young one has
/// to do). Time is cut into spans of `limit` cycles: who had no turn in a whole span goes first in the next.
class StarvationGuard {
 public:
  explicit StarvationGuard(base::Cycle limit) : limit_(limit), span_end_(limit) {}
  void started(unsigned slot) { resident_ |= warp_bit(slot); }
  void ended(unsigned slot) {
    resident_ &= ~warp_bit(slot);
    unserved_ &= resident_;
    starving_ &= resident_;
  }
  void issued(unsigned slot) {
    unserved_ &= ~warp_bit(slot);
    starving_ &= ~warp_bit(slot);
  }
  /// The candidates that starve, or all of them.
  WarpMask filter(WarpMask candidates, base::Cycle now) {
    if (now >= span_end_) {
      starving_ = unserved_;
      unserved_ = resident_;
      span_end_ = now + limit_;
    }
    const WarpMask starving = candidates & starving_;
    return starving != 0 ? starving : candidates;
  }

 private:
  base::Cycle limit_, span_end_;
  WarpMask resident_ = 0, unserved_ = 0, starving_ = 0;
};

}  // namespace syncline::models
