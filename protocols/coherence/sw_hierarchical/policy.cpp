#include <utility>

#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/sw_hierarchical/machines.h"

namespace syncline::protocols {
namespace {

/// Behind those of `sw`. What only answers takes no room of what asks.
constexpr MessageKind more_kinds[] = {
    of_node(
        {"RELEASE", TrafficClass::control, 0, Payload::none, "a release of the system goes to the L2 of its module"}),
    of_node({"ACQUIRE", TrafficClass::control, 0, Payload::none, "an acquire does; FENCE, of the system: as both"}),
    of_node({"EMPTY", TrafficClass::control, 3, Payload::none, "give up what this module is the GPU's home of"}),
    of_node({"EMPTIED", TrafficClass::control, 2, Payload::none, "done"}),
    at_once(of_node({"ASK_STORED", TrafficClass::control, 3, Payload::none, "is performed what was passed on?"})),
    at_once(of_node({"STORED", TrafficClass::store_ack, 2, Payload::none, "all that is performed"})),
};

}  // namespace

std::vector<MessageKind> sw_hierarchical::messages() {
  std::vector<MessageKind> kinds = sw::messages();
  append(kinds, more_kinds);
  return kinds;
}

CoherencePolicy make_sw_hierarchical(const NhccSpec& spec, const CoherenceContext& context) {
  CoherencePolicy policy = make_sw(spec, context);
  policy.name = "sw_hierarchical";
  policy.description =
      "As `sw`, with a home in each GPU, which caches for the GPU's modules and performs what has the scope of the "
      "GPU: "
      "who acquires for the system empties the homes of its GPU, too.";
  policy.networks = {"requests", "replies", "answers between modules", "questions of acquires and releases"};
  policy.messages = sw_hierarchical::messages();
  policy.seams = {{"L1 machine", "sw_hierarchical L1"},
                  {"GPM machine", "sw GPM"},
                  {"GPU home machine", "sw_hierarchical GPU home"},
                  {"home machine", "sw_hierarchical home"}};
  RoleMachine& gpm = policy.at(Role::gpm);
  gpm.table = std::make_shared<const TransitionTable>(gpm.table->renamed("sw_hierarchical", policy.messages));
  const ModuleGrid grid = context.grid;
  policy.roles = {{Role::l1, sw_hierarchical::l1_table(), sw_hierarchical::make_l1},
                  gpm,
                  {Role::gpu_home, sw_hierarchical::gpu_home_table(),
                   [grid](auto table) { return sw_hierarchical::make_gpu_home(std::move(table), grid); }},
                  {Role::home, sw_hierarchical::home_table(),
                   [grid](auto table) { return sw_hierarchical::make_home(std::move(table), grid); }}};
  return policy;
}

}  // namespace syncline::protocols
