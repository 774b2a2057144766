// One cache or home under RCC with one line, for tests that present one stimulus after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "protocols/coherence/rcc/rcc.h"

namespace syncline::tests::rcc_side {

using namespace protocols;
using namespace protocols::rcc;

/// One cache with one line.
template <class State, class Event>
struct Side {
  std::unique_ptr<Machine> machine;
  LineMeta line;
  NodeMeta node;
  ActionList actions;
  std::uint64_t time = 0;  ///< picoseconds

  void in(State state) { line.state = static_cast<Code>(state); }
  State state() const { return static_cast<State>(line.state); }
  /// Presents `s`; the names of the row's actions.
  std::vector<std::string> present(Stimulus s) {
    s.time = time;
    actions.clear();
    const Transition& t = machine->decide(s, line, node);
    machine->perform(t, s, line, node, actions);
    std::vector<std::string> names;
    for (const Code code : t.row.actions) names.emplace_back(machine->table().vocabulary().actions[code].name);
    return names;
  }
  const Action& asked(ActionKind kind) const {
    for (const Action& action : actions) {
      if (action.kind == kind) return action;
    }
    throw std::runtime_error("the row does not ask for that");
  }
};

inline Stimulus access(Operation operation, unsigned warp = 0) {
  Stimulus s;
  s.access.operation = operation;
  s.warp = static_cast<std::uint16_t>(warp);
  return s;
}
inline Stimulus from(Stimulus::Source source) {
  Stimulus s;
  s.source = source;
  return s;
}
inline Stimulus message(Message kind, std::uint64_t time = 0, std::uint64_t exp = 0, unsigned requester = 0,
                        std::uint64_t epoch = 0) {
  Stimulus s;
  s.source = Stimulus::Source::message;
  s.message = static_cast<std::uint8_t>(kind);
  s.requester = static_cast<std::uint16_t>(requester);
  s.stamps = {time, exp, 0, epoch};
  return s;
}
inline const Stimulus load = access(Operation::load), store = access(Operation::store),
                      atomic = access(Operation::atomic);

}  // namespace syncline::tests::rcc_side
