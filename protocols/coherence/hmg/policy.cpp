#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/hmg/machines.h"

namespace syncline::protocols {
namespace {

/// Behind those of `nhcc`.
constexpr MessageKind more_kinds[] = {
    at_once(of_node({"ASK_STORED", TrafficClass::control, 3, Payload::none,
                     "a module releases to the system, and asks what its GPU has passed on"})),
    at_once(of_node({"STORED", TrafficClass::store_ack, 2, Payload::none, "all that is performed"})),
};

}  // namespace

std::vector<MessageKind> hmg::messages() {
  std::vector<MessageKind> kinds = nhcc::messages();
  append(kinds, more_kinds);
  return kinds;
}

CoherencePolicy make_hmg(const NhccSpec& spec, const CoherenceContext& context) {
  CoherencePolicy policy = make_nhcc(spec, context);
  policy.name = "hmg";
  policy.description =
      "As `nhcc`, with a home in each GPU: it caches for the GPU's modules, tells them what is invalidated, and "
      "performs "
      "what has the scope of the GPU.";
  policy.messages = hmg::messages();
  policy.seams = {{"L1 machine", "nhcc L1"},
                  {"GPM machine", "nhcc GPM"},
                  {"GPU home machine", "hmg GPU home"},
                  {"home machine", "hmg home"}};
  for (RoleMachine& one : policy.roles)
    one.table = std::make_shared<const TransitionTable>(one.table->renamed("hmg", hmg::messages()));
  RoleMachine& home = policy.at(Role::home);
  home.table = hmg::home_table();
  home.make = [grid = context.grid](auto table) { return hmg::make_home(std::move(table), grid); };
  const RoleMachine gpu_home{Role::gpu_home, hmg::gpu_home_table(), hmg::make_gpu_home, home.directory};
  policy.roles.insert(policy.roles.end() - 1, gpu_home);
  return policy;
}

}  // namespace syncline::protocols
