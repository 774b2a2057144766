// The home of HMG as a difference to that of NHCC: releases by scope. One of the GPU asks the homes in the GPU. One of
// the system first asks whether the stores that the GPU has seen are at their homes, and then the homes in all modules.
// The home of a GPU that is sent a marker of the system answers when what it has passed on has been received, too.
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
enum class G : std::uint8_t {
  covered,
  completes,
  dirty,
  asks,
  others_wait,
  marks_all,
  marks,
  unmarked,
  others_ask,
  stores_under_way
};
static_assert(static_cast<Code>(G::others_ask) == static_cast<Code>(nhcc::HomeGuard::others_ask));

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
  send_FENCED,
  note_asker,
  note_later,
  next_askers,
  forget_askers,
  mark,
  count_mark,
  send_MARK,
  send_MARK_ACK,
  send_ASK_ACK,
  answer_askers,
  answer_homes,
  next_step,
  send_ASK_STORED,
  send_STORED,
  tell_later
};
static_assert(static_cast<Code>(A::answer_askers) == static_cast<Code>(nhcc::HomeAction::answer_askers));

constexpr EventName more_events[] = {
    {"Fence_System", on::refined, "an L1 of this module releases for the system; Fence: for the GPU"},
    {"Mark_System", on::refined, "the marker of another GPU's home, to this one of a GPU"},
    {"Ask_Stored", on::message(Message::ASK_STORED), "is all performed that was passed on from here?"},
    {"Stored", on::message(Message::STORED), "a module has performed all that it passed on"},
    {"Stored_Last", on::refined, "the last one of this GPU has"},
    {"Answer_Last_System", on::refined, "the last home has answered, for a release of the system"}};
constexpr GuardName more_guards[] = {{"stores_under_way", "the system's homes have not performed all yet"}};
constexpr ActionName more_actions[] = {
    act::send("answer_homes", Message::MARK_ACK, "to those that have asked of other GPUs").among_modules(),
    act::update("next_step", "the next step begins: the system's homes are asked"),
    act::send("send_ASK_STORED", Message::ASK_STORED, "to all modules of this GPU, this one too").among_modules(),
    act::send("send_STORED", Message::STORED, "to the module that asks").among_modules(),
    act::update("tell_later", "the module that asks is told when all is performed")};
static_assert(names_from<E, static_cast<std::size_t>(E::Answer_Last) + 1>(more_events) &&
              names_from<G, static_cast<std::size_t>(G::others_ask) + 1>(more_guards) &&
              names_from<A, static_cast<std::size_t>(A::answer_askers) + 1>(more_actions));

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
    {S::NP, E::Fence_System, G::asks, {A::join}, S::NP, "the questions on their way may be older than its stores"},
    {S::NP,
     E::Fence_System,
     {A::begin, A::send_ASK_STORED},
     S::NP,
     "first what the GPU has seen and the system has not"},
    {S::NP, E::Ask_Stored, G::stores_under_way, {A::tell_later}, S::NP, "answered when they are performed"},
    {S::NP, E::Ask_Stored, {A::send_STORED}, S::NP, "nothing is under way"},
    {S::NP, E::Stored, {A::count_answer}, S::NP, "more to come"},
    {S::NP, E::Stored_Last, {A::next_step, A::send_ASK}, S::NP, "now what these stores invalidate"},
    {S::NP,
     E::Answer_Last_System,
     G::others_wait,
     {A::send_FENCED, A::next_turn, A::send_ASK_STORED},
     S::NP,
     "and those who came meanwhile have their turn"},
    {S::NP, E::Answer_Last_System, {A::send_FENCED, A::end}, S::NP, "no module has a copy that the release makes old"},

    {S::NP, E::Mark_System, G::marks_all, {A::note_asker}, S::NP, "what it has passed on is before the markers"},
    {S::NP, E::Mark_System, G::marks, {A::note_later}, S::NP, "some invalidations are younger than the markers"},
    {S::NP, E::Mark_System, G::unmarked, {A::note_asker, A::send_MARK, A::mark}, S::NP, "behind what it has passed on"},
    {S::NP, E::Mark_System, {A::send_MARK_ACK}, S::NP, "modules have received what it has passed on"},
    {S::NP,
     E::Mark_Ack_Last,
     G::others_ask,
     {A::answer_askers, A::answer_homes, A::next_askers, A::send_MARK, A::mark},
     S::NP,
     "and those that came meanwhile have their turn"},
    {S::NP,
     E::Mark_Ack_Last,
     {A::answer_askers, A::answer_homes, A::forget_askers},
     S::NP,
     "what was invalidated before they asked has been received"},
};

/// Of a release of the system, in JointFence::phase; one of the GPU has the second alone.
enum Step : std::uint8_t { stored = 1, invalidated = 2 };

class HmgHome final : public nhcc::HomeMachine {
 public:
  using HomeMachine::HomeMachine;

 protected:
  unsigned track(const Stimulus& stimulus) const override {
    if (static_cast<Message>(stimulus.message) == Message::FENCE)
      return stimulus.access.scope == Scope::sys ? of_system : of_gpu;
    return stimulus.stamps[release_stamp] == 0 ? of_gpu : of_system;
  }

  /// A marker of another GPU's home is about what this one has passed on within its GPU.
  unsigned marking(const Stimulus& stimulus) const override {
    return static_cast<Message>(stimulus.message) == Message::MARK ? of_gpu : track(stimulus);
  }

  void refine(Situation& at, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override {
    HomeMachine::refine(at, stimulus, line, node);
    const bool of_this_gpu = track(stimulus) == of_gpu;
    switch (static_cast<E>(at.event)) {
      case E::Fence:
        if (!of_this_gpu) at.event = static_cast<Code>(E::Fence_System);
        break;
      case E::Mark:
        if (!is_near(stimulus.module, stimulus)) at.event = static_cast<Code>(E::Mark_System);
        break;
      case E::Stored:
        if (node.fences[of_system].answers == 1) at.event = static_cast<Code>(E::Stored_Last);
        break;
      case E::Answer_Last:
        if (!of_this_gpu) at.event = static_cast<Code>(E::Answer_Last_System);
        break;
      default:
        break;
    }
  }

  bool holds(Code guard, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override {
    return static_cast<G>(guard) == G::stores_under_way ? node.acks != 0
                                                        : HomeMachine::holds(guard, stimulus, line, node);
  }

  NodeSet asked(const Stimulus& stimulus) const override {
    return track(stimulus) == of_gpu ? NodeSet::of_word(in_gpu(stimulus)) : HomeMachine::asked(stimulus);
  }

  void note_told(std::uint64_t told, const Stimulus& stimulus, NodeMeta& node) const override {
    if (told == 0) return;
    node.unmarked[of_system] |= told;
    node.unmarked[of_gpu] |= told & in_gpu(stimulus);
  }

  void update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta& node) override {
    JointFence& fence = node.fences[track(stimulus)];
    switch (static_cast<A>(action)) {
      case A::begin:
      case A::next_turn:
        HomeMachine::update(action, stimulus, line, node);
        if (track(stimulus) == of_system) {
          fence.phase = stored;
          fence.answers = static_cast<std::uint16_t>(grid_.modules_of_gpu);
        }
        break;
      case A::next_step:
        fence.phase = invalidated;
        fence.answers = static_cast<std::uint16_t>(asked(stimulus).size());
        break;
      case A::tell_later:
        node.asked_by |= bit(stimulus.module);
        break;
      case A::only_sender:
        // The home of its GPU has told modules there before it passed this on.
        if (!is_near(stimulus.sender, stimulus)) node.unmarked[of_system] |= bit(stimulus.sender);
        HomeMachine::update(action, stimulus, line, node);
        break;
      default:
        HomeMachine::update(action, stimulus, line, node);
    }
  }

  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                Action& action) const override {
    action.stamps[release_stamp] = track(stimulus);
    action.requester = stimulus.node;
    switch (static_cast<A>(code)) {
      case A::send_MARK:
        HomeMachine::complete(code, stimulus, line, node, action);
        action.stamps[release_stamp] = marking(stimulus);
        break;
      case A::answer_askers:  // of the system only modules ask, within the GPU homes of other GPUs do, too
        HomeMachine::complete(code, stimulus, line, node, action);
        if (marking(stimulus) == of_gpu) action.nodes = NodeSet::of_word(action.nodes.word(0) & in_gpu(stimulus));
        break;
      case A::answer_homes:
        action.stamps[release_stamp] = of_system;
        if (marking(stimulus) == of_gpu)
          action.nodes = NodeSet::of_word(node.markings[of_gpu].served & ~in_gpu(stimulus));
        break;
      case A::send_ASK_STORED:
        action.nodes = NodeSet::of_word(in_gpu(stimulus));
        break;
      case A::send_STORED:
        action.nodes.insert(stimulus.module);
        break;
      default:
        HomeMachine::complete(code, stimulus, line, node, action);
    }
  }

 private:
  static constexpr std::uint64_t bit(unsigned module) { return std::uint64_t{1} << module; }
  bool is_near(unsigned module, const Stimulus& stimulus) const {
    return grid_.gpu_of(module) == grid_.gpu_of(stimulus.node);
  }
  /// The modules of this GPU, this one too.
  std::uint64_t in_gpu(const Stimulus& stimulus) const {
    std::uint64_t modules = 0;
    grid_.each_beside(stimulus.node, [&](unsigned module) { modules |= bit(module); });
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
