// The words of a machine: states, events, guards and actions in the order of the protocol's enumerations, and what each
// of them means to the engine and the host.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocols/coherence/engine/action.h"
#include "protocols/coherence/engine/message_kind.h"
#include "protocols/coherence/engine/trigger.h"

namespace syncline::protocols {

struct StateName {
  std::string_view name;
  bool stable;  ///< a line in a transient state owns a miss register (MSHR, TBE) until it is stable again
  std::string_view meaning;
  bool derived = false;  ///< never stored: Machine::refine reads another state as this one
};

struct EventName {
  std::string_view name;
  Trigger trigger;
  std::string_view meaning;
};

struct GuardName {
  std::string_view name;
  std::string_view meaning;
};

/// What the host must have at hand before it lets a row with this action happen. Nothing changes when it has not: the
/// stimulus waits at the head of its queue.
enum Needs : std::uint8_t {
  nothing = 0,
  waits = 1,        ///< the action *is* to wait: the stimulus stays at the head of its queue. Other actions of the row
                    ///< are performed once, if they change the node so that the next look finds another row
  recycles = 2,     ///< as `waits`, but it goes to the back of its queue with a penalty, each time that it is looked at
  frame = 4,        ///< a place in the tag and data arrays
  parking = 8,      ///< room for one more access on the line's miss register
  forwarding = 16,  ///< a handle for an access that travels to the home itself
  sending = 32,     ///< room for one message on the network
  memory = 64,      ///< room for one request to memory
  directory_entry = 128,  ///< a place in the home's own directory (RoleMachine::directory)
};

/// Who performs an action.
enum class Performer : std::uint8_t {
  host,      ///< before the row happens, or instead of it: a frame is reserved, the stimulus waits
  machine,   ///< Machine::update changes the line or the node
  asked,     ///< the host is asked for `asks`
  completed  ///< as `asked`, after Machine::complete has filled in what depends on line and node
};

struct ActionName {
  std::string_view name;
  std::string_view meaning;
  Performer performer = Performer::machine;
  std::uint8_t needs = Needs::nothing;  ///< a union of Needs
  ActionKind asks = ActionKind::send;
  std::uint8_t message = 0;  ///< of `asks`; `complete` may change it to another one of the same virtual network
  bool marks_dirty = false;
  /// `send`: about all lines of the line's directory entry, one message for each of them.
  bool of_entry = false;
  /// `send`: to L2s of modules, by the numbers of these, and to nobody if Machine::complete names none.
  bool to_modules = false;
  const Role* of_role = nullptr;  ///< `flush_lines`: Action::role

  /// Which way what is sent may go. A message whose nodes Machine::complete names may go either way.
  constexpr bool may_go_home() const {
    return asks == ActionKind::forward || asks == ActionKind::write_back || asks == ActionKind::write_on ||
           (asks == ActionKind::send && !to_modules);
  }
  constexpr bool may_go_on() const {
    return !may_go_home() || to_modules || (asks == ActionKind::send && performer == Performer::completed);
  }

  /// The same action, whose particulars (nodes, acks, stamps, time) Machine::complete fills in.
  constexpr ActionName completed() const {
    ActionName changed = *this;
    changed.performer = Performer::completed;
    return changed;
  }
  /// `send`, whose nodes are modules.
  constexpr ActionName among_modules() const {
    ActionName changed = completed();
    changed.to_modules = true;
    return changed;
  }
  constexpr ActionName about_entry() const {
    ActionName changed = *this;
    changed.of_entry = true;
    return changed;
  }
};

struct Vocabulary {
  std::string protocol;  ///< the policy's key, "none"
  std::string machine;   ///< the name of its role: "L1"
  std::vector<MessageKind> messages;
  std::vector<StateName> states;
  std::vector<EventName> events;
  std::vector<GuardName> guards;
  std::vector<ActionName> actions;
};

}  // namespace syncline::protocols
