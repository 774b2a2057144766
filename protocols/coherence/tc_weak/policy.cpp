#include "protocols/coherence/tc_weak/tc_weak.h"

#include "protocols/coherence/tc_strong/tc_strong.h"

namespace syncline::protocols {

CoherencePolicy make_tc_weak(const TcSpec& keys, const CoherenceContext& context) {
  TcSpec spec = keys.with_own(TcPredictor::per_bank);
  spec.recycle_cycles = 0;  // no request waits for a lease
  CoherencePolicy policy = make_tc_strong(spec, context);
  policy.name = "tc_weak";
  policy.description =
      "As `tc_strong`, but a store is performed at once, while older copies may be read until their leases are over; a "
      "fence waits until then.";
  policy.messages = tc::messages(true);
  policy.seams = {{"L1 machine", "tc_weak L1"}, {"home machine", "tc_weak home"}};
  policy.at(Role::l1).table = tc_weak::l1_table(spec);
  policy.at(Role::home).table = tc_weak::home_table();
  policy.consistency = Consistency::wo;
  policy.copies_are_current = false;  // until their leases are over
  policy.cumulative_fences = spec.fence == TcFence::cumulative;
  policy.shows_stores_early = policy.cumulative_fences;  // `SM, Load`; fences of a warp promise nothing about others
  return policy;
}

}  // namespace syncline::protocols
