// The home of a GPU of `hmg` for which an invalidation may come before the line that it is about. What waits for that
// line is served as in an L2 that caches for its own module alone (sw/gpm.cpp), whose rows for that are taken over; a
// module of the GPU that is served an old line is told at once that it is.
#include <algorithm>
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/hmg/machines.h"
#include "protocols/coherence/ideal_remote/ideal_remote.h"
#include "protocols/coherence/sw/machines.h"

namespace syncline::protocols::ideal_remote {
namespace {

using S = sw::GpmState;
using E = hmg::GpuHomeEvent;
using G = sw::GpmGuard;

/// Those of hmg::GpuHomeAction, and behind them
enum class A : std::uint8_t {
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
  list,
  unlist,
  add_sharer,
  only_sender,
  clear_sharers,
  invalidate_others,
  invalidate_sharers,
  send_ACK,
  send_ATOMIC_DATA,
  pass_WRITE,
  count_store,
  count_stored,
  send_STORED,
  forget_askers,
  count_waiting,
  count_served,
  forget_waiting,
  invalidate_sender
};
static_assert(static_cast<Code>(A::drop) == static_cast<Code>(sw::GpmAction::drop) &&
              static_cast<Code>(A::forget_askers) == static_cast<Code>(hmg::GpuHomeAction::forget_askers));

constexpr Row rows[] = {
    {S::I, E::Getu, {A::allocate, A::park, A::count_waiting, A::send_GETS}, S::IV, "miss"},
    {S::I, E::Remote_Gets, {A::allocate, A::park, A::count_waiting, A::send_GETS}, S::IV, "miss"},
    {S::I, E::Atomic, {A::allocate, A::park, A::count_waiting, A::send_GETS}, S::IV, "miss"},
    {S::I, E::Remote_Atomic, {A::allocate, A::park, A::count_waiting, A::send_GETS}, S::IV, "miss"},

    {S::IV, E::Remote_Gets, {A::park, A::count_waiting}, S::IV, "merged with the request that is on its way"},
    {S::IV,
     E::Remote_Write,
     {A::park, A::count_waiting},
     S::IV,
     "behind what waits, so that loads before it do not see it"},
    {S::IV, E::Remote_Atomic, {A::park, A::count_waiting}, S::IV, "behind what waits"},
    {S::IV, E::Atomic_Wide, {A::park, A::count_waiting}, S::IV, "behind what waits"},
    {S::IV,
     E::Inv,
     {A::invalidate_sharers, A::clear_sharers, A::unlist},
     S::IX,
     "the line may be on its way before it"},

    {S::IX, E::Remote_Gets, {A::park}, S::IX, "asks again, behind those for whom the line comes"},
    {S::IX, E::Remote_Write, {A::park}, S::IX, "behind what waits, so that loads before it do not see it"},
    {S::IX, E::Remote_Atomic, {A::park}, S::IX, "behind what waits"},
    {S::IX, E::Atomic_Wide, {A::park}, S::IX, "behind what waits"},
    {S::IX, E::Inv, {A::invalidate_sharers, A::clear_sharers, A::unlist}, S::IX, "it is old already"},
    {S::IX,
     E::Dir_Replacement,
     {A::invalidate_sharers, A::clear_sharers, A::unlist},
     S::IX,
     "nobody would know of the copies any more"},
    {S::IX, E::Ack, {A::count_stored}, S::IX, "more of them are under way, or nobody waits for it"},
    {S::IX,
     E::Ack_Last,
     {A::count_stored, A::send_STORED, A::forget_askers},
     S::IX,
     "no store that the GPU has seen is under way"},

    {S::VX,
     E::Remote_Gets,
     G::more,
     {A::send_DATA, A::invalidate_sender, A::count_served},
     S::VX,
     "what it gets is old, and here nobody will know that it has it"},
    {S::VX,
     E::Remote_Gets,
     {A::send_DATA, A::invalidate_sender, A::drop},
     S::I,
     "what it gets is old, and here nobody will know that it has it"},
    {S::VX,
     E::Write,
     {A::drop, A::invalidate_sharers, A::clear_sharers, A::unlist, A::pass_WRITE, A::count_store, A::send_ACK},
     S::I,
     "who waits behind it asks again, and sees it"},
    {S::VX,
     E::Remote_Write,
     {A::drop, A::list, A::invalidate_others, A::only_sender, A::pass_WRITE, A::count_store, A::send_ACK},
     S::I,
     "who waits behind it asks again, and sees it"},
    {S::VX,
     E::Atomic,
     {A::write, A::invalidate_sharers, A::clear_sharers, A::unlist, A::pass_WRITE, A::count_store, A::send_ATOMIC_DATA,
      A::drop},
     S::I,
     "who waits behind it asks again, and sees it"},
    {S::VX,
     E::Remote_Atomic,
     {A::list, A::write, A::invalidate_others, A::only_sender, A::pass_WRITE, A::count_store, A::send_ATOMIC_DATA,
      A::drop},
     S::I,
     "who waits behind it asks again, and sees it"},
    {S::VX,
     E::Atomic_Wide,
     {A::drop, A::invalidate_sharers, A::clear_sharers, A::unlist, A::forward_ATOMIC},
     S::I,
     "who waits behind it asks again, and sees it"},
    {S::VX, E::Inv, {A::invalidate_sharers, A::clear_sharers, A::unlist}, S::VX, "it is old already"},
    {S::VX,
     E::Dir_Replacement,
     {A::invalidate_sharers, A::clear_sharers, A::unlist},
     S::VX,
     "nobody would know of the copies any more"},
};

class GpuHomeMachine final : public hmg::GpuHomeMachine {
 public:
  using hmg::GpuHomeMachine::GpuHomeMachine;

 protected:
  bool holds(Code, const Stimulus&, const LineMeta& line, const NodeMeta&) const override {
    return sw::more_have_waited(line);
  }
  void update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta& node) override {
    if (!sw::count_waiting(action, A::count_waiting, line)) hmg::GpuHomeMachine::update(action, stimulus, line, node);
  }
  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                Action& action) const override {
    if (static_cast<A>(code) == A::invalidate_sender)
      action.nodes.insert(stimulus.sender);
    else
      hmg::GpuHomeMachine::complete(code, stimulus, line, node, action);
  }
};

/// The code here of an action of sw::GpmAction.
Code taken_over(Code action) {
  constexpr auto first = static_cast<Code>(sw::GpmAction::count_waiting);
  return action < first ? action : static_cast<Code>(action - first + static_cast<Code>(A::count_waiting));
}

}  // namespace

std::shared_ptr<const TransitionTable> gpu_home_table() {
  const auto base = hmg::gpu_home_table(), waiting = gpm_table();
  const Vocabulary& from = waiting->vocabulary();
  Vocabulary words = base->vocabulary();
  words.protocol = "ideal_remote";
  words.messages = messages();
  words.states = from.states;
  words.guards = from.guards;
  words.actions.insert(words.actions.end(), from.actions.begin() + static_cast<int>(sw::GpmAction::count_waiting),
                       from.actions.end());
  words.actions.push_back(
      act::send("invalidate_sender", hmg::Message::INV, "to the module that is served").among_modules());
  // What an L2 does for its own module where lines may be old when they come, but where the home of a GPU does it
  // its way already.
  std::vector<Row> changes;
  for (const Transition& t : waiting->transitions()) {
    const bool is_new = t.row.state >= static_cast<Code>(S::IX);
    const bool counts = std::any_of(t.row.actions.begin(), t.row.actions.end(), [](Code action) {
      return action >= static_cast<Code>(sw::GpmAction::count_waiting);
    });
    const bool has_own = std::any_of(std::begin(rows), std::end(rows), [&](const Row& row) {
      return row.state == t.row.state && row.event == t.row.event;
    });
    if (has_own || !(is_new || counts)) continue;
    Row row = t.row;
    row.actions = {};
    for (const Code action : t.row.actions) row.actions.push_back(taken_over(action));
    changes.push_back(row);
  }
  changes.insert(changes.end(), std::begin(rows), std::end(rows));
  return std::make_shared<const TransitionTable>(base->overlaid(std::move(words), changes));
}

std::unique_ptr<Machine> make_gpu_home(std::shared_ptr<const TransitionTable> table) {
  return std::make_unique<GpuHomeMachine>(std::move(table));
}

}  // namespace syncline::protocols::ideal_remote
