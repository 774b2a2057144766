// The home of a GPU where software keeps copies, as a difference to an L2 that caches for its own module: what has the
// GPU's scope ends here, and what that leaves is passed on.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/hmg/passed_stores.h"
#include "protocols/coherence/sw_hierarchical/machines.h"

namespace syncline::protocols::sw_hierarchical {
namespace {

using S = sw::GpmState;

/// Those of sw::GpmEvent, and behind them
enum class E : std::uint8_t {
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
  Drop,
  Atomic_Wide,
  Ack_Last
};
static_assert(static_cast<Code>(E::Drop) == static_cast<Code>(sw::GpmEvent::Drop));

/// Those of sw::GpmAction, and behind them
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
  count_waiting,
  count_served,
  forget_waiting,
  send_ACK,
  send_ATOMIC_DATA,
  pass_WRITE,
  count_store,
  count_stored,
  tell_releases,
  tell_fences,
  forget_askers
};
static_assert(static_cast<Code>(A::forget_waiting) == static_cast<Code>(sw::GpmAction::forget_waiting));

constexpr EventName more_events[] = {
    {"Atomic_Wide", on::refined, "an atomic of the system's scope"},
    {"Ack_Last", on::refined,
     "the last store that was passed on is performed, and releases of the system wait for that"}};
constexpr ActionName more_actions[] = {
    act::send("tell_releases", Message::STORED, "to the modules that have asked for a release").among_modules(),
    act::send("tell_fences", Message::STORED, "to those that have asked for a fence").among_modules(),
    act::update("forget_askers", "no module waits for it")};
static_assert(names_from<E, static_cast<std::size_t>(E::Drop) + 1>(more_events) &&
              names_from<A, static_cast<std::size_t>(A::forget_waiting) + 1>(hmg::passing_actions, more_actions));

Vocabulary vocabulary(const Vocabulary& base) {
  Vocabulary words = base;
  words.protocol = "sw_hierarchical";
  words.machine = "GPU home";
  words.messages = messages();
  append(words.events, more_events);
  append(words.actions, hmg::passing_actions);
  append(words.actions, more_actions);
  return words;
}

constexpr Row rows[] = {
    {S::I,
     E::Getu,
     {A::allocate, A::park, A::count_waiting, A::send_GETS},
     S::IV,
     "miss: this is where the GPU has it from now on"},
    {S::I,
     E::Atomic,
     {A::allocate, A::park, A::count_waiting, A::send_GETS},
     S::IV,
     "miss: this is where the GPU has it from now on"},
    {S::I, E::Write, {A::pass_WRITE, A::count_store, A::send_ACK}, S::I, "write-through, no write-allocate"},
    {S::I, E::Atomic_Wide, {A::forward_ATOMIC}, S::I, "performed at the system's home"},
    {S::I, E::Ack, {A::count_stored}, S::I, "more of them are under way, or nobody waits for it"},
    {S::I,
     E::Ack_Last,
     {A::count_stored, A::tell_releases, A::tell_fences, A::forget_askers},
     S::I,
     "no store that was passed on is under way"},

    {S::V, E::Write, {A::write, A::pass_WRITE, A::count_store, A::send_ACK}, S::V, "seen by the GPU from now on"},
    {S::V, E::Atomic, {A::write, A::pass_WRITE, A::count_store, A::send_ATOMIC_DATA}, S::V, "the home of its scope"},
    {S::V, E::Atomic_Wide, {A::drop, A::forward_ATOMIC}, S::I, "the new value exists at the system's home only"},
    {S::V, E::Ack, {A::count_stored}, S::V, "more of them are under way, or nobody waits for it"},
    {S::V,
     E::Ack_Last,
     {A::count_stored, A::tell_releases, A::tell_fences, A::forget_askers},
     S::V,
     "no store that was passed on is under way"},

    {S::IV, E::Atomic_Wide, {A::park, A::count_waiting}, S::IV, "behind what waits"},
    {S::IV, E::Ack, {A::count_stored}, S::IV, "more of them are under way, or nobody waits for it"},
    {S::IV,
     E::Ack_Last,
     {A::count_stored, A::tell_releases, A::tell_fences, A::forget_askers},
     S::IV,
     "no store that was passed on is under way"},

    {S::IX, E::Atomic_Wide, {A::park}, S::IX, "behind what waits"},
    {S::IX, E::Ack, {A::count_stored}, S::IX, "more of them are under way, or nobody waits for it"},
    {S::IX,
     E::Ack_Last,
     {A::count_stored, A::tell_releases, A::tell_fences, A::forget_askers},
     S::IX,
     "no store that was passed on is under way"},

    {S::VX,
     E::Write,
     {A::drop, A::pass_WRITE, A::count_store, A::send_ACK},
     S::I,
     "who waits behind it asks again, and sees it"},
    {S::VX,
     E::Atomic,
     {A::write, A::pass_WRITE, A::count_store, A::send_ATOMIC_DATA, A::drop},
     S::I,
     "who waits behind it asks again, and sees it"},
    {S::VX, E::Atomic_Wide, {A::drop, A::forward_ATOMIC}, S::I, "who waits behind it asks again, and sees it"},
};

class GpuHomeMachine final : public sw::GpmMachine {
 public:
  GpuHomeMachine(std::shared_ptr<const TransitionTable> table, const ModuleGrid& grid)
      : sw::GpmMachine(std::move(table)), grid_(grid) {}

 protected:
  void refine(Situation& at, const Stimulus& stimulus, const LineMeta&, const NodeMeta& node) const override {
    const bool is_wide = stimulus.access.scope == Scope::sys;
    const auto event = static_cast<E>(at.event);
    if (event == E::Getu && is_wide) at.event = static_cast<Code>(E::Getu_Wide);
    if (event == E::Atomic && is_wide) at.event = static_cast<Code>(E::Atomic_Wide);
    if (event == E::Ack && node.acks == 1 && node.asked_by != 0) at.event = static_cast<Code>(E::Ack_Last);
  }

  void update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta& node) override {
    if (hmg::update_passed(action, A::send_ACK, node)) return;
    if (static_cast<A>(action) == A::forget_askers)
      node.asked_by = 0;
    else
      sw::GpmMachine::update(action, stimulus, line, node);
  }

  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                Action& action) const override {
    if (static_cast<A>(code) != A::tell_releases && static_cast<A>(code) != A::tell_fences)
      return sw::GpmMachine::complete(code, stimulus, line, node, action);
    const unsigned track = static_cast<A>(code) == A::tell_releases ? of_releases : of_acquires;
    action.stamps[track_stamp] = track;
    grid_.each_beside(stimulus.node, [&](unsigned module) {
      if ((node.asked_by & asker(grid_, module, track)) != 0) action.nodes.insert(module);
    });
  }

 private:
  ModuleGrid grid_;
};

}  // namespace

std::shared_ptr<const TransitionTable> gpu_home_table() {
  const auto base = sw::gpm_table();
  return make_overlay(*base, vocabulary(base->vocabulary()), rows);
}

std::unique_ptr<Machine> make_gpu_home(std::shared_ptr<const TransitionTable> table, const ModuleGrid& grid) {
  return std::make_unique<GpuHomeMachine>(std::move(table), grid);
}

}  // namespace syncline::protocols::sw_hierarchical
