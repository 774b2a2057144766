// The home (L2 slice) of `none`: write-back, write-allocate. A store that misses does not fetch: the frame knows byte
// by byte what it holds (P), and the rest is fetched when somebody asks for it. A grid that writes whole lines, as most
// do, costs no reads of memory.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/none/none.h"

namespace syncline::protocols::none {
namespace {

using S = HomeState;
using E = HomeEvent;

using G = HomeGuard;
using A = HomeAction;

constexpr StateName states[] = {{"NP", true, "not present"},
                                {"P", true, "part of the line: bytes that were written here"},
                                {"V", true, "the whole line"},
                                {"F", false, "being fetched from memory"}};
constexpr EventName events[] = {{"Load", on::message(Message::GETS, Message::GETU), "GETS or GETU"},
                                {"Store", on::message(Message::WRITE), "WRITE"},
                                {"Atomic", on::message(Message::ATOMIC), "ATOMIC"},
                                {"Replacement", on::replacement, "the frame is wanted for another line"},
                                {"Mem_Data", on::memory_data, "memory has delivered"}};
constexpr GuardName guards[] = {{"covered", "every byte asked for is here"},
                                {"completes", "with these bytes the line is whole"},
                                {"dirty", "memory lacks bytes of the line"}};
constexpr ActionName actions[] = {
    act::stall(),
    act::allocate(),
    act::park("wait for the line"),
    act::fetch(),
    act::fill("put memory's bytes where the line has none"),
    act::replay("present the requests that waited, in order"),
    act::write(),
    act::reply("send_DATA", Message::DATA, "DATA for GETS, DATA_U for GETU").completed(),
    act::reply("send_ACK", Message::ACK, "the store is performed"),
    act::reply("send_ATOMIC_DATA", Message::ATOMIC_DATA, "the atomic is performed; the old values"),
    act::write_back(),
    act::drop()};
static_assert(names_all<S>(states) && names_all<E>(events) && names_all<G>(guards) && names_all<A>(actions));

Vocabulary vocabulary() {
  return {"none", "home", messages(), list_of(states), list_of(events), list_of(guards), list_of(actions)};
}

constexpr Row rows[] = {
    {S::NP, E::Load, {A::allocate, A::park, A::fetch}, S::F, "miss"},
    {S::NP, E::Store, G::completes, {A::allocate, A::write, A::send_ACK}, S::V, "a whole line needs no fetch"},
    {S::NP, E::Store, {A::allocate, A::write, A::send_ACK}, S::P, "the missing bytes are fetched when asked for"},
    {S::NP, E::Atomic, {A::allocate, A::park, A::fetch}, S::F, "miss: the old value is needed"},

    {S::P, E::Load, G::covered, {A::send_DATA}, S::P, "what is asked for was written here"},
    {S::P, E::Load, {A::park, A::fetch}, S::F, "the rest of the line is in memory"},
    {S::P, E::Store, G::completes, {A::write, A::send_ACK}, S::V, "now the line is whole"},
    {S::P, E::Store, {A::write, A::send_ACK}, S::P, "more bytes"},
    {S::P, E::Atomic, G::covered, {A::write, A::send_ATOMIC_DATA}, S::P, "the old value was written here"},
    {S::P, E::Atomic, {A::park, A::fetch}, S::F, "the old value is in memory"},
    {S::P, E::Replacement, {A::write_back, A::drop}, S::NP, "all its bytes are dirty"},

    {S::V, E::Load, {A::send_DATA}, S::V, "hit"},
    {S::V, E::Store, {A::write, A::send_ACK}, S::V, "hit"},
    {S::V, E::Atomic, {A::write, A::send_ATOMIC_DATA}, S::V, "hit"},
    {S::V, E::Replacement, G::dirty, {A::write_back, A::drop}, S::NP, "write-back"},
    {S::V, E::Replacement, {A::drop}, S::NP, "memory has it"},

    {S::F, E::Load, {A::park}, S::F, "merged"},
    {S::F, E::Store, {A::park}, S::F, "behind the requests that wait, so that they do not see it"},
    {S::F, E::Atomic, {A::park}, S::F, "behind the requests that wait"},
    {S::F, E::Replacement, {A::stall}, S::F, "the frame is reserved for the line on its way"},
    {S::F, E::Mem_Data, {A::fill, A::replay}, S::V, "bytes that were written here stay"},
};

}  // namespace

bool HomeMachine::holds(Code guard, const Stimulus& stimulus, const LineMeta&, const NodeMeta&) const {
  switch (static_cast<G>(guard)) {
    case G::covered:
      return stimulus.covered;
    case G::completes:
      return stimulus.completes;
    case G::dirty:
      return stimulus.dirty;
  }
  return false;
}

void HomeMachine::complete(Code, const Stimulus& stimulus, const LineMeta&, const NodeMeta&, Action& action) const {
  if (static_cast<Message>(stimulus.message) == Message::GETU) action.message = static_cast<Code>(Message::DATA_U);
}

std::shared_ptr<const TransitionTable> home_table() {
  return make_table(vocabulary(), rows);
}

std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table) {
  return std::make_unique<HomeMachine>(std::move(table));
}

}  // namespace syncline::protocols::none
