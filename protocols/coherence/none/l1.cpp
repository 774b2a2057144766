// The L1 of `none`. Requests of one L1 to one line reach the home in the order in which they were sent (one virtual
// network, point-to-point order), so whatever is sent after a store sees that store. The table only has to keep an
// older copy from being used: IX is a miss whose line was touched by a later access that went around it.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/none/none.h"

namespace syncline::protocols::none {
namespace {

using S = L1State;
using E = L1Event;

enum class G : std::uint8_t { covered, completes };
using A = L1Action;

constexpr StateName states[] = {{"I", true, "not cached"},
                                {"V", true, "valid; may be stale"},
                                {"IV", false, "GETS on its way; its line will be kept"},
                                {"IX", false, "GETS on its way; answers the loads that wait for it and is not kept"}};
constexpr EventName events[] = {
    {"Load", on::load, "a load that may use the L1"},
    {"Load_Around", on::refined,
     "a load that goes around the L1: cg, cv, volatile, relaxed, acquire; all global ones in bypass"},
    {"Store", on::store, "a global store"},
    {"Store_Private", on::refined, "a store to the thread's own memory"},
    {"Atomic", on::atomic, "a read-modify-write at the L2"},
    {"Replacement", on::replacement, "the frame is wanted for another line"},
    {"Flush", on::flush, "begin of a grid, or an acquire"},
    {"Data", on::message(Message::DATA), "the line of a GETS"},
    {"Reply", on::message(Message::DATA_U, Message::ACK, Message::ATOMIC_DATA), "answers one forwarded access"}};
constexpr ActionName actions[] = {act::stall(),
                                  act::allocate(),
                                  act::park("wait for the line"),
                                  act::send("send_GETS", Message::GETS, "ask the home for the line"),
                                  act::forward("forward_GETU", Message::GETU, "the load goes to the home"),
                                  act::forward("forward_WRITE", Message::WRITE, "the store goes to the home"),
                                  act::forward("forward_ATOMIC", Message::ATOMIC, "the atomic goes to the home"),
                                  act::hit(),
                                  act::merge(),
                                  act::drop(),
                                  act::fill("put the line into its frame"),
                                  act::answer_parked(),
                                  act::deliver()};

/// Of coherence.none.private = write_back, behind the others.
constexpr StateName states_of_private[] = {
    {"P", true, "part of a line of a thread's own memory: bytes that were written here"},
    {"M", true, "the whole line of a thread's own memory; the home lacks bytes of it"},
    {"PM", false, "as P, and GETS on its way for the rest"}};
constexpr EventName events_of_private[] = {
    {"Load_Last", on::refined, "the last load of a thread's own line: ld.lu of all bytes that the home lacks"}};
constexpr GuardName guards_of_private[] = {{"covered", "every byte asked for is here"},
                                           {"completes", "with these bytes the line is whole"}};
constexpr ActionName actions_of_private[] = {
    act::write("keep", "the store's bytes enter the line; the home lacks them"), act::acknowledge(),
    act::write_back("write_back", Message::WRITE, "the bytes that the home lacks travel there"),
    act::replay("present the loads that waited, in order")};
static_assert(names_all<S>(states, states_of_private) && names_all<E>(events, events_of_private) &&
              names_all<G>(guards_of_private) && names_all<A>(actions, actions_of_private));

Vocabulary vocabulary() {
  return {"none", "L1", messages(), list_of(states), list_of(events), {}, list_of(actions)};
}

Vocabulary write_back_vocabulary() {
  Vocabulary words = vocabulary();
  append(words.states, states_of_private);
  append(words.events, events_of_private);
  append(words.guards, guards_of_private);
  append(words.actions, actions_of_private);
  return words;
}

constexpr Row rows[] = {
    {S::I, E::Load, {A::allocate, A::park, A::send_GETS}, S::IV, "a miss fetches the whole line"},
    {S::I, E::Load_Around, {A::forward_GETU}, S::I, "only the sectors that are asked for travel"},
    {S::I, E::Store, {A::forward_WRITE}, S::I, "write-through, no write-allocate"},
    {S::I, E::Store_Private, {A::forward_WRITE}, S::I, "write-through, no write-allocate"},
    {S::I, E::Atomic, {A::forward_ATOMIC}, S::I, "atomics are done at the L2"},
    {S::I, E::Reply, {A::deliver}, S::I, "answers the access that was forwarded"},

    {S::V, E::Load, {A::hit}, S::V, "no check of staleness: that is this policy"},
    {S::V,
     E::Load_Around,
     {A::drop, A::forward_GETU},
     S::I,
     "the program wants what the L2 holds; the copy may be older"},
    {S::V, E::Store, {A::drop, A::forward_WRITE}, S::I, "write-evict"},
    {S::V, E::Store_Private, {A::write, A::forward_WRITE}, S::V, "nobody else has a copy of a thread's own memory"},
    {S::V, E::Atomic, {A::drop, A::forward_ATOMIC}, S::I, "the copy is old once the L2 has changed the line"},
    {S::V, E::Replacement, {A::drop}, S::I, "write-through: nothing to save"},
    {S::V, E::Flush, {A::drop}, S::I, "what another SM wrote before must be seen from now on"},
    {S::V, E::Reply, {A::deliver}, S::V, "sent before the line was fetched"},

    {S::IV, E::Load, {A::park}, S::IV, "merged with the request that is on its way"},
    {S::IV, E::Load_Around, {A::forward_GETU}, S::IX, "reads newer bytes than GETS may bring"},
    {S::IV, E::Store, {A::forward_WRITE}, S::IX, "GETS was sent before and may lack the store's bytes"},
    {S::IV, E::Store_Private, {A::forward_WRITE}, S::IX, "GETS was sent before and may lack the store's bytes"},
    {S::IV, E::Atomic, {A::forward_ATOMIC}, S::IX, "GETS was sent before and may lack the new value"},
    {S::IV, E::Replacement, {A::stall}, S::IV, "the frame is reserved for the line on its way"},
    {S::IV, E::Flush, {}, S::IX, "GETS may have been served before the flush"},
    {S::IV, E::Data, {A::fill, A::answer_parked}, S::V, "the miss is done"},
    {S::IV, E::Reply, {A::deliver}, S::IV, "of an access that was sent before the line was asked for"},

    {S::IX, E::Load, {A::forward_GETU}, S::IX, "must see what was sent after GETS: ordered behind it at the home"},
    {S::IX, E::Load_Around, {A::forward_GETU}, S::IX, "goes around in any state"},
    {S::IX, E::Store, {A::forward_WRITE}, S::IX, "ordered behind what was sent before"},
    {S::IX, E::Store_Private, {A::forward_WRITE}, S::IX, "ordered behind what was sent before"},
    {S::IX, E::Atomic, {A::forward_ATOMIC}, S::IX, "ordered behind what was sent before"},
    {S::IX, E::Replacement, {A::stall}, S::IX, "the frame is reserved until the data has passed"},
    {S::IX, E::Flush, {}, S::IX, "will not be kept anyhow"},
    {S::IX, E::Data, {A::answer_parked, A::drop}, S::I, "the loads that waited came before what made the line old"},
    {S::IX, E::Reply, {A::deliver}, S::IX, "answers the access that was forwarded"},
};

/// coherence.none.store_hit = update.
constexpr Row update_on_store_hit[] = {
    {S::V, E::Store, {A::write, A::forward_WRITE}, S::V, "write-update: the copy keeps the SM's own stores"},
};

/// coherence.none.private = write_back. What was written first is known byte by byte, as at the home; a line that is
/// read first is whole. Nobody else reads or writes it, so a flush leaves it, and a store is performed once it is here.
constexpr Row write_back_of_private[] = {
    {S::I, E::Store_Private, G::completes, {A::allocate, A::keep, A::acknowledge}, S::M, "a whole line"},
    {S::I, E::Store_Private, {A::allocate, A::keep, A::acknowledge}, S::P, "the rest is fetched when asked for"},
    {S::V, E::Store_Private, {A::keep, A::acknowledge}, S::M, "stays here"},
    {S::IV, E::Store_Private, {A::stall}, S::IV, "the loads that wait came before it"},

    {S::P, E::Load, G::covered, {A::hit}, S::P, "what is asked for was written here"},
    {S::P, E::Load, {A::park, A::send_GETS}, S::PM, "the rest of the line is at the home"},
    {S::P, E::Load_Last, G::covered, {A::hit, A::drop}, S::I, "no needless write-back of what nobody will read"},
    {S::P, E::Load_Last, {A::park, A::send_GETS}, S::PM, "the rest of the line is at the home"},
    {S::P, E::Store_Private, G::completes, {A::keep, A::acknowledge}, S::M, "now the line is whole"},
    {S::P, E::Store_Private, {A::keep, A::acknowledge}, S::P, "more bytes"},
    {S::P, E::Replacement, {A::write_back, A::drop}, S::I, "a later GETS is ordered behind it"},
    {S::P, E::Flush, {}, S::P, "nobody else has written it"},
    {S::P, E::Reply, {A::deliver}, S::P, "of what was sent before the line was written"},

    {S::PM, E::Load, {A::park}, S::PM, "merged with the request that is on its way"},
    {S::PM, E::Store_Private, {A::stall}, S::PM, "the loads that wait came before it"},
    {S::PM, E::Replacement, {A::stall}, S::PM, "the frame is reserved for the line on its way"},
    {S::PM, E::Flush, {}, S::PM, "nobody else has written it"},
    {S::PM, E::Data, {A::fill, A::replay}, S::M, "bytes that were written here stay"},
    {S::PM, E::Reply, {A::deliver}, S::PM, "of what was sent before the line was written"},

    {S::M, E::Load, {A::hit}, S::M, "hit"},
    {S::M, E::Load_Last, {A::hit, A::drop}, S::I, "no needless write-back of what nobody will read"},
    {S::M, E::Store_Private, {A::keep, A::acknowledge}, S::M, "hit"},
    {S::M, E::Replacement, {A::write_back, A::drop}, S::I, "a later GETS is ordered behind it"},
    {S::M, E::Flush, {}, S::M, "nobody else has written it"},
    {S::M, E::Reply, {A::deliver}, S::M, "of what was sent before the line was written"},
};

}  // namespace

FenceOutcome L1Machine::fence(const Stimulus& stimulus, NodeMeta&) {
  const bool wide = stimulus.access.scope == Scope::gpu || stimulus.access.scope == Scope::sys;
  return {0, wide && stimulus.access.acquires && spec_.acquire == NoneAcquire::invalidate};
}

void L1Machine::refine(Situation& at, const Stimulus& stimulus, const LineMeta&, const NodeMeta&) const {
  const AccessTraits& access = stimulus.access;
  if (at.event == static_cast<Code>(E::Store)) {
    if (access.is_private) at.event = static_cast<Code>(E::Store_Private);
  } else if (at.event == static_cast<Code>(E::Load)) {
    const bool may_use = !access.around_l1 && (spec_.l1 == NoneL1::caching || access.is_read_only);
    const auto state = static_cast<S>(at.state);
    if (!access.is_private) {
      if (!may_use) at.event = static_cast<Code>(E::Load_Around);
    } else if (access.last_use && stimulus.wants_dirty && (state == S::P || state == S::M)) {
      at.event = static_cast<Code>(E::Load_Last);
    }
  }
}

bool L1Machine::holds(Code guard, const Stimulus& stimulus, const LineMeta&, const NodeMeta&) const {
  return static_cast<G>(guard) == G::covered ? stimulus.covered : stimulus.completes;
}

std::shared_ptr<const TransitionTable> l1_table(const NoneSpec& spec) {
  auto table = make_table(vocabulary(), rows);
  if (spec.store_hit == NoneStoreHit::update) table = make_overlay(*table, vocabulary(), update_on_store_hit);
  if (spec.private_memory == NonePrivate::write_back)
    table = make_overlay(*table, write_back_vocabulary(), write_back_of_private);
  return table;
}

std::unique_ptr<Machine> make_l1(std::shared_ptr<const TransitionTable> table, const NoneSpec& spec) {
  return std::make_unique<L1Machine>(std::move(table), spec);
}

}  // namespace syncline::protocols::none
