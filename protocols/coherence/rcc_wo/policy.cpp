#include "protocols/coherence/rcc_wo/rcc_wo.h"

namespace syncline::protocols {
namespace {

/// The table of `rcc` under another name: the rows are the same, what differs is the clock that they mean.
std::shared_ptr<const TransitionTable> renamed(const TransitionTable& table) {
  Vocabulary words = table.vocabulary();
  words.protocol = "rcc_wo";
  return std::make_shared<const TransitionTable>(table.overlaid(words, {}));
}

}  // namespace

CoherencePolicy make_rcc_wo(const RccSpec& spec, const CoherenceContext& context) {
  CoherencePolicy policy = make_rcc(spec, context);
  policy.name = "rcc_wo";
  policy.description =
      "RCC, weakly ordered: loads and stores each have a logical clock, which a fence brings together.";
  policy.seams = {{"L1 machine", "rcc L1, two views"}, {"home machine", "rcc home"}};
  for (RoleMachine& one : policy.roles) one.table = renamed(*one.table);
  policy.at(Role::l1).make = [spec, tick_ps = context.tick_ps](auto table) {
    return rcc::make_l1(std::move(table), spec, rcc_wo::two_views, tick_ps);
  };
  policy.consistency = Consistency::wo;
  return policy;
}

}  // namespace syncline::protocols
