#include "protocols/coherence/rcc_wo/rcc_wo.h"

namespace syncline::protocols {
CoherencePolicy make_rcc_wo(const RccSpec& spec, const CoherenceContext& context) {
  CoherencePolicy policy = make_rcc(spec, context);
  policy.name = "rcc_wo";
  policy.description =
      "RCC, weakly ordered: loads and stores each have a logical clock, which a fence brings together.";
  policy.seams = {{"L1 machine", "rcc L1, two views"}, {"home machine", "rcc home"}};
  for (RoleMachine& one : policy.roles)  // the rows are the same, what differs is the clock that they mean
    one.table = std::make_shared<const TransitionTable>(one.table->renamed("rcc_wo", policy.messages));
  policy.at(Role::l1).make = [spec, tick_ps = context.tick_ps](auto table) {
    return rcc::make_l1(std::move(table), spec, rcc_wo::two_views, tick_ps);
  };
  policy.consistency = Consistency::wo;
  return policy;
}

}  // namespace syncline::protocols
