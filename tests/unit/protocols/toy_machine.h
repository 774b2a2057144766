// A small machine for tests of the engine: a lease that may end, a conditional outcome, a transient state that waits.
#pragma once

#include <memory>
#include <vector>

#include "protocols/coherence/engine/machine.h"

namespace syncline::tests::toy {

enum class S : std::uint8_t { I, V, T };
enum class E : std::uint8_t { Load, Store, Data };
enum class G : std::uint8_t { shared };
enum class A : std::uint8_t { stall, ask, keep_lease, invalidate_sharers, hit };

inline protocols::Vocabulary vocabulary(std::string name = "toy") {
  return {std::move(name),
          "L1",
          {{"I", true, "invalid"}, {"V", true, "valid"}, {"T", false, "on its way"}},
          {{"Load", "a load"}, {"Store", "a store"}, {"Data", "the line"}},
          {{"shared", "others have copies"}},
          {{"stall", protocols::Needs::waits, "wait"},
           {"ask", protocols::Needs::sending, "ask for the line"},
           {"keep_lease", protocols::Needs::nothing, "remember when the lease ends, and wake then"},
           {"invalidate_sharers", protocols::Needs::sending, "tell the sharers"},
           {"hit", protocols::Needs::nothing, "answer"}}};
}

inline std::vector<protocols::Row> rows() {
  return {{S::I, E::Load, {A::ask}, S::T, "miss"},
          {S::T, E::Load, {A::stall}, S::T, "one at a time"},
          {S::T, E::Store, {A::stall}, S::T, "one at a time"},
          {S::T, E::Data, {A::keep_lease, A::hit}, S::V, "done"},
          {S::V, E::Load, {A::hit}, S::V, "hit"},
          {S::V, E::Store, G::shared, {A::invalidate_sharers}, S::T, "others first"},
          {S::V, E::Store, {}, S::V, "alone"}};
}

class Machine : public protocols::Machine {
 public:
  explicit Machine(std::shared_ptr<const protocols::TransitionTable> table =
                       std::make_shared<protocols::TransitionTable>(vocabulary(), rows()))
      : protocols::Machine(std::move(table)) {}

 protected:
  Situation classify(const protocols::Stimulus& s, const protocols::LineMeta& line,
                     const protocols::NodeMeta& node) const override {
    using Source = protocols::Stimulus::Source;
    const bool ended = static_cast<S>(line.state) == S::V && line.exp < node.now;
    const S state = ended ? S::I : static_cast<S>(line.state);
    const E event = s.source == Source::message                         ? E::Data
                    : s.access.operation == protocols::Operation::store ? E::Store
                                                                        : E::Load;
    return {static_cast<protocols::Code>(state), static_cast<protocols::Code>(event)};
  }
  bool holds(protocols::Code, const protocols::Stimulus&, const protocols::LineMeta& line,
             const protocols::NodeMeta&) const override {
    return !line.sharers.empty();
  }
  void act(const protocols::Row& row, const protocols::Stimulus& s, protocols::LineMeta& line, protocols::NodeMeta&,
           protocols::ActionList& actions) override {
    using protocols::ActionKind;
    for (const protocols::Code code : row.actions) {
      switch (static_cast<A>(code)) {
        case A::stall:
          break;
        case A::ask:
          actions.add(ActionKind::send, 1);
          break;
        case A::keep_lease:
          line.exp = s.stamps[0];
          actions.add(ActionKind::wake_at).time = line.exp;
          break;
        case A::invalidate_sharers: {
          protocols::Action& send = actions.add(ActionKind::send, 2);
          send.nodes = line.sharers;
          line.acks = static_cast<std::int16_t>(line.sharers.size());
          break;
        }
        case A::hit:
          actions.add(ActionKind::answer);
          break;
      }
    }
  }
};

}  // namespace syncline::tests::toy
