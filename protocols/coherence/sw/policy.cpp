#include <utility>

#include "protocols/coherence/sw/machines.h"

namespace syncline::protocols {

std::vector<MessageKind> sw::messages() {
  std::vector<MessageKind> kinds = nhcc::messages();
  kinds.resize(static_cast<std::size_t>(nhcc::Message::INV));
  return kinds;
}

CoherencePolicy make_sw(const NhccSpec& spec, const CoherenceContext& context) {
  CoherencePolicy policy = nhcc::of_modules("sw", spec, context);
  policy.description =
      "Between modules: L2s cache lines of other modules, which software keeps as it keeps L1s: who acquires for more "
      "than the CTA empties the L2 of its module of them.";
  policy.networks = {"requests", "replies"};
  policy.messages = sw::messages();
  policy.seams = {{"L1 machine", "nhcc L1"}, {"GPM machine", "sw GPM"}, {"home machine", "sw home"}};
  policy.roles = {
      {Role::l1, std::make_shared<const TransitionTable>(nhcc::l1_table()->renamed("sw", policy.messages)),
       [](auto table) {
         return std::make_unique<nhcc::L1Machine>(std::move(table), nhcc::FenceAsks{std::nullopt, Scope::gpu});
       }},
      {Role::gpm, sw::gpm_table(), [](auto table) { return std::make_unique<sw::GpmMachine>(std::move(table)); }},
      {Role::home, sw::home_table(), [](auto table) { return std::make_unique<sw::HomeMachine>(std::move(table)); }}};
  policy.shows_stores_early = true;
  policy.copies_are_current = false;
  return policy;
}

}  // namespace syncline::protocols
