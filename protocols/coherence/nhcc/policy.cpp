#include <algorithm>

#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/nhcc/machines.h"

namespace syncline::protocols {
namespace {

/// Behind those of `none`. What only answers takes no room of what asks, and markers stay behind invalidations.
constexpr MessageKind more_kinds[] = {
    of_node({"FENCE", TrafficClass::control, 0, Payload::none,
             "the L2 of its module is asked before a release, or behind an acquire"}),
    of_node({"FENCED", TrafficClass::control, 1, Payload::none, "the release or what is behind the acquire may go on"}),
    {"INV", TrafficClass::invalidate, 1, Payload::none, "give the copy up; no answer"},
    at_once(of_node({"ASK", TrafficClass::control, 3, Payload::none, "a module releases, and asks a home"})),
    at_once(of_node(
        {"MARK", TrafficClass::control, 1, Payload::none, "all invalidations of this home until now came before"})),
    at_once(of_node({"MARK_ACK", TrafficClass::invalidate_ack, 2, Payload::none, "they have been received"})),
    at_once(of_node({"ASK_ACK", TrafficClass::invalidate_ack, 2, Payload::none,
                     "all have received what this home had invalidated when it was asked"})),
};

}  // namespace

const base::ChoiceTable<MessageOrder>& message_order_names() {
  static const base::ChoiceTable<MessageOrder> names{
      {"pair", MessageOrder::pair}, {"line", MessageOrder::line}, {"none", MessageOrder::none}};
  return names;
}

std::vector<MessageKind> nhcc::messages() {
  std::vector<MessageKind> kinds = none::messages();
  for (std::size_t i = static_cast<std::size_t>(Message::DATA); i < kinds.size(); ++i) kinds[i].network = 1;
  append(kinds, more_kinds);
  return kinds;
}

CoherencePolicy nhcc::of_modules(std::string_view name, const NhccSpec& spec, const CoherenceContext& context) {
  CoherencePolicy policy;
  policy.name = name;
  policy.messages = messages();
  policy.of_modules = true;
  policy.grid = context.grid;
  policy.order = spec.order;
  policy.consistency = Consistency::wo;
  policy.sm_order = true;
  return policy;
}

CoherencePolicy make_nhcc(const NhccSpec& spec, const CoherenceContext& context) {
  CoherencePolicy policy = nhcc::of_modules("nhcc", spec, context);
  policy.description =
      "Between modules: the home notes which L2s have copies and invalidates them, without acknowledgement; releases "
      "wait "
      "until all have been told. L1s are kept by software.";
  policy.networks = {"requests", "replies, invalidations and markers, in order", "answers to markers",
                     "questions of releases, one of a module at a time"};
  policy.seams = {{"L1 machine", "nhcc L1"}, {"GPM machine", "nhcc GPM"}, {"home machine", "nhcc home"}};
  const std::uint32_t sets = std::max(1U, spec.directory_sets / context.homes_of_module());
  const DirectoryGeometry directory{sets, spec.directory_ways, spec.directory_lines, true};
  policy.roles = {
      {Role::l1, nhcc::l1_table(),
       [](auto table) { return std::make_unique<nhcc::L1Machine>(std::move(table), nhcc::FenceAsks{}); }},
      {Role::gpm, nhcc::gpm_table(), [](auto table) { return std::make_unique<nhcc::GpmMachine>(std::move(table)); }},
      {Role::home, nhcc::home_table(),
       [grid = context.grid](auto table) { return std::make_unique<nhcc::HomeMachine>(std::move(table), grid); },
       directory}};
  policy.shows_stores_early = true;
  return policy;
}

}  // namespace syncline::protocols
