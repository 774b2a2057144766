// An L2 and lines of other modules whose copies may grow old while they are on their way, as a difference to one to
// which homes send what kills a copy in order. Who has asked before that is answered with what comes, and who asks
// later is not: these wait together, and take it up in their order, so the former are counted. An old line that were
// asked for again for them, too, would never come where somebody acquires all the time.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/sw/machines.h"

namespace syncline::protocols::sw {
namespace {

using S = GpmState;
using E = GpmEvent;
using G = GpmGuard;
using A = GpmAction;

static_assert(static_cast<Code>(S::IV) == static_cast<Code>(nhcc::GpmState::IV));
static_assert(static_cast<Code>(E::Atomic_Data) == static_cast<Code>(nhcc::GpmEvent::Atomic_Data));
static_assert(static_cast<Code>(A::drop) == static_cast<Code>(nhcc::GpmAction::drop));

constexpr StateName more_states[] = {
    {"IX", false, "as IV, but the line that comes may be old by now"},
    {"VX", true, "an old line, for those who have waited for it since before it grew old"}};
constexpr GuardName guards[] = {{"more", "others have waited for the line as long"}};
constexpr ActionName more_actions[] = {act::update("count_waiting", "one more waits for the line"),
                                       act::update("count_served", "one of those who have waited is served"),
                                       act::update("forget_waiting", "whoever comes is served alike")};
static_assert(names_from<S, static_cast<std::size_t>(S::IV) + 1>(more_states) && names_all<G>(guards) &&
              names_from<A, static_cast<std::size_t>(A::drop) + 1>(more_actions));

constexpr Row rows[] = {
    {S::I, E::Gets, {A::allocate, A::park, A::count_waiting, A::send_GETS}, S::IV, "miss"},

    {S::V, E::Drop, {A::drop}, S::I, "it may be old"},

    {S::IV, E::Gets, {A::park, A::count_waiting}, S::IV, "merged with the request that is on its way"},
    {S::IV, E::Getu, {A::park, A::count_waiting}, S::IV, "merged with the request that is on its way"},
    {S::IV, E::Getu_Wide, {A::park, A::count_waiting}, S::IV, "behind what waits"},
    {S::IV, E::Write, {A::park, A::count_waiting}, S::IV, "behind what waits, so that loads before it do not see it"},
    {S::IV, E::Atomic, {A::park, A::count_waiting}, S::IV, "behind what waits"},
    {S::IV, E::Data, {A::fill, A::forget_waiting, A::replay}, S::V, "who waits finds it"},
    {S::IV, E::Drop, {}, S::IX, "the home may have answered before"},

    {S::IX, E::Gets, {A::park}, S::IX, "asks again, behind those for whom the line comes"},
    {S::IX, E::Getu, {A::park}, S::IX, "asks again, behind those for whom the line comes"},
    {S::IX, E::Getu_Wide, {A::park}, S::IX, "behind what waits"},
    {S::IX, E::Write, {A::park}, S::IX, "behind what waits, so that loads before it do not see it"},
    {S::IX, E::Atomic, {A::park}, S::IX, "behind what waits"},
    {S::IX, E::Replacement, {A::stall}, S::IX, "the frame is reserved for the line on its way"},
    {S::IX, E::Data, {A::fill, A::replay}, S::VX, "for those alone who have asked before it grew old"},
    {S::IX, E::Data_U, {A::relay_DATA_U}, S::IX, "answers a load that went on before GETS"},
    {S::IX, E::Ack, {A::relay_ACK}, S::IX, "answers a store that went on before GETS"},
    {S::IX, E::Atomic_Data, {A::relay_ATOMIC_DATA}, S::IX, "answers an atomic that went on before GETS"},
    {S::IX, E::Drop, {}, S::IX, "it is old already"},

    {S::VX, E::Gets, G::more, {A::send_DATA, A::count_served}, S::VX, "what waits is taken up before what comes"},
    {S::VX, E::Gets, {A::send_DATA, A::drop}, S::I, "the last for whom the line came"},
    {S::VX, E::Getu, G::more, {A::send_DATA, A::count_served}, S::VX, "what waits is taken up before what comes"},
    {S::VX, E::Getu, {A::send_DATA, A::drop}, S::I, "the last for whom the line came"},
    {S::VX, E::Getu_Wide, {A::drop, A::forward_GETU}, S::I, "who waits behind it asks again"},
    {S::VX, E::Write, {A::drop, A::forward_WRITE}, S::I, "who waits behind it asks again, and sees it"},
    {S::VX, E::Atomic, {A::drop, A::forward_ATOMIC}, S::I, "who waits behind it asks again, and sees it"},
    {S::VX, E::Replacement, {A::drop}, S::I, "who waits asks again"},
    {S::VX, E::Drop, {}, S::VX, "those for whom it is here have asked before"},
};

}  // namespace

bool GpmMachine::holds(Code, const Stimulus&, const LineMeta& line, const NodeMeta&) const {
  return more_have_waited(line);
}

void GpmMachine::update(Code action, const Stimulus&, LineMeta& line, NodeMeta&) {
  if (!count_waiting(action, A::count_waiting, line)) unknown_action(action);
}

std::shared_ptr<const TransitionTable> gpm_table(const EventName& drop) {
  const auto base = nhcc::gpm_cache_table();
  Vocabulary words = base->vocabulary();
  words.protocol = "sw";
  words.messages = messages();
  append(words.states, more_states);
  words.events.push_back(drop);
  append(words.guards, guards);
  append(words.actions, more_actions);
  return make_overlay(*base, std::move(words), rows);
}

std::shared_ptr<const TransitionTable> gpm_table() {
  return gpm_table({"Drop", on::flush, "an L1 of this module acquires"});
}

}  // namespace syncline::protocols::sw
