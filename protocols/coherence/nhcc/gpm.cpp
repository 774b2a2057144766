// An L2 and lines of other modules: a write-through cache between its L1s and the homes, to which invalidations are
// added. Messages of a home come in order, so an invalidation always is about what came before it. One that comes while
// the line is on its way is about an older copy, which has left silently, and says nothing of the line.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/nhcc/machines.h"

namespace syncline::protocols::nhcc {
namespace {

using S = GpmState;
using E = GpmEvent;
using A = GpmAction;

constexpr StateName states[] = {{"I", true, "not cached"},
                                {"V", true, "valid; the home notes that"},
                                {"IV", false, "GETS on its way; all else about the line waits for it"}};
constexpr EventName events[] = {
    {"Gets", on::message(Message::GETS), "an L1 wants the line"},
    {"Getu", on::message(Message::GETU), "a load of its CTA's scope at most, which goes around the L1"},
    {"Getu_Wide", on::refined, "a load of the GPU's or the system's scope: no copy may serve it"},
    {"Write", on::message(Message::WRITE), "a store"},
    {"Atomic", on::message(Message::ATOMIC), "a read-modify-write at the home"},
    {"Replacement", on::replacement, "the frame is wanted for another line"},
    {"Data", on::message(Message::DATA), "the line of a GETS"},
    {"Data_U", on::message(Message::DATA_U), "answers GETU"},
    {"Ack", on::message(Message::ACK), "the store is performed at the home"},
    {"Atomic_Data", on::message(Message::ATOMIC_DATA), "the atomic is performed at the home"}};
constexpr EventName more_events[] = {
    {"Inv", on::message(Message::INV), "another module writes the line, or its home's directory forgets it"}};
constexpr ActionName actions[] = {act::stall(),
                                  act::allocate(),
                                  act::park("wait for the line"),
                                  act::send("send_GETS", Message::GETS, "ask the home for the line"),
                                  act::forward("forward_GETU", Message::GETU, "the load goes to the home"),
                                  act::forward("forward_WRITE", Message::WRITE, "the store goes to the home"),
                                  act::forward("forward_ATOMIC", Message::ATOMIC, "the atomic goes to the home"),
                                  act::reply("send_DATA", Message::DATA, "DATA for GETS, DATA_U for GETU").completed(),
                                  act::relay("relay_DATA_U", Message::DATA_U, "the answer goes on to the L1"),
                                  act::relay("relay_ACK", Message::ACK, "the answer goes on to the L1"),
                                  act::relay("relay_ATOMIC_DATA", Message::ATOMIC_DATA, "the answer goes on to the L1"),
                                  act::merge(),
                                  act::fill("put the line into its frame"),
                                  act::replay("present what waited again, in order"),
                                  act::drop()};
static_assert(names_all<S>(states) && names_all<E>(events, more_events) && names_all<A>(actions));

Vocabulary vocabulary() {
  return {"nhcc", "GPM", messages(), list_of(states), list_of(events), {}, list_of(actions)};
}

constexpr Row rows[] = {
    {S::I, E::Gets, {A::allocate, A::park, A::send_GETS}, S::IV, "miss"},
    {S::I, E::Getu, {A::forward_GETU}, S::I, "no copy; only the sectors that are asked for travel"},
    {S::I, E::Getu_Wide, {A::forward_GETU}, S::I, "no copy"},
    {S::I, E::Write, {A::forward_WRITE}, S::I, "write-through, no write-allocate"},
    {S::I, E::Atomic, {A::forward_ATOMIC}, S::I, "atomics are performed at the home"},
    {S::I, E::Data_U, {A::relay_DATA_U}, S::I, "answers the load that went on"},
    {S::I, E::Ack, {A::relay_ACK}, S::I, "answers the store that went on"},
    {S::I, E::Atomic_Data, {A::relay_ATOMIC_DATA}, S::I, "answers the atomic that went on"},

    {S::V, E::Gets, {A::send_DATA}, S::V, "hit"},
    {S::V, E::Getu, {A::send_DATA}, S::V, "hit"},
    {S::V,
     E::Getu_Wide,
     {A::drop, A::forward_GETU},
     S::I,
     "it may bring newer bytes, and a load of its warp behind it must not find older ones here"},
    {S::V, E::Write, {A::write, A::forward_WRITE}, S::V, "the home notes the writer, too"},
    {S::V, E::Atomic, {A::drop, A::forward_ATOMIC}, S::I, "the new value exists at the home only"},
    {S::V, E::Replacement, {A::drop}, S::I, "write-through: nothing to save; the home is not told"},
    {S::V, E::Data_U, {A::relay_DATA_U}, S::V, "answers the load that went on"},
    {S::V, E::Ack, {A::relay_ACK}, S::V, "answers the store that went on"},

    {S::IV, E::Gets, {A::park}, S::IV, "merged with the request that is on its way"},
    {S::IV, E::Getu, {A::park}, S::IV, "merged with the request that is on its way"},
    {S::IV, E::Getu_Wide, {A::park}, S::IV, "behind what waits"},
    {S::IV, E::Write, {A::park}, S::IV, "behind what waits, so that loads before it do not see it"},
    {S::IV, E::Atomic, {A::park}, S::IV, "behind what waits"},
    {S::IV, E::Replacement, {A::stall}, S::IV, "the frame is reserved for the line on its way"},
    {S::IV, E::Data, {A::fill, A::replay}, S::V, "who waits finds it"},
    {S::IV, E::Data_U, {A::relay_DATA_U}, S::IV, "answers a load that went on before GETS"},
    {S::IV, E::Ack, {A::relay_ACK}, S::IV, "answers a store that went on before GETS"},
    {S::IV, E::Atomic_Data, {A::relay_ATOMIC_DATA}, S::IV, "answers an atomic that went on before GETS"},
};

constexpr Row invalidated[] = {
    {S::I, E::Inv, {}, S::I, "the copy had left silently"},
    {S::V, E::Inv, {A::drop}, S::I, "no acknowledgement: who releases asks"},
    {S::IV, E::Inv, {}, S::IV, "of a copy that had left silently: the line comes behind it, and is newer"},
};

}  // namespace

void GpmMachine::refine(Situation& at, const Stimulus& stimulus, const LineMeta&, const NodeMeta&) const {
  const Scope scope = stimulus.access.scope;
  const bool wide = scope == Scope::gpu || scope == Scope::sys;
  if (at.event == static_cast<Code>(E::Getu) && wide) at.event = static_cast<Code>(E::Getu_Wide);
}

void GpmMachine::complete(Code, const Stimulus& stimulus, const LineMeta&, const NodeMeta&, Action& action) const {
  if (static_cast<Message>(stimulus.message) == Message::GETU) action.message = static_cast<Code>(Message::DATA_U);
}

std::shared_ptr<const TransitionTable> gpm_cache_table() {
  return make_table(vocabulary(), rows);
}

std::shared_ptr<const TransitionTable> gpm_table() {
  Vocabulary words = vocabulary();
  append(words.events, more_events);
  return make_overlay(*gpm_cache_table(), std::move(words), invalidated);
}

}  // namespace syncline::protocols::nhcc
