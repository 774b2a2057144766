// What the home of a GPU does with what has the GPU's scope: it performs that, and passes what it leaves on to the
// system's home without making anybody wait. How many of these stores are under way is the node's `acks`.
#pragma once

#include <cstddef>
#include <iterator>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/nhcc/machines.h"

namespace syncline::protocols::hmg {

/// The actions of each home of a GPU for that, one behind the other in this order.
enum class PassingAction : std::uint8_t { send_ACK, send_ATOMIC_DATA, pass_WRITE, count_store, count_stored, count_ };

inline constexpr ActionName passing_actions[] = {
    act::reply("send_ACK", nhcc::Message::ACK, "the store is performed for the GPU"),
    act::reply("send_ATOMIC_DATA", nhcc::Message::ATOMIC_DATA, "the atomic is performed for the GPU; the old values"),
    act::write_on("pass_WRITE", nhcc::Message::WRITE, "what it leaves goes to the system's home"),
    act::update("count_store", "one more that has been passed on is not performed yet"),
    act::update("count_stored", "one of those that were passed on is performed")};
static_assert(std::size(passing_actions) == static_cast<std::size_t>(PassingAction::count_));

/// Of a machine whose first such action is `send_ACK`: whether the action is one that counts, which is done then.
template <class Action>
bool update_passed(Code action, Action send_ack, NodeMeta& node) {
  switch (static_cast<PassingAction>(action - static_cast<Code>(send_ack))) {
    case PassingAction::count_store:
      ++node.acks;
      return true;
    case PassingAction::count_stored:
      --node.acks;
      return true;
    default:
      return false;
  }
}

}  // namespace syncline::protocols::hmg
