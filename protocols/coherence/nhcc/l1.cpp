// The L1 of policies of several modules: that of `none`, all written through, which asks the L2 of its module before a
// release goes on or, where software keeps L2s too, behind an acquire. One question at a time: a fence that comes
// meanwhile may be behind stores that this one is not.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/nhcc/machines.h"

namespace syncline::protocols::nhcc {
namespace {

using S = none::L1State;
using E = L1Event;
using A = L1Action;

static_assert(static_cast<Code>(E::Reply) == static_cast<Code>(none::L1Event::Reply));
static_assert(static_cast<Code>(A::deliver) == static_cast<Code>(none::L1Action::deliver));

enum class G : std::uint8_t { asks };

constexpr EventName more_events[] = {
    {"Fence", on::fence, "a fence, or an access before it releases or behind what it acquires"},
    {"Fenced", on::message(Message::FENCED), "the L2 has asked whom it had to"}};
constexpr GuardName guards[] = {{"asks", "another fence of this L1 is on its way"}};
constexpr ActionName more_actions[] = {act::update("begin", "a fence is on its way"),
                                       act::update("end", "no fence is on its way"),
                                       act::forward("forward_FENCE", Message::FENCE, "the fence goes to the L2")};
static_assert(names_from<E, static_cast<std::size_t>(E::Reply) + 1>(more_events) && names_all<G>(guards) &&
              names_from<A, static_cast<std::size_t>(A::deliver) + 1>(more_actions));

Vocabulary vocabulary(const Vocabulary& base) {
  Vocabulary words = base;
  words.protocol = "nhcc";
  words.messages = messages();
  append(words.events, more_events);
  words.guards = list_of(guards);
  append(words.actions, more_actions);
  return words;
}

constexpr Row rows[] = {
    {S::I, E::Fence, G::asks, {A::stall}, S::I, "it may be behind accesses that the one on its way is not"},
    {S::I, E::Fence, {A::begin, A::forward_FENCE}, S::I, "what copies there are elsewhere is known below"},
    {S::I, E::Fenced, {A::end, A::deliver}, S::I, "the fence is over, or the access"},
};

}  // namespace

FenceOutcome L1Machine::fence(const Stimulus& stimulus, NodeMeta& node) {
  FenceOutcome outcome = none::L1Machine::fence(stimulus, node);
  const AccessTraits& access = stimulus.access;
  const auto asks = [&](const std::optional<Scope>& from) { return from && access.scope >= *from; };
  outcome.ask = (access.releases && asks(asks_.releases)) || (access.acquires && asks(asks_.acquires));
  return outcome;
}

bool L1Machine::holds(Code, const Stimulus&, const LineMeta&, const NodeMeta& node) const {
  return node.phase != 0;
}

void L1Machine::update(Code action, const Stimulus&, LineMeta&, NodeMeta& node) {
  node.phase = static_cast<A>(action) == A::begin ? 1 : 0;
}

NoneSpec written_through() {
  NoneSpec through;
  through.private_memory = NonePrivate::write_through;
  return through;
}

std::shared_ptr<const TransitionTable> l1_table() {
  const auto base = none::l1_table(written_through());
  return make_overlay(*base, vocabulary(base->vocabulary()), rows);
}

}  // namespace syncline::protocols::nhcc
