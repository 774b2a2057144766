// The home of HMG as a difference to that of NHCC: releases by scope. One of the GPU asks the homes of the GPU, each of
// which marks what it has invalidated there. One of the system has three steps: the stores that the GPU has seen are at
// their homes; these have marked what they have invalidated; and so have the homes of all GPUs, which pass
// invalidations on.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/hmg/machines.h"

namespace syncline::protocols::hmg {
namespace {

using S = none::HomeState;
using E = HomeEvent;

static_assert(static_cast<Code>(E::Answer_Last) == static_cast<Code>(nhcc::HomeEvent::Answer_Last));

/// Those of nhcc::HomeGuard, and behind them
enum class G : std::uint8_t { covered, completes, dirty, asks, others_wait, stores_under_way };
static_assert(static_cast<Code>(G::others_wait) == static_cast<Code>(nhcc::HomeGuard::others_wait));

/// Those of nhcc::HomeAction, and behind them those of steps.
enum class A : std::uint8_t {
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
  list,
  unlist,
  add_sharer,
  only_sender,
  clear_sharers,
  invalidate_others,
  invalidate_sharers,
  begin,
  join,
  next_turn,
  end,
  count_answer,
  send_ASK,
  send_MARK,
  send_MARK_ACK,
  send_FENCED,
  next_step,
  send_ASK_STORED,
  send_STORED,
  note_asker,
  send_ASK_GPU,
  send_MARK_GPU
};
static_assert(static_cast<Code>(A::send_FENCED) == static_cast<Code>(nhcc::HomeAction::send_FENCED));

constexpr EventName more_events[] = {
    {"Fence_Gpu", on::refined, "an L1 of this module releases for the GPU; Fence: for the system"},
    {"Ask_Gpu", on::message(Message::ASK_GPU), "what has been invalidated here within the GPU?"},
    {"Ask_Stored", on::message(Message::ASK_STORED), "is all performed that was passed on from here?"},
    {"Stored", on::message(Message::STORED), "a module has performed all that it passed on"},
    {"Stored_Last", on::refined, "the last one of this GPU has"},
    {"System_Last", on::refined, "the last module has seen the invalidations of the system's homes"},
    {"Gpu_Last", on::refined, "the last module has seen those of the GPU's homes, for a release of the GPU"}};
constexpr GuardName more_guards[] = {{"stores_under_way", "the system's homes have not performed all yet"}};
constexpr ActionName more_actions[] = {
    act::update("next_step", "the next step begins: the system's homes ask, or those of GPUs"),
    act::send("send_ASK_STORED", Message::ASK_STORED, "to all modules of this GPU, this one too").among_modules(),
    act::send("send_STORED", Message::STORED, "to the module that asks").among_modules(),
    act::update("note_asker", "the module that asks is told later"),
    act::send("send_ASK_GPU", Message::ASK_GPU, "to the other modules of the release's scope").among_modules(),
    act::send("send_MARK_GPU", Message::MARK, "to the other modules of this GPU").among_modules()};
static_assert(names_from<E, static_cast<std::size_t>(E::Answer_Last) + 1>(more_events) &&
              names_from<G, static_cast<std::size_t>(G::others_wait) + 1>(more_guards) &&
              names_from<A, static_cast<std::size_t>(A::send_FENCED) + 1>(more_actions));

Vocabulary vocabulary(const Vocabulary& base) {
  Vocabulary words = base;
  words.protocol = "hmg";
  words.messages = messages();
  append(words.events, more_events);
  append(words.guards, more_guards);
  append(words.actions, more_actions);
  return words;
}

constexpr Row rows[] = {
    {S::NP, E::Fence, G::asks, {A::join}, S::NP, "the questions on their way may be older than its stores"},
    {S::NP, E::Fence, {A::begin, A::send_ASK_STORED}, S::NP, "first what the GPU has seen and the system has not"},
    {S::NP, E::Fence_Gpu, G::asks, {A::join}, S::NP, "the questions on their way may be older than its stores"},
    {S::NP,
     E::Fence_Gpu,
     {A::begin, A::send_ASK_GPU, A::send_MARK_GPU},
     S::NP,
     "its stores are performed at the GPU's homes: these have said so"},
    {S::NP, E::Ask_Stored, G::stores_under_way, {A::note_asker}, S::NP, "answered when they are performed"},
    {S::NP, E::Ask_Stored, {A::send_STORED}, S::NP, "nothing is under way"},
    {S::NP, E::Ask_Gpu, {A::send_MARK_GPU}, S::NP, "behind all invalidations of here that concern the GPU"},
    {S::NP, E::Stored, {A::count_answer}, S::NP, "more to come"},
    {S::NP, E::Stored_Last, {A::next_step, A::send_ASK, A::send_MARK}, S::NP, "now what these stores invalidate"},
    {S::NP,
     E::System_Last,
     {A::next_step, A::send_ASK_GPU, A::send_MARK_GPU},
     S::NP,
     "now what the homes of GPUs have passed on"},
    {S::NP,
     E::Answer_Last,
     G::others_wait,
     {A::send_FENCED, A::next_turn, A::send_ASK_STORED},
     S::NP,
     "and those who came meanwhile have their turn"},
    {S::NP, E::Answer_Last, {A::send_FENCED, A::end}, S::NP, "no module has a copy that the release makes old"},
    {S::NP,
     E::Gpu_Last,
     G::others_wait,
     {A::send_FENCED, A::next_turn, A::send_ASK_GPU, A::send_MARK_GPU},
     S::NP,
     "and those who came meanwhile have their turn"},
    {S::NP, E::Gpu_Last, {A::send_FENCED, A::end}, S::NP, "no module of the GPU has a copy that the release makes old"},
};

/// Of a release of the system, in JointFence::phase; one of the GPU has the last alone.
enum Step : std::uint8_t { stored = 1, system = 2, gpu = 3 };

class HmgHome final : public nhcc::HomeMachine {
 public:
  using HomeMachine::HomeMachine;

 protected:
  unsigned track(const Stimulus& stimulus) const override {
    if (static_cast<Message>(stimulus.message) == Message::FENCE)
      return stimulus.access.scope == Scope::sys ? of_system : of_gpu;
    return stimulus.stamps[release_stamp] == 0 ? of_gpu : of_system;
  }

  void refine(Situation& at, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override {
    HomeMachine::refine(at, stimulus, line, node);
    const JointFence& fence = node.fences[track(stimulus)];
    if (at.event == static_cast<Code>(E::Fence) && track(stimulus) == of_gpu)
      at.event = static_cast<Code>(E::Fence_Gpu);
    else if (at.event == static_cast<Code>(E::Stored) && fence.answers == 1)
      at.event = static_cast<Code>(E::Stored_Last);
    else if (at.event == static_cast<Code>(E::Answer_Last) && fence.phase == system)
      at.event = static_cast<Code>(E::System_Last);
    else if (at.event == static_cast<Code>(E::Answer_Last) && track(stimulus) == of_gpu)
      at.event = static_cast<Code>(E::Gpu_Last);
  }

  bool holds(Code guard, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override {
    return static_cast<G>(guard) == G::stores_under_way ? node.acks != 0
                                                        : HomeMachine::holds(guard, stimulus, line, node);
  }

  void update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta& node) override {
    const unsigned which = track(stimulus);
    JointFence& fence = node.fences[which];
    switch (static_cast<A>(action)) {
      case A::begin:
      case A::next_turn:
        HomeMachine::update(action, stimulus, line, node);
        step(fence, which, which == of_gpu ? gpu : stored);
        break;
      case A::next_step:
        step(fence, which, fence.phase == stored ? system : gpu);
        break;
      case A::note_asker:
        node.asked_by |= std::uint64_t{1} << stimulus.module;
        break;
      default:
        HomeMachine::update(action, stimulus, line, node);
    }
  }

  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                Action& action) const override {
    complete_step(code, stimulus, line, node, action);
    action.stamps[release_stamp] = track(stimulus);
    if (static_cast<Message>(stimulus.message) == Message::STORED) action.requester = stimulus.node;
  }

 private:
  void complete_step(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                     Action& action) const {
    switch (static_cast<A>(code)) {
      case A::send_ASK_STORED:
        action.requester = stimulus.node;
        action.nodes = mates(stimulus);
        action.nodes.insert(stimulus.node);
        break;
      case A::send_STORED:
        action.nodes.insert(stimulus.module);
        break;
      case A::send_ASK_GPU:
        action.requester = stimulus.node;
        action.nodes = track(stimulus) == of_gpu ? mates(stimulus) : others(stimulus);
        break;
      case A::send_MARK_GPU:
        action.requester = stimulus.module;
        action.nodes = mates(stimulus);
        break;
      default:
        HomeMachine::complete(code, stimulus, line, node, action);
    }
  }
  void step(JointFence& fence, unsigned which, Step next) const {
    const unsigned of_gpu_each = grid_.modules_of_gpu - 1;
    const unsigned asked = which == of_gpu ? grid_.modules_of_gpu : grid_.modules();
    const unsigned answers = next == stored   ? grid_.modules_of_gpu
                             : next == system ? answers_of_all()
                                              : asked * of_gpu_each;
    fence.phase = next;
    fence.answers = static_cast<std::uint16_t>(answers);
  }
  /// The other modules of this GPU.
  NodeSet mates(const Stimulus& stimulus) const {
    NodeSet modules;
    others(stimulus).for_each([&](unsigned module) {
      if (grid_.gpu_of(module) == grid_.gpu_of(stimulus.node)) modules.insert(module);
    });
    return modules;
  }
};

}  // namespace

std::shared_ptr<const TransitionTable> home_table() {
  const auto base = nhcc::home_table();
  return make_overlay(*base, vocabulary(base->vocabulary()), rows);
}

std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table, const ModuleGrid& grid) {
  return std::make_unique<HmgHome>(std::move(table), grid);
}

}  // namespace syncline::protocols::hmg
