// One cache or home under Temporal Coherence with one line, for tests that tell its machine one stimulus after the
// other.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "protocols/coherence/tc_strong/tc_strong.h"
#include "protocols/coherence/tc_weak/tc_weak.h"

namespace syncline::tests::tc_side {

using namespace protocols;
using tc::HomeState;
using tc::L1State;
using tc::Message;

inline constexpr std::uint64_t tick = 714;

/// A machine with one line and one node, told one stimulus after the other.
class Side {
 public:
  explicit Side(std::unique_ptr<Machine> made) : machine(std::move(made)) {}

  /// Names of the actions that the row has and the state that it leads to: "park send_GETS count_read -> I_S".
  std::string tell(const Stimulus& stimulus) {
    const Transition& t = machine->decide(stimulus, line, node);
    const Vocabulary& words = machine->table().vocabulary();
    std::string text;
    for (const Code action : t.row.actions) text += std::string(words.actions[action].name) + " ";
    if ((t.needs & Needs::waits) != 0) return text + "until " + std::to_string(until(stimulus));
    actions.clear();
    machine->perform(t, stimulus, line, node, actions);
    return text + "-> " + std::string(words.states[line.state].name);
  }
  /// Tick at which a stimulus that waits is to be looked at again; 0 when only something else ends the wait.
  std::uint64_t until(const Stimulus& stimulus) const {
    const std::uint64_t ends = machine->wait_ends(stimulus, line, node);
    return ends == Machine::never ? 0 : ends / tick;
  }
  /// The action of this kind that the last stimulus asked for.
  Action asked(ActionKind kind) const {
    for (const Action& action : actions) {
      if (action.kind == kind) return action;
    }
    ADD_FAILURE() << "not asked for";
    return {};
  }

  std::unique_ptr<Machine> machine;
  LineMeta line;
  NodeMeta node;
  ActionList actions;
};

inline Stimulus at(std::uint64_t now) {
  Stimulus s;
  s.time = s.arrived = now * tick;
  return s;
}
inline Stimulus access(Operation operation, std::uint64_t now) {
  Stimulus s = at(now);
  s.access.operation = operation;
  return s;
}
inline Stimulus message(Message kind, std::uint64_t now, std::uint64_t lease = 0, std::uint64_t gwct = 0) {
  Stimulus s = at(now);
  s.source = Stimulus::Source::message;
  s.message = static_cast<std::uint8_t>(kind);
  s.stamps = {lease, gwct, 0, 0};
  return s;
}
inline Stimulus other(Stimulus::Source source, std::uint64_t now) {
  Stimulus s = at(now);
  s.source = source;
  return s;
}

inline TcSpec fixed_leases(std::uint32_t lease) {
  TcSpec spec;
  spec.lease = lease;
  spec.predictor = TcPredictor::fixed;
  return spec;
}
inline CoherenceContext context() {
  CoherenceContext context;
  context.tick_ps = tick;
  return context;
}
inline Side strong_l1() {
  return Side(make_tc_strong(fixed_leases(100), context()).make(Role::l1));
}
inline Side strong_home(const TcSpec& spec = fixed_leases(100)) {
  return Side(make_tc_strong(spec, context()).make(Role::home));
}
inline Side recycling_home() {
  TcSpec spec = fixed_leases(100);
  spec.recycle_cycles = 10;
  return strong_home(spec);
}
inline Side weak_l1(const TcSpec& spec = fixed_leases(100)) {
  return Side(make_tc_weak(spec, context()).make(Role::l1));
}
inline Side weak_home(const TcSpec& spec = fixed_leases(100)) {
  return Side(make_tc_weak(spec, context()).make(Role::home));
}
inline void in(Side& side, L1State state, std::uint64_t exp) {
  side.line.state = static_cast<Code>(state);
  side.line.exp = exp;
}
inline void in(Side& side, HomeState state, std::uint64_t exp) {
  side.line.state = static_cast<Code>(state);
  side.line.exp = exp;
}

}  // namespace syncline::tests::tc_side
