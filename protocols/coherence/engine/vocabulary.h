// The names of a machine's states, events, guards and actions, in the order of the protocol's enumerations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncline::protocols {

struct StateName {
  std::string_view name;
  bool stable;  ///< a line in a transient state owns a miss register (MSHR, TBE) until it is stable again
  std::string_view meaning;
};

struct CodeName {
  std::string_view name;
  std::string_view meaning;
};

/// What the host must have at hand before it lets a row with this action happen. Nothing changes when it has not: the
/// stimulus waits at the head of its queue.
enum Needs : std::uint8_t {
  nothing = 0,
  waits = 1,        ///< the action *is* to wait: the stimulus stays at the head of its queue
  recycles = 2,     ///< as `waits`, but it goes to the back of its queue with a penalty
  frame = 4,        ///< a place in the tag and data arrays
  parking = 8,      ///< room for one more access on the line's miss register
  forwarding = 16,  ///< a handle for an access that travels to the home itself
  sending = 32,     ///< room for one message on the network
  memory = 64,      ///< room for one request to memory
};

struct ActionName {
  std::string_view name;
  std::uint8_t needs;  ///< a union of Needs
  std::string_view meaning;
  std::uint8_t networks =
      0xff;  ///< bit n: it may send on virtual network n; one that is full elsewhere does not matter
};

struct Vocabulary {
  std::string protocol;  ///< the policy's key, "none"
  std::string machine;   ///< "L1" or "home"
  std::vector<StateName> states;
  std::vector<CodeName> events;
  std::vector<CodeName> guards;
  std::vector<ActionName> actions;
};

}  // namespace syncline::protocols
