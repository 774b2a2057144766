// The machines of SW. States, events and messages are public for the policies that differ from this one: a copy that
// may grow old while it is on its way is what `ideal_remote` has, too.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "protocols/coherence/nhcc/machines.h"
#include "protocols/coherence/sw/sw.h"

namespace syncline::protocols::sw {

/// Those of nhcc::GpmState, and behind them those of a line that has grown old before it was there.
enum class GpmState : std::uint8_t { I, V, IV, IX, VX };

/// Those of nhcc::GpmEvent without invalidations, and what makes copies old.
enum class GpmEvent : std::uint8_t {
  Gets,
  Getu,
  Getu_Wide,
  Write,
  Atomic,
  Replacement,
  Data,
  Data_U,
  Ack,
  Atomic_Data,
  Drop
};

/// Those of nhcc::GpmAction, and behind them the count of accesses that wait for the line since before it grew old.
enum class GpmAction : std::uint8_t {
  stall,
  allocate,
  park,
  send_GETS,
  forward_GETU,
  forward_WRITE,
  forward_ATOMIC,
  send_DATA,
  relay_DATA_U,
  relay_ACK,
  relay_ATOMIC_DATA,
  write,
  fill,
  replay,
  drop,
  count_waiting,
  count_served,
  forget_waiting
};
enum class GpmGuard : std::uint8_t { more };

/// GpmGuard::more.
inline bool more_have_waited(const LineMeta& line) {
  return line.pending_reads > 1;
}
/// Of a machine whose first such action is `first`: whether the action is one that counts them, which is done then.
template <class Action>
bool count_waiting(Code action, Action first, LineMeta& line) {
  switch (static_cast<GpmAction>(action - static_cast<Code>(first) + static_cast<Code>(GpmAction::count_waiting))) {
    case GpmAction::count_waiting:
      ++line.pending_reads;
      return true;
    case GpmAction::count_served:
      --line.pending_reads;
      return true;
    case GpmAction::forget_waiting:
      line.pending_reads = 0;
      return true;
    default:
      return false;
  }
}

class GpmMachine : public nhcc::GpmMachine {
 public:
  using nhcc::GpmMachine::GpmMachine;

 protected:
  bool holds(Code guard, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override;
  void update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta& node) override;
};

/// Those of none::HomeEvent, and behind them
enum class HomeEvent : std::uint8_t { Load, Store, Atomic, Replacement, Mem_Data, Fence };
/// Those of none::HomeAction, and behind them
enum class HomeAction : std::uint8_t {
  stall,
  allocate,
  park,
  fetch,
  fill,
  replay,
  write,
  send_DATA,
  send_ACK,
  send_ATOMIC_DATA,
  write_back,
  drop,
  empty_GPM,
  send_FENCED
};

class HomeMachine : public none::HomeMachine {
 public:
  using none::HomeMachine::HomeMachine;

 protected:
  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                Action& action) const override;
};

/// Those of nhcc without a directory's and its releases'.
std::vector<MessageKind> messages();
/// The GPM's, with a Drop that is `drop`'s: a flush, or an invalidation.
std::shared_ptr<const TransitionTable> gpm_table(const EventName& drop);
std::shared_ptr<const TransitionTable> gpm_table();
std::shared_ptr<const TransitionTable> home_table();

}  // namespace syncline::protocols::sw
