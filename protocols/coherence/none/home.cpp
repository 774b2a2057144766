// The home (L2 slice) of `none`: write-back, write-allocate. A store that misses does not fetch: the frame knows byte
// by byte what it holds (P), and the rest is fetched when somebody asks for it. A grid that writes whole lines, as most
// do, costs no reads of memory.
#include <utility>

#include "protocols/coherence/none/none.h"

namespace syncline::protocols::none {
namespace {

using S = HomeState;
using E = HomeEvent;

enum class G : std::uint8_t { covered, completes, dirty };
enum class A : std::uint8_t {
  stall,
  allocate,
  park,
  fetch,
  fill,
  replay,
  write,
  send_DATA,
  send_ACK,
  send_ATOMIC_DATA,
  write_back,
  drop
};

Vocabulary vocabulary() {
  return {"none",
          "home",
          {{"NP", true, "not present"},
           {"P", true, "part of the line: bytes that were written here"},
           {"V", true, "the whole line"},
           {"F", false, "being fetched from memory"}},
          {{"Load", "GETS or GETU"},
           {"Store", "WRITE"},
           {"Atomic", "ATOMIC"},
           {"Replacement", "the frame is wanted for another line"},
           {"Mem_Data", "memory has delivered"}},
          {{"covered", "every byte asked for is here"},
           {"completes", "with these bytes the line is whole"},
           {"dirty", "memory lacks bytes of the line"}},
          {{"stall", Needs::waits, "wait at the head of the queue"},
           {"allocate", Needs::frame, "reserve a frame"},
           {"park", Needs::parking, "wait for the line"},
           {"fetch", Needs::memory, "read the line from memory"},
           {"fill", Needs::nothing, "put memory's bytes where the line has none"},
           {"replay", Needs::nothing, "present the requests that waited, in order"},
           {"write", Needs::nothing, "the store's bytes enter the line; an atomic is applied to it"},
           {"send_DATA", Needs::sending, "DATA for GETS, DATA_U for GETU"},
           {"send_ACK", Needs::sending, "the store is performed"},
           {"send_ATOMIC_DATA", Needs::sending, "the atomic is performed; the old values"},
           {"write_back", Needs::memory, "dirty bytes go to memory"},
           {"drop", Needs::nothing, "free the frame"}}};
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

class NoneHomeMachine final : public Machine {
 public:
  using Machine::Machine;

 protected:
  Situation classify(const Stimulus& stimulus, const LineMeta& line, const NodeMeta&) const override {
    return {line.state, static_cast<Code>(event(stimulus))};
  }

  bool holds(Code guard, const Stimulus& stimulus, const LineMeta&, const NodeMeta&) const override {
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

  void act(const Row& row, const Stimulus& stimulus, LineMeta&, NodeMeta&, ActionList& actions) override {
    for (const Code code : row.actions) {
      switch (static_cast<A>(code)) {
        case A::stall:
        case A::allocate:
          break;  // the host's part, done before or instead
        case A::park:
          actions.add(ActionKind::park);
          break;
        case A::fetch:
          actions.add(ActionKind::fetch);
          break;
        case A::fill:
          actions.add(ActionKind::fill);
          break;
        case A::replay:
          actions.add(ActionKind::replay);
          break;
        case A::write:
          actions.add(ActionKind::write).marks_dirty = true;
          break;
        case A::send_DATA:
          actions.add(ActionKind::answer,
                      static_cast<Code>(static_cast<Message>(stimulus.message) == Message::GETS ? Message::DATA
                                                                                                : Message::DATA_U));
          break;
        case A::send_ACK:
          actions.add(ActionKind::answer, static_cast<Code>(Message::ACK));
          break;
        case A::send_ATOMIC_DATA:
          actions.add(ActionKind::answer, static_cast<Code>(Message::ATOMIC_DATA));
          break;
        case A::write_back:
          actions.add(ActionKind::write_back);
          break;
        case A::drop:
          actions.add(ActionKind::invalidate);
          break;
      }
    }
  }

 private:
  static E event(const Stimulus& stimulus) {
    switch (stimulus.source) {
      case Stimulus::Source::memory_data:
        return E::Mem_Data;
      case Stimulus::Source::replacement:
        return E::Replacement;
      default:
        break;
    }
    switch (static_cast<Message>(stimulus.message)) {
      case Message::WRITE:
        return E::Store;
      case Message::ATOMIC:
        return E::Atomic;
      default:
        return E::Load;
    }
  }
};

}  // namespace

std::shared_ptr<const TransitionTable> home_table() {
  return std::make_shared<const TransitionTable>(vocabulary(), std::vector<Row>(std::begin(rows), std::end(rows)));
}

std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table) {
  return std::make_unique<NoneHomeMachine>(std::move(table));
}

}  // namespace syncline::protocols::none
