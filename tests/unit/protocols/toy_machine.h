// A small machine for tests of the engine: a lease that may end, a conditional outcome, a transient state that waits.
#pragma once

#include <memory>
#include <vector>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/machine.h"

namespace syncline::tests::toy {

enum class S : std::uint8_t { I, V, T };
enum class E : std::uint8_t { Load, Store, Data };
enum class G : std::uint8_t { shared };
enum class A : std::uint8_t { stall, ask, keep_lease, wake, invalidate_sharers, count, hit };

enum class M : std::uint8_t { ASK, TELL, DATA };

inline protocols::Vocabulary vocabulary(std::string name = "toy") {
  namespace on = protocols::on;
  namespace act = protocols::act;
  using protocols::Payload;
  using protocols::TrafficClass;
  return {std::move(name),
          "L1",
          {{"ASK", TrafficClass::load_request, 0, Payload::none, ""},
           {"TELL", TrafficClass::invalidate, 1, Payload::none, ""},
           {"DATA", TrafficClass::data_reply, 0, Payload::line, ""}},
          {{"I", true, "invalid"}, {"V", true, "valid"}, {"T", false, "on its way"}},
          {{"Load", on::load, "a load"}, {"Store", on::store, "a store"}, {"Data", on::message(M::DATA), "the line"}},
          {{"shared", "others have copies"}},
          {act::stall(), act::send("ask", M::ASK, "ask for the line"),
           act::update("keep_lease", "remember when the lease ends"), act::wake_at("wake", "wake when the lease ends"),
           act::send("invalidate_sharers", M::TELL, "tell the sharers").completed(),
           act::update("count", "expect an acknowledgement from each"), act::hit("answer")}};
}

inline std::vector<protocols::Row> rows() {
  return {{S::I, E::Load, {A::ask}, S::T, "miss"},
          {S::T, E::Load, {A::stall}, S::T, "one at a time"},
          {S::T, E::Store, {A::stall}, S::T, "one at a time"},
          {S::T, E::Data, {A::keep_lease, A::wake, A::hit}, S::V, "done"},
          {S::V, E::Load, {A::hit}, S::V, "hit"},
          {S::V, E::Store, G::shared, {A::invalidate_sharers, A::count}, S::T, "others first"},
          {S::V, E::Store, {}, S::V, "alone"}};
}

class Machine : public protocols::Machine {
 public:
  explicit Machine(std::shared_ptr<const protocols::TransitionTable> table =
                       std::make_shared<protocols::TransitionTable>(vocabulary(), rows()))
      : protocols::Machine(std::move(table)) {}

 protected:
  void refine(Situation& at, const protocols::Stimulus&, const protocols::LineMeta& line,
              const protocols::NodeMeta& node) const override {
    if (static_cast<S>(line.state) == S::V && line.exp < node.now) at.state = static_cast<protocols::Code>(S::I);
  }
  bool holds(protocols::Code, const protocols::Stimulus&, const protocols::LineMeta& line,
             const protocols::NodeMeta&) const override {
    return !line.sharers.empty();
  }
  void update(protocols::Code action, const protocols::Stimulus& s, protocols::LineMeta& line,
              protocols::NodeMeta&) override {
    if (static_cast<A>(action) == A::keep_lease) line.exp = s.stamps[0];
    if (static_cast<A>(action) == A::count) line.acks = static_cast<std::int16_t>(line.sharers.size());
  }
  void complete(protocols::Code action, const protocols::Stimulus&, const protocols::LineMeta& line,
                const protocols::NodeMeta&, protocols::Action& asked) const override {
    if (static_cast<A>(action) == A::wake) asked.time = line.exp;
    if (static_cast<A>(action) == A::invalidate_sharers) asked.nodes = line.sharers;
  }
};

}  // namespace syncline::tests::toy
