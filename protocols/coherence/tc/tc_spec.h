// The keys of Temporal Coherence, shared by its strong and its weak form.
//
// Sources: Singh et al., "Cache Coherence for GPU Architectures", HPCA 2013 (the protocols; the predictor at each L2
// bank); the RCC thesis, chapters 2 and 3 (as baselines) and the simulator that its authors released (cachelease2,
// cachelease2oo, cachelease3: the numbers).
#pragma once

#include <cstdint>

#include "base/fields.h"

namespace syncline::protocols {

/// Where what is learned about leases is kept. A predictor common to all banks is not among them: no part of a machine
/// sees what happens at all of them.
enum class TcPredictor { policy, fixed, per_bank, pc_adaptive };
/// What a fence of tc_weak waits for.
enum class TcFence { warp, cumulative };

inline const base::ChoiceTable<TcPredictor>& tc_predictor_names() {
  static const base::ChoiceTable<TcPredictor> names{{"policy", TcPredictor::policy},
                                                    {"fixed", TcPredictor::fixed},
                                                    {"per_bank", TcPredictor::per_bank},
                                                    {"pc_adaptive", TcPredictor::pc_adaptive}};
  return names;
}
inline const base::ChoiceTable<TcFence>& tc_fence_names() {
  static const base::ChoiceTable<TcFence> names{{"warp", TcFence::warp}, {"cumulative", TcFence::cumulative}};
  return names;
}

/// The keys `coherence.tc.*`. Times are ticks of the clock that all caches share: core cycles.
struct TcSpec {
  std::uint32_t lease = 800;
  TcPredictor predictor = TcPredictor::policy;
  std::uint32_t store_penalty = 64;
  std::uint32_t eviction_penalty = 16;
  std::uint32_t expired_reward = 1;
  std::uint32_t lease_floor = 0;
  std::uint32_t lease_ceiling = 1U << 16U;
  std::uint32_t recycle_cycles = 0;
  TcFence fence = TcFence::cumulative;

  /// The same with a policy's own predictor where no other is asked for.
  TcSpec with_own(TcPredictor own) const {
    TcSpec spec = *this;
    if (predictor == TcPredictor::policy) spec.predictor = own;
    return spec;
  }
  /// No lease that is granted is shorter. Of a spec that names its predictor.
  std::uint32_t least_lease() const {
    if (recycle_cycles != 0) return 0;  // it may end with another one
    return predictor == TcPredictor::fixed ? lease : lease_floor;
  }

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("lease", lease,
            param::latency("core", "length of a lease; where it is predicted, the first one", "RCC ch. 3: 800"));
    v.choice("predictor", predictor, tc_predictor_names(),
             param::text("policy: fixed for tc_strong, per_bank for tc_weak, as in the released simulator of RCC; "
                         "fixed: all leases are `lease`; per_bank: each L2 bank learns one length; pc_adaptive: each "
                         "bank learns a length for each of 32 classes of load instructions",
                         "Singh 2013"));
    v.field(
        "store_penalty", store_penalty,
        param::cycles("core", "by which a store to a line with a live lease shortens the next ones, down to `lease`",
                      "simulator of RCC"));
    v.field(
        "eviction_penalty", eviction_penalty,
        param::cycles("core", "by which the eviction of a line with a live lease from the L2 shortens the next ones",
                      "simulator of RCC"));
    v.field(
        "expired_reward", expired_reward,
        param::cycles("core", "by which a load that finds its line in the L1 with an ended lease lengthens the next",
                      "simulator of RCC"));
    v.field("lease_floor", lease_floor, param::latency("core", "a predicted lease is no shorter", "simulator of RCC"));
    v.field("lease_ceiling", lease_ceiling, param::latency("core", "a predicted lease is no longer", "choice"));
    v.field("recycle_cycles", recycle_cycles,
            param::latency("core",
                           "tc_strong; penalty of a store or atomic that must wait for leases and goes to the back of "
                           "its queue: other requests pass it, also loads of its line by other L1s, whose leases end "
                           "no later than those it waits for; 0: it waits at the head",
                           "0: Singh 2013; simulator of RCC: 10 cycles of the crossbar"));
    v.choice("fence", fence, tc_fence_names(),
             param::text(
                 "tc_weak; cumulative: a fence waits until the writes of its SM, and those that the SM has read, are "
                 "seen everywhere, as the PTX memory model asks of it; warp: until those of its own warp are, as in "
                 "the paper, which keeps the order at each location and no more",
                 "choice; Singh 2013"));
    v.require(lease_floor <= lease && lease <= lease_ceiling, "lease",
              "must lie between `lease_floor` and `lease_ceiling`");
  }
};

}  // namespace syncline::protocols
