#include "tests/unit/caches/invalidating_policy.h"

#include <iterator>
#include <utility>

namespace syncline::tests {
namespace {

using namespace protocols;

enum class M : std::uint8_t { GETS, WRITE, ATOMIC, DATA, ACK, ATOMIC_DATA, INV, INV_ACK };
constexpr std::uint8_t requests = 1, responses = 2, acks = 4, invalidates = 8;  // bits of the virtual networks

namespace l1 {

enum class S : std::uint8_t { I, S, IS, IX };
enum class E : std::uint8_t { Load, Store, Atomic, Inv, Replacement, Flush, Data, Reply };
enum class A : std::uint8_t {
  stall,
  allocate,
  park,
  send_GETS,
  forward_WRITE,
  forward_ATOMIC,
  hit,
  drop,
  fill,
  answer_parked,
  deliver,
  send_INV_ACK
};

Vocabulary vocabulary() {
  return {"invalidating",
          "L1",
          {{"I", true, ""}, {"S", true, ""}, {"IS", false, ""}, {"IX", false, ""}},
          {{"Load", ""},
           {"Store", ""},
           {"Atomic", ""},
           {"Inv", ""},
           {"Replacement", ""},
           {"Flush", ""},
           {"Data", ""},
           {"Reply", ""}},
          {},
          {{"stall", Needs::waits, ""},
           {"allocate", Needs::frame, ""},
           {"park", Needs::parking, ""},
           {"send_GETS", Needs::sending, "", requests},
           {"forward_WRITE", Needs::forwarding, "", requests},
           {"forward_ATOMIC", Needs::forwarding, "", requests},
           {"hit", Needs::nothing, ""},
           {"drop", Needs::nothing, ""},
           {"fill", Needs::nothing, ""},
           {"answer_parked", Needs::nothing, ""},
           {"deliver", Needs::nothing, ""},
           {"send_INV_ACK", Needs::sending, "", acks}}};
}

constexpr Row rows[] = {
    {S::I, E::Load, {A::allocate, A::park, A::send_GETS}, S::IS, ""},
    {S::I, E::Store, {A::forward_WRITE}, S::I, ""},
    {S::I, E::Atomic, {A::forward_ATOMIC}, S::I, ""},
    {S::I, E::Inv, {A::send_INV_ACK}, S::I, ""},
    {S::I, E::Reply, {A::deliver}, S::I, ""},
    {S::I, E::Flush, {}, S::I, ""},
    {S::S, E::Load, {A::hit}, S::S, ""},
    {S::S, E::Store, {A::drop, A::forward_WRITE}, S::I, ""},
    {S::S, E::Atomic, {A::drop, A::forward_ATOMIC}, S::I, ""},
    {S::S, E::Inv, {A::drop, A::send_INV_ACK}, S::I, ""},
    {S::S, E::Replacement, {A::drop}, S::I, ""},
    {S::S, E::Flush, {}, S::S, "coherent: nothing is stale"},
    {S::S, E::Reply, {A::deliver}, S::S, ""},
    {S::IS, E::Load, {A::park}, S::IS, ""},
    {S::IS, E::Store, {A::forward_WRITE}, S::IX, ""},
    {S::IS, E::Atomic, {A::forward_ATOMIC}, S::IX, ""},
    {S::IS, E::Inv, {A::send_INV_ACK}, S::IX, "the data may have been sent before"},
    {S::IS, E::Replacement, {A::stall}, S::IS, ""},
    {S::IS, E::Flush, {}, S::IS, ""},
    {S::IS, E::Data, {A::fill, A::answer_parked}, S::S, ""},
    {S::IS, E::Reply, {A::deliver}, S::IS, ""},
    {S::IX, E::Load, {A::stall}, S::IX, "must see what was sent after GETS"},
    {S::IX, E::Store, {A::forward_WRITE}, S::IX, ""},
    {S::IX, E::Atomic, {A::forward_ATOMIC}, S::IX, ""},
    {S::IX, E::Inv, {A::send_INV_ACK}, S::IX, ""},
    {S::IX, E::Replacement, {A::stall}, S::IX, ""},
    {S::IX, E::Flush, {}, S::IX, ""},
    {S::IX, E::Data, {A::answer_parked, A::drop}, S::I, ""},
    {S::IX, E::Reply, {A::deliver}, S::IX, ""},
};

class L1 final : public Machine {
 public:
  using Machine::Machine;

 private:
  Situation classify(const Stimulus& s, const LineMeta& line, const NodeMeta&) const override {
    return {line.state, static_cast<Code>(event(s))};
  }
  static E event(const Stimulus& s) {
    switch (s.source) {
      case Stimulus::Source::message:
        return static_cast<M>(s.message) == M::INV ? E::Inv : static_cast<M>(s.message) == M::DATA ? E::Data : E::Reply;
      case Stimulus::Source::replacement:
        return E::Replacement;
      case Stimulus::Source::flush:
        return E::Flush;
      default:
        break;
    }
    return s.access.operation == Operation::load    ? E::Load
           : s.access.operation == Operation::store ? E::Store
                                                    : E::Atomic;
  }
  void act(const Row& row, const Stimulus&, LineMeta&, NodeMeta&, ActionList& actions) override {
    for (const Code code : row.actions) {
      switch (static_cast<A>(code)) {
        case A::stall:
        case A::allocate:
          break;
        case A::park:
          actions.add(ActionKind::park);
          break;
        case A::send_GETS:
          actions.add(ActionKind::send, Code(M::GETS));
          break;
        case A::forward_WRITE:
          actions.add(ActionKind::forward, Code(M::WRITE));
          break;
        case A::forward_ATOMIC:
          actions.add(ActionKind::forward, Code(M::ATOMIC));
          break;
        case A::hit:
          actions.add(ActionKind::answer);
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
        case A::send_INV_ACK:
          actions.add(ActionKind::send, Code(M::INV_ACK));
          break;
      }
    }
  }
};

}  // namespace l1

namespace home {

enum class S : std::uint8_t { NP, V, F, W, R };
enum class E : std::uint8_t { Load, Store, Atomic, Inv_Ack, Replacement, Mem_Data };
enum class G : std::uint8_t { others, shared, dirty, last };
enum class A : std::uint8_t {
  stall,
  allocate,
  park,
  fetch,
  fill,
  replay,
  write,
  add_sharer,
  clear_sharers,
  send_DATA,
  send_ACK,
  send_ATOMIC_DATA,
  invalidate_others,
  recall,
  count,
  write_back,
  drop
};

Vocabulary vocabulary() {
  return {"invalidating",
          "home",
          {{"NP", true, ""}, {"V", true, ""}, {"F", false, ""}, {"W", false, ""}, {"R", false, ""}},
          {{"Load", ""}, {"Store", ""}, {"Atomic", ""}, {"Inv_Ack", ""}, {"Replacement", ""}, {"Mem_Data", ""}},
          {{"others", ""}, {"shared", ""}, {"dirty", ""}, {"last", ""}},
          {{"stall", Needs::waits, ""},
           {"allocate", Needs::frame, ""},
           {"park", Needs::parking, ""},
           {"fetch", Needs::memory, ""},
           {"fill", Needs::nothing, ""},
           {"replay", Needs::nothing, ""},
           {"write", Needs::nothing, ""},
           {"add_sharer", Needs::nothing, ""},
           {"clear_sharers", Needs::nothing, ""},
           {"send_DATA", Needs::sending, "", responses},
           {"send_ACK", Needs::sending, "", responses},
           {"send_ATOMIC_DATA", Needs::sending, "", responses},
           {"invalidate_others", Needs::sending, "", invalidates},
           {"recall", Needs::sending, "", invalidates},
           {"count", Needs::nothing, ""},
           {"write_back", Needs::memory, ""},
           {"drop", Needs::nothing, ""}}};
}

constexpr Row rows[] = {
    {S::NP, E::Load, {A::allocate, A::park, A::fetch}, S::F, ""},
    {S::NP, E::Store, {A::allocate, A::park, A::fetch}, S::F, ""},
    {S::NP, E::Atomic, {A::allocate, A::park, A::fetch}, S::F, ""},
    {S::F, E::Load, {A::park}, S::F, ""},
    {S::F, E::Store, {A::park}, S::F, ""},
    {S::F, E::Atomic, {A::park}, S::F, ""},
    {S::F, E::Replacement, {A::stall}, S::F, ""},
    {S::F, E::Mem_Data, {A::fill, A::replay}, S::V, ""},
    {S::V, E::Load, {A::add_sharer, A::send_DATA}, S::V, ""},
    {S::V, E::Store, G::others, {A::park, A::invalidate_others}, S::W, ""},
    {S::V, E::Store, {A::write, A::clear_sharers, A::send_ACK}, S::V, ""},
    {S::V, E::Atomic, G::others, {A::park, A::invalidate_others}, S::W, ""},
    {S::V, E::Atomic, {A::write, A::clear_sharers, A::send_ATOMIC_DATA}, S::V, ""},
    {S::V, E::Replacement, G::shared, {A::recall, A::drop}, S::R, "inclusive"},
    {S::V, E::Replacement, G::dirty, {A::write_back, A::drop}, S::NP, ""},
    {S::V, E::Replacement, {A::drop}, S::NP, ""},
    {S::W, E::Load, {A::park}, S::W, ""},
    {S::W, E::Store, {A::park}, S::W, ""},
    {S::W, E::Atomic, {A::park}, S::W, ""},
    {S::W, E::Replacement, {A::stall}, S::W, ""},
    {S::W, E::Inv_Ack, G::last, {A::clear_sharers, A::replay}, S::V, ""},
    {S::W, E::Inv_Ack, {A::count}, S::W, ""},
    {S::R, E::Load, {A::stall}, S::R, ""},
    {S::R, E::Store, {A::stall}, S::R, ""},
    {S::R, E::Atomic, {A::stall}, S::R, ""},
    {S::R, E::Inv_Ack, G::last, {A::write_back}, S::NP, "from the miss register: the frame is gone"},
    {S::R, E::Inv_Ack, {A::count}, S::R, ""},
};

class Home final : public Machine {
 public:
  using Machine::Machine;

 private:
  static NodeSet others(const Stimulus& s, const LineMeta& line) {
    NodeSet set = line.sharers;
    set.erase(s.requester);
    return set;
  }
  Situation classify(const Stimulus& s, const LineMeta& line, const NodeMeta&) const override {
    return {line.state, static_cast<Code>(event(s))};
  }
  static E event(const Stimulus& s) {
    switch (s.source) {
      case Stimulus::Source::memory_data:
        return E::Mem_Data;
      case Stimulus::Source::replacement:
        return E::Replacement;
      default:
        break;
    }
    switch (static_cast<M>(s.message)) {
      case M::GETS:
        return E::Load;
      case M::WRITE:
        return E::Store;
      case M::ATOMIC:
        return E::Atomic;
      default:
        return E::Inv_Ack;
    }
  }
  bool holds(Code guard, const Stimulus& s, const LineMeta& line, const NodeMeta&) const override {
    switch (static_cast<G>(guard)) {
      case G::others:
        return !others(s, line).empty();
      case G::shared:
        return !line.sharers.empty();
      case G::dirty:
        return s.dirty;
      case G::last:
        return line.acks == 1;
    }
    return false;
  }
  static void tell(const NodeSet& nodes, LineMeta& line, ActionList& actions) {
    line.acks = static_cast<std::int16_t>(nodes.size());
    actions.add(ActionKind::send, Code(M::INV)).nodes = nodes;
  }
  void act(const Row& row, const Stimulus& s, LineMeta& line, NodeMeta&, ActionList& actions) override {
    for (const Code code : row.actions) {
      switch (static_cast<A>(code)) {
        case A::stall:
        case A::allocate:
          break;
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
        case A::add_sharer:
          line.sharers.insert(s.requester);
          break;
        case A::clear_sharers:
          line.sharers.clear();
          line.acks = 0;
          break;
        case A::send_DATA:
          actions.add(ActionKind::answer, Code(M::DATA));
          break;
        case A::send_ACK:
          actions.add(ActionKind::answer, Code(M::ACK));
          break;
        case A::send_ATOMIC_DATA:
          actions.add(ActionKind::answer, Code(M::ATOMIC_DATA));
          break;
        case A::invalidate_others:
          tell(others(s, line), line, actions);
          break;
        case A::recall:
          tell(line.sharers, line, actions);
          break;
        case A::count:
          --line.acks;
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
};

}  // namespace home
}  // namespace

CoherencePolicy make_invalidating_policy() {
  CoherencePolicy policy;
  policy.name = "invalidating";
  policy.networks = {"requests", "responses", "acknowledgements", "invalidations"};
  policy.messages = {{"GETS", TrafficClass::load_request, 0, Payload::none, ""},
                     {"WRITE", TrafficClass::store_request, 0, Payload::touched, ""},
                     {"ATOMIC", TrafficClass::atomic_request, 0, Payload::touched, ""},
                     {"DATA", TrafficClass::data_reply, 1, Payload::line, ""},
                     {"ACK", TrafficClass::store_ack, 1, Payload::none, ""},
                     {"ATOMIC_DATA", TrafficClass::atomic_reply, 1, Payload::touched, ""},
                     {"INV", TrafficClass::invalidate, 3, Payload::none, ""},
                     {"INV_ACK", TrafficClass::invalidate_ack, 2, Payload::none, ""}};
  policy.l1_table = std::make_shared<const TransitionTable>(l1::vocabulary(),
                                                            std::vector<Row>(std::begin(l1::rows), std::end(l1::rows)));
  policy.home_table = std::make_shared<const TransitionTable>(
      home::vocabulary(), std::vector<Row>(std::begin(home::rows), std::end(home::rows)));
  policy.make_l1 = [table = policy.l1_table] { return std::make_unique<l1::L1>(table); };
  policy.make_home = [table = policy.home_table] { return std::make_unique<home::Home>(table); };
  return policy;
}

}  // namespace syncline::tests
