// The home of a GPU for a line of another GPU's memory (Ren, thesis, 5.6) as a difference to an L2 that caches for its
// own module: it has a directory of the modules of its GPU, performs stores and atomics of the GPU's scope, and passes
// what they leave on to the system's home without making anybody wait; a release of the system asks whether that has
// arrived. An invalidation goes on to all that it knows of.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/hmg/machines.h"
#include "protocols/coherence/hmg/passed_stores.h"
#include "protocols/coherence/nhcc/directory.h"

namespace syncline::protocols::hmg {
namespace {

using S = nhcc::GpmState;
using E = GpuHomeEvent;

static_assert(static_cast<Code>(E::Inv) == static_cast<Code>(nhcc::GpmEvent::Inv));

using A = GpuHomeAction;
static_assert(static_cast<Code>(A::drop) == static_cast<Code>(nhcc::GpmAction::drop));

constexpr EventName more_events[] = {
    {"Remote_Gets", on::refined, "another module of the GPU wants the line"},
    {"Remote_Write", on::refined, "a store of another module of the GPU"},
    {"Remote_Atomic", on::refined, "an atomic of the GPU's scope at most, of another module of it"},
    {"Atomic_Wide", on::refined, "an atomic of the system's scope, of any module of the GPU"},
    {"Dir_Replacement", on::directory_replacement, "the entry in the directory is wanted for another line"},
    {"Ack_Last", on::refined,
     "the last store that was passed on is performed, and releases of the system wait for that"}};
constexpr ActionName more_actions[] = {
    act::send("send_STORED", Message::STORED, "to the modules that have asked").among_modules(),
    act::update("forget_askers", "no module waits for it")};
static_assert(names_from<E, static_cast<std::size_t>(E::Inv) + 1>(more_events) &&
              names_from<A, static_cast<std::size_t>(A::drop) + 1>(nhcc::directory_actions, passing_actions,
                                                                   more_actions));

Vocabulary vocabulary(const Vocabulary& base) {
  Vocabulary words = base;
  words.protocol = "hmg";
  words.machine = "GPU home";
  words.messages = messages();
  append(words.events, more_events);
  append(words.actions, nhcc::directory_actions);
  append(words.actions, passing_actions);
  append(words.actions, more_actions);
  return words;
}

constexpr Row rows[] = {
    {S::I, E::Getu, {A::allocate, A::park, A::send_GETS}, S::IV, "miss: this is where the GPU has it from now on"},
    {S::I,
     E::Remote_Gets,
     {A::allocate, A::park, A::send_GETS},
     S::IV,
     "miss: this is where the GPU has it from now on"},
    {S::I, E::Atomic, {A::allocate, A::park, A::send_GETS}, S::IV, "miss: this is where the GPU has it from now on"},
    {S::I,
     E::Remote_Atomic,
     {A::allocate, A::park, A::send_GETS},
     S::IV,
     "miss: this is where the GPU has it from now on"},
    {S::I,
     E::Write,
     {A::invalidate_sharers, A::clear_sharers, A::unlist, A::pass_WRITE, A::count_store, A::send_ACK},
     S::I,
     "write-through, no write-allocate"},
    {S::I,
     E::Remote_Write,
     {A::list, A::invalidate_others, A::only_sender, A::pass_WRITE, A::count_store, A::send_ACK},
     S::I,
     "write-through, no write-allocate"},
    {S::I,
     E::Atomic_Wide,
     {A::invalidate_sharers, A::clear_sharers, A::unlist, A::forward_ATOMIC},
     S::I,
     "the new value exists at the system's home only"},
    {S::I,
     E::Inv,
     {A::invalidate_sharers, A::clear_sharers, A::unlist},
     S::I,
     "modules of this GPU are known here only"},
    {S::I,
     E::Dir_Replacement,
     {A::invalidate_sharers, A::clear_sharers, A::unlist},
     S::I,
     "nobody would know of the copies any more"},
    {S::I, E::Ack, {A::count_stored}, S::I, "more of them are under way, or nobody waits for it"},
    {S::I,
     E::Ack_Last,
     {A::count_stored, A::send_STORED, A::forget_askers},
     S::I,
     "no store that the GPU has seen is under way"},
    {S::V, E::Remote_Gets, {A::list, A::add_sharer, A::send_DATA}, S::V, "hit"},
    {S::V,
     E::Atomic,
     {A::write, A::invalidate_sharers, A::clear_sharers, A::unlist, A::pass_WRITE, A::count_store, A::send_ATOMIC_DATA},
     S::V,
     "the home of its scope"},
    {S::V,
     E::Remote_Atomic,
     {A::list, A::write, A::invalidate_others, A::only_sender, A::pass_WRITE, A::count_store, A::send_ATOMIC_DATA},
     S::V,
     "the home of its scope"},
    {S::V,
     E::Write,
     {A::write, A::invalidate_sharers, A::clear_sharers, A::unlist, A::pass_WRITE, A::count_store, A::send_ACK},
     S::V,
     "seen by the GPU from now on"},
    {S::V,
     E::Remote_Write,
     {A::list, A::write, A::invalidate_others, A::only_sender, A::pass_WRITE, A::count_store, A::send_ACK},
     S::V,
     "seen by the GPU from now on"},
    {S::V,
     E::Atomic_Wide,
     {A::drop, A::invalidate_sharers, A::clear_sharers, A::unlist, A::forward_ATOMIC},
     S::I,
     "the new value exists at the system's home only"},
    {S::V,
     E::Inv,
     {A::drop, A::invalidate_sharers, A::clear_sharers, A::unlist},
     S::I,
     "modules of this GPU are known here only"},
    {S::V,
     E::Dir_Replacement,
     {A::invalidate_sharers, A::clear_sharers, A::unlist},
     S::V,
     "nobody would know of the copies any more"},
    {S::V, E::Ack, {A::count_stored}, S::V, "more of them are under way, or nobody waits for it"},
    {S::V,
     E::Ack_Last,
     {A::count_stored, A::send_STORED, A::forget_askers},
     S::V,
     "no store that the GPU has seen is under way"},
    {S::IV, E::Remote_Gets, {A::park}, S::IV, "merged with the request that is on its way"},
    {S::IV, E::Remote_Write, {A::park}, S::IV, "behind what waits, so that loads before it do not see it"},
    {S::IV, E::Remote_Atomic, {A::park}, S::IV, "behind what waits"},
    {S::IV, E::Atomic_Wide, {A::park}, S::IV, "behind what waits"},
    {S::IV,
     E::Inv,
     {A::invalidate_sharers, A::clear_sharers, A::unlist},
     S::IV,
     "of an older copy: the line comes behind it, and is newer"},
    {S::IV,
     E::Dir_Replacement,
     {A::invalidate_sharers, A::clear_sharers, A::unlist},
     S::IV,
     "nobody would know of the copies any more"},
    {S::IV, E::Ack, {A::count_stored}, S::IV, "more of them are under way, or nobody waits for it"},
    {S::IV,
     E::Ack_Last,
     {A::count_stored, A::send_STORED, A::forget_askers},
     S::IV,
     "no store that the GPU has seen is under way"},
};

constexpr nhcc::Directory directory(A::list);

}  // namespace

void GpuHomeMachine::refine(Situation& at, const Stimulus& stimulus, const LineMeta&, const NodeMeta& node) const {
  const bool is_wide = stimulus.access.scope == Scope::sys;
  switch (static_cast<E>(at.event)) {
    case E::Gets:
      if (!stimulus.local) at.event = static_cast<Code>(E::Remote_Gets);
      break;
    case E::Getu:
      if (is_wide) at.event = static_cast<Code>(E::Getu_Wide);
      break;
    case E::Write:
      if (!stimulus.local) at.event = static_cast<Code>(E::Remote_Write);
      break;
    case E::Atomic:
      if (is_wide)
        at.event = static_cast<Code>(E::Atomic_Wide);
      else if (!stimulus.local)
        at.event = static_cast<Code>(E::Remote_Atomic);
      break;
    case E::Ack:
      if (node.acks == 1 && node.asked_by != 0) at.event = static_cast<Code>(E::Ack_Last);
      break;
    default:
      break;
  }
}

void GpuHomeMachine::update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta& node) {
  std::uint64_t told = 0;
  if (directory.update(action, stimulus, line, told)) {
    node.unmarked[of_gpu] |= told;
    return;
  }
  if (update_passed(action, A::send_ACK, node)) return;
  if (static_cast<A>(action) != A::forget_askers) unknown_action(action);
  node.asked_by = 0;
}

void GpuHomeMachine::complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                              Action& action) const {
  if (directory.complete(code, stimulus, line, action)) return;
  switch (static_cast<A>(code)) {
    case A::send_STORED:
      action.stamps[release_stamp] = of_system;
      action.nodes = NodeSet::of_word(node.asked_by);
      break;
    default:
      GpmMachine::complete(code, stimulus, line, node, action);
  }
}

std::shared_ptr<const TransitionTable> gpu_home_table() {
  const auto base = nhcc::gpm_table();
  return make_overlay(*base, vocabulary(base->vocabulary()), rows);
}

std::unique_ptr<Machine> make_gpu_home(std::shared_ptr<const TransitionTable> table) {
  return std::make_unique<GpuHomeMachine>(std::move(table));
}

}  // namespace syncline::protocols::hmg
