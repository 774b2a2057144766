#include "tests/unit/caches/invalidating_policy.h"

#include <utility>

#include "protocols/coherence/engine/action_names.h"

namespace syncline::tests {
namespace {

using namespace protocols;

enum class M : std::uint8_t { GETS, WRITE, ATOMIC, DATA, ACK, ATOMIC_DATA, INV, INV_ACK };
std::vector<MessageKind> messages() {
  return {{"GETS", TrafficClass::load_request, 0, Payload::none, ""},
          {"WRITE", TrafficClass::store_request, 0, Payload::touched, ""},
          {"ATOMIC", TrafficClass::atomic_request, 0, Payload::touched, ""},
          {"DATA", TrafficClass::data_reply, 1, Payload::line, ""},
          {"ACK", TrafficClass::store_ack, 1, Payload::none, ""},
          {"ATOMIC_DATA", TrafficClass::atomic_reply, 1, Payload::touched, ""},
          {"INV", TrafficClass::invalidate, 3, Payload::none, ""},
          {"INV_ACK", TrafficClass::invalidate_ack, 2, Payload::none, ""}};
}

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
          messages(),
          {{"I", true, ""}, {"S", true, ""}, {"IS", false, ""}, {"IX", false, ""}},
          {{"Load", on::load, ""},
           {"Store", on::store, ""},
           {"Atomic", on::atomic, ""},
           {"Inv", on::message(M::INV), ""},
           {"Replacement", on::replacement, ""},
           {"Flush", on::flush, ""},
           {"Data", on::message(M::DATA), ""},
           {"Reply", on::message(M::ACK, M::ATOMIC_DATA), ""}},
          {},
          {act::stall(), act::allocate(), act::park(), act::send("send_GETS", M::GETS, ""),
           act::forward("forward_WRITE", M::WRITE, ""), act::forward("forward_ATOMIC", M::ATOMIC, ""), act::hit(),
           act::drop(), act::fill(), act::answer_parked(), act::deliver(), act::send("send_INV_ACK", M::INV_ACK, "")}};
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
    {S::S, E::Flush, {A::drop}, S::I, ""},
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

}  // namespace l1

namespace home {

enum class S : std::uint8_t { NP, V, F, W, R, C };
enum class E : std::uint8_t { Load, Store, Atomic, Inv_Ack, Replacement, Mem_Data };
enum class G : std::uint8_t { others, shared, shared_dirty, dirty, last };
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
  expect_others,
  expect_all,
  count,
  write_back,
  drop
};

Vocabulary vocabulary() {
  return {"invalidating",
          "home",
          messages(),
          {{"NP", true, ""}, {"V", true, ""}, {"F", false, ""}, {"W", false, ""}, {"R", false, ""}, {"C", false, ""}},
          {{"Load", on::message(M::GETS), ""},
           {"Store", on::message(M::WRITE), ""},
           {"Atomic", on::message(M::ATOMIC), ""},
           {"Inv_Ack", on::message(M::INV_ACK), ""},
           {"Replacement", on::replacement, ""},
           {"Mem_Data", on::memory_data, ""}},
          {{"others", ""}, {"shared", ""}, {"shared_dirty", ""}, {"dirty", ""}, {"last", ""}},
          {act::stall(), act::allocate(), act::park(), act::fetch(), act::fill(), act::replay(), act::write(),
           act::update("add_sharer", ""), act::update("clear_sharers", ""), act::reply("send_DATA", M::DATA, ""),
           act::reply("send_ACK", M::ACK, ""), act::reply("send_ATOMIC_DATA", M::ATOMIC_DATA, ""),
           act::send("invalidate_others", M::INV, "").completed(), act::send("recall", M::INV, "").completed(),
           act::update("expect_others", ""), act::update("expect_all", ""), act::update("count", ""), act::write_back(),
           act::drop()}};
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
    {S::V, E::Store, G::others, {A::park, A::invalidate_others, A::expect_others}, S::W, ""},
    {S::V, E::Store, {A::write, A::clear_sharers, A::send_ACK}, S::V, ""},
    {S::V, E::Atomic, G::others, {A::park, A::invalidate_others, A::expect_others}, S::W, ""},
    {S::V, E::Atomic, {A::write, A::clear_sharers, A::send_ATOMIC_DATA}, S::V, ""},
    {S::V, E::Replacement, G::shared_dirty, {A::recall, A::expect_all, A::drop}, S::R, "inclusive"},
    {S::V, E::Replacement, G::shared, {A::recall, A::expect_all, A::drop}, S::C, "inclusive"},
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
    {S::C, E::Load, {A::stall}, S::C, ""},
    {S::C, E::Store, {A::stall}, S::C, ""},
    {S::C, E::Atomic, {A::stall}, S::C, ""},
    {S::C, E::Inv_Ack, G::last, {}, S::NP, "memory has it"},
    {S::C, E::Inv_Ack, {A::count}, S::C, ""},
};

class Home : public Machine {
 public:
  using Machine::Machine;

 protected:
  bool holds(Code guard, const Stimulus& s, const LineMeta& line, const NodeMeta&) const override {
    switch (static_cast<G>(guard)) {
      case G::others:
        return !line.sharers.without(s.requester).empty();
      case G::shared:
        return !line.sharers.empty();
      case G::shared_dirty:
        return !line.sharers.empty() && s.dirty;
      case G::dirty:
        return s.dirty;
      case G::last:
        return line.acks == 1;
    }
    return false;
  }
  void update(Code action, const Stimulus& s, LineMeta& line, NodeMeta&) override {
    switch (static_cast<A>(action)) {
      case A::add_sharer:
        line.sharers.insert(s.requester);
        break;
      case A::clear_sharers:
        line.sharers.clear();
        line.acks = 0;
        break;
      case A::expect_others:
        line.acks = static_cast<std::int16_t>(line.sharers.without(s.requester).size());
        break;
      case A::expect_all:
        line.acks = static_cast<std::int16_t>(line.sharers.size());
        break;
      case A::count:
        --line.acks;
        break;
      default:
        unknown_action(action);
    }
  }
  void complete(Code action, const Stimulus& s, const LineMeta& line, const NodeMeta&, Action& asked) const override {
    asked.nodes = static_cast<A>(action) == A::recall ? line.sharers : line.sharers.without(s.requester);
  }
};

}  // namespace home

/// The home whose metadata is in a directory, an entry of which is of several lines. Sharers are those of any of them,
/// so a store does not forget those whose copies it has invalidated, and they may be told of lines that they do not
/// have.
namespace region {

using home::S;
using E = home::E;
using G = home::G;
using A = home::A;

/// Behind those of the home.
constexpr S granted = static_cast<S>(static_cast<Code>(S::C) + 1);
constexpr Code entry_wanted = static_cast<Code>(E::Mem_Data) + 1;
constexpr Code absent = static_cast<Code>(G::last) + 1;
constexpr Code list = static_cast<Code>(A::drop) + 1, unlist = list + 1, expect_entry = unlist + 1,
               recall_entry = expect_entry + 1;

Vocabulary vocabulary(const Vocabulary& base) {
  Vocabulary words = base;
  words.protocol = "regional";
  words.states.push_back({"G", false, ""});
  words.events.push_back({"Dir_Replacement", on::directory_replacement, ""});
  words.guards.push_back({"absent", ""});
  words.actions.push_back(act::list());
  words.actions.push_back(act::unlist());
  words.actions.push_back(act::update("expect_entry", ""));
  words.actions.push_back(act::send("recall_entry", M::INV, "").completed().about_entry());
  return words;
}

constexpr Row rows[] = {
    {S::NP, E::Load, {list, A::allocate, A::park, A::fetch}, S::F, ""},
    {S::NP, E::Store, {list, A::allocate, A::park, A::fetch}, S::F, ""},
    {S::NP, E::Atomic, {list, A::allocate, A::park, A::fetch}, S::F, ""},
    {S::F, entry_wanted, {A::stall}, S::F, ""},
    {S::V, E::Load, absent, {A::allocate, A::park, A::fetch}, S::F, "the state says nothing of data"},
    {S::V, E::Load, {A::add_sharer, A::send_DATA}, S::V, ""},
    {S::V, E::Store, absent, {A::allocate, A::park, A::fetch}, S::F, ""},
    {S::V, E::Store, G::others, {A::park, A::invalidate_others, A::expect_others}, S::W, ""},
    {S::V, E::Store, {A::write, A::send_ACK}, S::V, ""},
    {S::V, E::Atomic, absent, {A::allocate, A::park, A::fetch}, S::F, ""},
    {S::V, E::Atomic, G::others, {A::park, A::invalidate_others, A::expect_others}, S::W, ""},
    {S::V, E::Atomic, {A::write, A::send_ATOMIC_DATA}, S::V, ""},
    {S::V, E::Replacement, G::dirty, {A::write_back, A::drop}, S::V, "not inclusive"},
    {S::V, E::Replacement, {A::drop}, S::V, "not inclusive"},
    {S::V, entry_wanted, G::shared_dirty, {expect_entry, recall_entry, A::drop, unlist}, S::R, ""},
    {S::V, entry_wanted, G::shared, {expect_entry, recall_entry, A::drop, unlist}, S::C, ""},
    {S::V, entry_wanted, G::dirty, {A::write_back, A::drop, unlist}, S::NP, ""},
    {S::V, entry_wanted, {A::drop, unlist}, S::NP, ""},
    {S::W, entry_wanted, {A::stall}, S::W, ""},
    {S::W, E::Inv_Ack, G::last, {A::count, A::replay}, granted, "the sharers may have other lines of the entry"},
    {S::W, E::Inv_Ack, {A::count}, S::W, ""},
    {granted, E::Load, {A::stall}, granted, ""},
    {granted, E::Store, {A::write, A::send_ACK}, S::V, "the one for which the copies had to go"},
    {granted, E::Atomic, {A::write, A::send_ATOMIC_DATA}, S::V, ""},
    {granted, E::Replacement, {A::stall}, granted, ""},
    {granted, entry_wanted, {A::stall}, granted, ""},
};

class Home final : public home::Home {
 public:
  using home::Home::Home;

 private:
  bool holds(Code guard, const Stimulus& s, const LineMeta& line, const NodeMeta& node) const override {
    if (guard != absent) return home::Home::holds(guard, s, line, node);
    return !s.covered || !s.completes;
  }
  void update(Code action, const Stimulus& s, LineMeta& line, NodeMeta& node) override {
    if (action == expect_entry)
      line.acks = static_cast<std::int16_t>(line.sharers.size() * s.entry_lines);
    else
      home::Home::update(action, s, line, node);
  }
  void complete(Code action, const Stimulus& s, const LineMeta& line, const NodeMeta& node,
                Action& asked) const override {
    if (action == recall_entry)
      asked.nodes = line.sharers;
    else
      home::Home::complete(action, s, line, node, asked);
  }
};

}  // namespace region
}  // namespace

CoherencePolicy make_regional_policy(const DirectoryGeometry& directory) {
  CoherencePolicy policy = make_invalidating_policy();
  policy.name = "regional";
  RoleMachine& home = policy.at(Role::home);
  home.table = make_overlay(*home.table, region::vocabulary(home.table->vocabulary()), region::rows);
  home.make = [](auto table) { return std::make_unique<region::Home>(std::move(table)); };
  home.directory = directory;
  return policy;
}

CoherencePolicy make_invalidating_policy() {
  CoherencePolicy policy;
  policy.name = "invalidating";
  policy.networks = {"requests", "responses", "acknowledgements", "invalidations"};
  policy.messages = messages();
  policy.roles = {{Role::l1, make_table(l1::vocabulary(), l1::rows),
                   [](auto table) { return std::make_unique<Machine>(std::move(table)); }},
                  {Role::home, make_table(home::vocabulary(), home::rows),
                   [](auto table) { return std::make_unique<home::Home>(std::move(table)); }}};
  return policy;
}

}  // namespace syncline::tests
