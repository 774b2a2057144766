// The home of SW: that of `none`, which empties its L2 of other modules' lines when an L1 of its module acquires.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/sw/machines.h"

namespace syncline::protocols::sw {
namespace {

using S = none::HomeState;
using E = HomeEvent;
using A = HomeAction;

static_assert(static_cast<Code>(E::Mem_Data) == static_cast<Code>(none::HomeEvent::Mem_Data));
static_assert(static_cast<Code>(A::drop) == static_cast<Code>(none::HomeAction::drop));

constexpr EventName more_events[] = {
    {"Fence", on::message(nhcc::Message::FENCE), "an L1 of this module acquires; of no line"}};
constexpr ActionName more_actions[] = {
    act::empty("empty_GPM", Role::gpm, "present Drop to all lines of other modules that are here"),
    act::send("send_FENCED", nhcc::Message::FENCED, "to the L1s for which it was done").completed()};
static_assert(names_from<E, static_cast<std::size_t>(E::Mem_Data) + 1>(more_events) &&
              names_from<A, static_cast<std::size_t>(A::drop) + 1>(more_actions));

constexpr Row rows[] = {
    {S::NP, E::Fence, {A::empty_GPM, A::send_FENCED}, S::NP, "the copies may be older than what it has read"},
};

}  // namespace

void HomeMachine::complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                           Action& action) const {
  if (static_cast<A>(code) == A::send_FENCED)
    action.nodes.insert(stimulus.requester);
  else
    none::HomeMachine::complete(code, stimulus, line, node, action);
}

std::shared_ptr<const TransitionTable> home_table() {
  const auto base = none::home_table();
  Vocabulary words = base->vocabulary();
  words.protocol = "sw";
  words.messages = messages();
  append(words.events, more_events);
  append(words.actions, more_actions);
  return make_overlay(*base, std::move(words), rows);
}

}  // namespace syncline::protocols::sw
