#include <utility>

#include "protocols/coherence/hmg/machines.h"
#include "protocols/coherence/ideal_remote/ideal_remote.h"
#include "protocols/coherence/sw/machines.h"

namespace syncline::protocols {
namespace {

using hmg::Message;

/// What is free must not queue behind what is not.
constexpr std::uint8_t questions = 3, invalidations = 4;

void make_free(MessageKind& kind, std::uint8_t network) {
  kind.ideal = true;
  kind.haste = Haste::always;
  kind.network = network;
}

}  // namespace

std::vector<MessageKind> ideal_remote::messages() {
  std::vector<MessageKind> kinds = hmg::messages();
  for (std::size_t i = static_cast<std::size_t>(Message::FENCE); i < kinds.size(); ++i) {
    const auto kind = static_cast<Message>(i);
    const bool in_order = kind == Message::INV || kind == Message::MARK || kind == Message::FENCED;
    make_free(kinds[i], in_order ? invalidations : kind == Message::FENCE ? questions : kinds[i].network);
  }
  return kinds;
}

std::shared_ptr<const TransitionTable> ideal_remote::gpm_table() {
  const auto base = sw::gpm_table(
      {"Inv", on::message(Message::INV), "another module writes the line, or its home's directory forgets it"});
  const Row gone{sw::GpmState::I, sw::GpmEvent::Drop, {}, sw::GpmState::I, "the copy had left silently"};
  return std::make_shared<const TransitionTable>(
      base->overlaid(base->vocabulary(), {gone}).renamed("ideal_remote", messages()));
}

CoherencePolicy make_ideal_remote(const NhccSpec& spec, const CoherenceContext& context) {
  CoherencePolicy policy = make_hmg(spec, context);
  policy.name = "ideal_remote";
  policy.description =
      "As `hmg`, but messages about coherence take one cycle and no bandwidth, and each line has a directory entry of "
      "its "
      "own: a bound of what L2s gain by copies of other modules' lines.";
  policy.networks[1] = "replies";
  policy.networks.emplace_back("invalidations and markers, in order, free");
  policy.messages = ideal_remote::messages();
  policy.seams = {{"L1 machine", "nhcc L1"},
                  {"GPM machine", "ideal_remote GPM"},
                  {"GPU home machine", "ideal_remote GPU home"},
                  {"home machine", "hmg home"},
                  {"networks", "free messages"}};
  for (const Role& role : {Role::l1, Role::home}) {
    RoleMachine& one = policy.at(role);
    one.table = std::make_shared<const TransitionTable>(one.table->renamed("ideal_remote", policy.messages));
  }
  for (RoleMachine& one : policy.roles) {
    if (one.directory) one.directory = {spec.directory_sets * spec.directory_lines, spec.directory_ways, 1, true};
  }
  RoleMachine& gpm = policy.at(Role::gpm);
  gpm.table = ideal_remote::gpm_table();
  gpm.make = [](auto table) { return std::make_unique<sw::GpmMachine>(std::move(table)); };
  RoleMachine& gpu_home = policy.at(Role::gpu_home);
  gpu_home.table = ideal_remote::gpu_home_table();
  gpu_home.make = ideal_remote::make_gpu_home;
  return policy;
}

}  // namespace syncline::protocols
