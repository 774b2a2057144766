// The rows of a transition table: what a machine does in a state on an event, and why.
//
// Rows are constexpr data that one can read beside the paper's table. States, events, guards and actions are
// enumerations of the protocol; a row erases them to codes, so that one engine serves all protocols:
//
//   constexpr Row rows[] = {
//       {S::I, E::Load, {A::allocate, A::park, A::send_GETS}, S::IV, "a miss fetches the whole line"},
//       {S::SS, E::Store, G::others_share, {A::invalidate_others}, S::SM, "the copies must go first"},
//   };
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace syncline::protocols {

/// An enumerator of the protocol, erased.
using Code = std::uint8_t;

/// The actions of a row, in order.
class ActionCodes {
 public:
  static constexpr unsigned capacity = 8;
  template <class... Actions>
  constexpr ActionCodes(Actions... actions)  // NOLINT(google-explicit-constructor): a braced list in a row
      : codes_{static_cast<Code>(actions)...}, size_(sizeof...(Actions)) {
    static_assert(sizeof...(Actions) <= capacity, "a row holds at most eight actions");
  }
  constexpr void push_back(Code code) { codes_[size_++] = code; }
  constexpr unsigned size() const { return size_; }
  constexpr const Code* begin() const { return codes_.data(); }
  constexpr const Code* end() const { return codes_.data() + size_; }

 private:
  std::array<Code, capacity> codes_{};
  std::uint8_t size_ = 0;
};

/// One row. Rows of one (state, event) pair are tried in the order in which they are written; a row without a guard
/// always applies and must be the last of its pair.
struct Row {
  static constexpr Code no_guard = 0xff;

  template <class State, class Event>
  constexpr Row(State from, Event on, ActionCodes what, State to, std::string_view because)
      : state(static_cast<Code>(from)),
        event(static_cast<Code>(on)),
        actions(what),
        next(static_cast<Code>(to)),
        why(because) {}
  template <class State, class Event, class Guard>
  constexpr Row(State from, Event on, Guard when, ActionCodes what, State to, std::string_view because)
      : state(static_cast<Code>(from)),
        event(static_cast<Code>(on)),
        guard(static_cast<Code>(when)),
        actions(what),
        next(static_cast<Code>(to)),
        why(because) {}

  Code state;
  Code event;
  Code guard = no_guard;
  ActionCodes actions;
  Code next;
  std::string_view why;
};

}  // namespace syncline::protocols
