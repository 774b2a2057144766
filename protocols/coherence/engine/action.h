// What a machine asks of its host: a small closed set, in a list of fixed capacity.
#pragma once

#include <array>
#include <cstdint>

#include "base/error.h"
#include "protocols/coherence/engine/meta.h"
#include "protocols/coherence/engine/role.h"

namespace syncline::protocols {

enum class ActionKind : std::uint8_t {
  forward,         ///< L1: the access itself travels to the home as `message`; its answer is delivered as it comes
  send,            ///< a new message `message` to `nodes` (L1: peers; to the home when there are none)
  answer,          ///< the stimulus is answered, a load with the line's bytes (home: as `message`)
  answer_parked,   ///< the accesses that were parked by `time` (0: all) are answered with the bytes that arrived; the
                   ///< line's if the message has none
  answer_first,    ///< the same of the one that has waited longest
  deliver,         ///< L1: the arriving message answers a forwarded access
  deliver_parked,  ///< L1: replies that were parked, because something was still to come, answer theirs
  park,            ///< the access waits at the line's miss register
  replay,          ///< the parked accesses are presented again, in order, before newer ones
  fill,            ///< bytes of the message or of memory enter the line where it has none; they are clean
  write,           ///< the bytes of the store enter the line, or the atomic is applied to it
  invalidate,      ///< the frame is free; the bytes stay with the miss register if there still is one
  free_directory_entry,  ///< home: the entry in the directory is free; its lines must have no frame any more, and but
                         ///< for this line none may be on its way
  fetch,                 ///< home: read the line from memory
  write_back,            ///< home: dirty bytes go to memory; L1: to the home, as `message`
  wake_at,               ///< a timer stimulus for this line at `time`; one, however often it is asked for
  flush_lines,           ///< a flush is presented to every line of this node, or to those that are its `role`'s, before
                         ///< the actions that follow
  write_on,  ///< a cache between: what the store or the atomic has left of its bytes goes to the home, too, as
             ///< `message`; the home's answer is for nobody
  pass_on,   ///< home: a new message `message` to the next home, under CoherencePolicy::home_ring
};

struct Action {
  ActionKind kind{};
  bool marks_dirty = false;    ///< write: the next level lacks these bytes from now on
  bool of_entry = false;       ///< send: one message for each line of the line's directory entry
  bool to_modules = false;     ///< send: `nodes` are the L2s of modules, not L1s
  const Role* role = nullptr;  ///< flush_lines: only lines to which the node is that; null: all
  std::uint8_t message = 0;    ///< the policy's message kind
  std::int16_t acks = 0;
  std::uint16_t requester = 0;  ///< send: whose access it belongs to
  std::uint64_t time = 0;       ///< wake_at, answer_parked: picoseconds
  std::array<std::uint64_t, 4> stamps{};
  NodeSet nodes;  ///< send; an L1 names peers only under CoherencePolicy::peer_messages
};

class ActionList {
 public:
  static constexpr unsigned capacity = 8;
  void clear() { size_ = 0; }
  /// An action of `kind` with default members; the reference holds until the list is cleared.
  Action& add(ActionKind kind) {
    if (size_ == capacity) throw base::ModelError("a transition asks for more than eight actions");
    Action& action = actions_[size_++];
    action = {};
    action.kind = kind;
    return action;
  }
  Action& add(ActionKind kind, std::uint8_t message) {
    Action& action = add(kind);
    action.message = message;
    return action;
  }
  const Action* begin() const { return actions_.data(); }
  const Action* end() const { return actions_.data() + size_; }
  unsigned size() const { return size_; }

 private:
  std::array<Action, capacity> actions_;
  unsigned size_ = 0;
};

}  // namespace syncline::protocols
