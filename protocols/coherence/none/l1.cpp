// The L1 of `none`. Requests of one L1 to one line reach the home in the order in which they were sent (one virtual
// network, point-to-point order), so whatever is sent after a store sees that store. The table only has to keep an
// older copy from being used: IX is a miss whose line was touched by a later access that went around it.
#include <utility>

#include "protocols/coherence/none/none.h"

namespace syncline::protocols::none {
namespace {

using S = L1State;
using E = L1Event;

enum class A : std::uint8_t {
  stall,
  allocate,
  park,
  send_GETS,
  forward_GETU,
  forward_WRITE,
  forward_ATOMIC,
  hit,
  write,
  drop,
  fill,
  answer_parked,
  deliver
};

Vocabulary vocabulary() {
  return {
      "none",
      "L1",
      {{"I", true, "not cached"},
       {"V", true, "valid; may be stale"},
       {"IV", false, "GETS on its way; its line will be kept"},
       {"IX", false, "GETS on its way; answers the loads that wait for it and is not kept"}},
      {{"Load", "a load that may use the L1"},
       {"Load_Around", "a load that goes around the L1: cg, cv, volatile, relaxed, acquire; all global ones in bypass"},
       {"Store", "a global store"},
       {"Store_Private", "a store to the thread's own memory"},
       {"Atomic", "a read-modify-write at the L2"},
       {"Replacement", "the frame is wanted for another line"},
       {"Flush", "begin of a grid, or an acquire"},
       {"Data", "the line of a GETS"},
       {"Reply", "DATA_U, ACK or ATOMIC_DATA: answers one forwarded access"}},
      {},
      {{"stall", Needs::waits, "wait at the head of the queue"},
       {"allocate", Needs::frame, "reserve a frame"},
       {"park", Needs::parking, "wait for the line"},
       {"send_GETS", Needs::sending, "ask the home for the line"},
       {"forward_GETU", Needs::forwarding, "the load goes to the home"},
       {"forward_WRITE", Needs::forwarding, "the store goes to the home"},
       {"forward_ATOMIC", Needs::forwarding, "the atomic goes to the home"},
       {"hit", Needs::nothing, "answer from the line"},
       {"write", Needs::nothing, "merge the store's bytes into the line"},
       {"drop", Needs::nothing, "free the frame"},
       {"fill", Needs::nothing, "put the line into its frame"},
       {"answer_parked", Needs::nothing, "answer all loads that wait for the line"},
       {"deliver", Needs::nothing, "hand the reply to the core"}}};
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

class NoneL1Machine final : public Machine {
 public:
  NoneL1Machine(std::shared_ptr<const TransitionTable> table, const NoneSpec& spec)
      : Machine(std::move(table)), spec_(spec) {}

  FenceOutcome fence(const Stimulus& stimulus, NodeMeta&) override {
    const bool wide = stimulus.access.scope == Scope::gpu || stimulus.access.scope == Scope::sys;
    return {0, wide && stimulus.access.acquires && spec_.acquire == NoneAcquire::invalidate};
  }

 protected:
  Situation classify(const Stimulus& stimulus, const LineMeta& line, const NodeMeta&) const override {
    return {line.state, static_cast<Code>(event(stimulus))};
  }

  void act(const Row& row, const Stimulus&, LineMeta&, NodeMeta&, ActionList& actions) override {
    for (const Code code : row.actions) {
      switch (static_cast<A>(code)) {
        case A::stall:
        case A::allocate:
          break;  // the host's part, done before or instead
        case A::park:
          actions.add(ActionKind::park);
          break;
        case A::send_GETS:
          actions.add(ActionKind::send, static_cast<Code>(Message::GETS));
          break;
        case A::forward_GETU:
          actions.add(ActionKind::forward, static_cast<Code>(Message::GETU));
          break;
        case A::forward_WRITE:
          actions.add(ActionKind::forward, static_cast<Code>(Message::WRITE));
          break;
        case A::forward_ATOMIC:
          actions.add(ActionKind::forward, static_cast<Code>(Message::ATOMIC));
          break;
        case A::hit:
          actions.add(ActionKind::answer);
          break;
        case A::write:
          actions.add(ActionKind::write);
          break;
        case A::drop:
          actions.add(ActionKind::invalidate);
          break;
        case A::fill:
          actions.add(ActionKind::fill);
          break;
        case A::answer_parked:
          actions.add(ActionKind::answer_parked);
          break;
        case A::deliver:
          actions.add(ActionKind::deliver);
          break;
      }
    }
  }

 private:
  E event(const Stimulus& stimulus) const {
    switch (stimulus.source) {
      case Stimulus::Source::message:
        return static_cast<Message>(stimulus.message) == Message::DATA ? E::Data : E::Reply;
      case Stimulus::Source::replacement:
        return E::Replacement;
      case Stimulus::Source::flush:
        return E::Flush;
      default:
        break;
    }
    const AccessTraits& access = stimulus.access;
    switch (access.operation) {
      case Operation::store:
        return access.is_private ? E::Store_Private : E::Store;
      case Operation::atomic:
        return E::Atomic;
      case Operation::load:
        break;
    }
    if (access.is_private) return E::Load;
    if (access.around_l1) return E::Load_Around;
    return spec_.l1 == NoneL1::caching || access.is_read_only ? E::Load : E::Load_Around;
  }

  NoneSpec spec_;
};

}  // namespace

std::shared_ptr<const TransitionTable> l1_table(const NoneSpec& spec) {
  const TransitionTable base(vocabulary(), {std::begin(rows), std::end(rows)});
  if (spec.store_hit == NoneStoreHit::invalidate) return std::make_shared<const TransitionTable>(base);
  return std::make_shared<const TransitionTable>(
      base.overlaid(vocabulary(), {std::begin(update_on_store_hit), std::end(update_on_store_hit)}));
}

std::unique_ptr<Machine> make_l1(std::shared_ptr<const TransitionTable> table, const NoneSpec& spec) {
  return std::make_unique<NoneL1Machine>(std::move(table), spec);
}

}  // namespace syncline::protocols::none
