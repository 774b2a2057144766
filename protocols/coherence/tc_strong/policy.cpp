#include "protocols/coherence/tc_strong/tc_strong.h"

namespace syncline::protocols {

CoherencePolicy make_tc_strong(const TcSpec& keys, const CoherenceContext& context) {
  const TcSpec spec = keys.with_own(TcPredictor::fixed);
  CoherencePolicy policy;
  policy.name = "tc_strong";
  policy.description =
      "Leases by a clock that all caches share: copies in L1s end by themselves, and a store waits at the home until "
      "the leases of its line are over.";
  policy.networks = {"requests", "replies; both keep the order of a pair of nodes"};
  policy.messages = tc::messages(false);
  policy.seams = {{"L1 machine", "tc_strong L1"}, {"home machine", "tc_strong home"}};
  policy.roles = {{Role::l1, tc_strong::l1_table(),
                   [spec, context](auto table) { return tc::make_l1(std::move(table), spec, context); }},
                  {Role::home, tc_strong::home_table(spec.recycle_cycles != 0),
                   [spec, context](auto table) { return tc::make_home(std::move(table), spec, context); }}};
  policy.physical_leases = true;
  policy.least_lease = spec.least_lease();
  policy.recycle_ps = spec.recycle_cycles * context.tick_ps;
  return policy;
}

}  // namespace syncline::protocols
