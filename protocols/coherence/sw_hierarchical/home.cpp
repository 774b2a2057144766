// The home of SW with homes in GPUs as a difference to that of SW: who acquires for the system has all homes of its GPU
// emptied; who releases for it, or fences, asks them before whether all is performed that they have passed on.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/sw_hierarchical/machines.h"

namespace syncline::protocols::sw_hierarchical {
namespace {

using S = none::HomeState;

/// Those of sw::HomeEvent, and behind them
enum class E : std::uint8_t {
  Load,
  Store,
  Atomic,
  Replacement,
  Mem_Data,
  Fence,
  Release,
  Acquire,
  Acquire_Gpu,
  Ask_Stored,
  Stored,
  Released_Last,
  Stored_Last,
  Empty,
  Emptied,
  Emptied_Last
};
static_assert(static_cast<Code>(E::Fence) == static_cast<Code>(sw::HomeEvent::Fence));

/// Those of none::HomeGuard, and behind them
enum class G : std::uint8_t { covered, completes, dirty, asks, others_wait, others_release, stores_under_way };
static_assert(static_cast<Code>(G::dirty) == static_cast<Code>(none::HomeGuard::dirty));

/// Those of sw::HomeAction, and behind them
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
  empty_GPM,
  send_FENCED,
  begin,
  join,
  next_turn,
  next_step,
  end,
  count_answer,
  note_asker,
  send_ASK_STORED,
  send_STORED,
  send_EMPTY,
  send_EMPTIED,
  empty_GPU_home
};
static_assert(static_cast<Code>(A::send_FENCED) == static_cast<Code>(sw::HomeAction::send_FENCED));

constexpr EventName more_events[] = {
    {"Release", on::message(Message::RELEASE), "an L1 of this module releases for the system; Fence: and acquires"},
    {"Acquire", on::message(Message::ACQUIRE), "one acquires for the system"},
    {"Acquire_Gpu", on::refined, "or for the GPU"},
    {"Ask_Stored", on::message(Message::ASK_STORED), "is all performed that was passed on from here?"},
    {"Stored", on::message(Message::STORED), "a module has performed all that it passed on"},
    {"Released_Last", on::refined, "the last one has, for releases"},
    {"Stored_Last", on::refined, "the last one has, for fences"},
    {"Empty", on::message(Message::EMPTY), "a module of the GPU acquires for the system"},
    {"Emptied", on::message(Message::EMPTIED), "a module has done so"},
    {"Emptied_Last", on::refined, "the last one has"}};
constexpr GuardName more_guards[] = {{"asks", "this module asks others already"},
                                     {"others_wait", "L1s wait for the next turn"},
                                     {"others_release", "and one of them has fenced"},
                                     {"stores_under_way", "the system's homes have not performed all yet"}};
constexpr ActionName more_actions[] = {
    act::update("begin", "a turn begins"),
    act::update("join", "the L1 waits for the next turn"),
    act::update("next_turn", "a turn begins for those who have waited"),
    act::update("next_step", "all is performed; now the homes are to be emptied"),
    act::update("end", "nobody is asked"),
    act::update("count_answer", "one answer less to come"),
    act::update("note_asker", "the module that asks is told later"),
    act::send("send_ASK_STORED", Message::ASK_STORED, "to all modules of this GPU, this one too").among_modules(),
    act::send("send_STORED", Message::STORED, "to the module that asks").among_modules(),
    act::send("send_EMPTY", Message::EMPTY, "to all modules of this GPU, this one too").among_modules(),
    act::send("send_EMPTIED", Message::EMPTIED, "to the module that asks").among_modules(),
    act::empty("empty_GPU_home", Role::gpu_home,
               "present Drop to all lines of other GPUs whose home in this one it is")};
static_assert(names_from<E, static_cast<std::size_t>(E::Fence) + 1>(more_events) &&
              names_from<G, static_cast<std::size_t>(G::dirty) + 1>(more_guards) &&
              names_from<A, static_cast<std::size_t>(A::send_FENCED) + 1>(more_actions));

Vocabulary vocabulary(const Vocabulary& base) {
  Vocabulary words = base;
  words.protocol = "sw_hierarchical";
  words.messages = messages();
  append(words.events, more_events);
  append(words.guards, more_guards);
  append(words.actions, more_actions);
  return words;
}

constexpr Row rows[] = {
    {S::NP, E::Release, G::asks, {A::join}, S::NP, "the questions on their way may be older than its stores"},
    {S::NP, E::Release, {A::begin, A::send_ASK_STORED}, S::NP, "what the GPU has seen, and the system has not"},
    {S::NP, E::Fence, G::asks, {A::join}, S::NP, "the questions on their way may be older than its accesses"},
    {S::NP, E::Fence, {A::begin, A::send_ASK_STORED}, S::NP, "first what it releases"},
    {S::NP, E::Acquire, G::asks, {A::join}, S::NP, "the questions on their way may be older than what it has read"},
    {S::NP, E::Acquire, {A::begin, A::send_EMPTY}, S::NP, "the copies may be older than what it has read"},
    {S::NP, E::Acquire_Gpu, {A::empty_GPM, A::send_FENCED}, S::NP, "the homes of the GPU are what it has read from"},
    {S::NP, E::Ask_Stored, G::stores_under_way, {A::note_asker}, S::NP, "answered when they are performed"},
    {S::NP, E::Ask_Stored, {A::send_STORED}, S::NP, "nothing is under way"},
    {S::NP, E::Stored, {A::count_answer}, S::NP, "more to come"},
    {S::NP,
     E::Released_Last,
     G::others_wait,
     {A::send_FENCED, A::next_turn, A::send_ASK_STORED},
     S::NP,
     "and those who came meanwhile have their turn"},
    {S::NP, E::Released_Last, {A::send_FENCED, A::end}, S::NP, "the system has seen what the GPU has"},
    {S::NP, E::Stored_Last, {A::next_step, A::send_EMPTY}, S::NP, "now what it acquires"},
    {S::NP, E::Empty, {A::empty_GPU_home, A::send_EMPTIED}, S::NP, "the copies may be older than what it has read"},
    {S::NP, E::Emptied, {A::count_answer}, S::NP, "more to come"},
    {S::NP,
     E::Emptied_Last,
     G::others_release,
     {A::empty_GPM, A::send_FENCED, A::next_turn, A::send_ASK_STORED},
     S::NP,
     "what comes from now on is as new as homes; and the next turn has a fence"},
    {S::NP,
     E::Emptied_Last,
     G::others_wait,
     {A::empty_GPM, A::send_FENCED, A::next_turn, A::send_EMPTY},
     S::NP,
     "what comes from now on is as new as homes; and the next turn acquires alone"},
    {S::NP,
     E::Emptied_Last,
     {A::empty_GPM, A::send_FENCED, A::end},
     S::NP,
     "what comes from now on is as new as homes"},
};

/// In JointFence::phase.
enum Step : std::uint8_t { storing = 1, emptying = 2 };
/// In the phase of the node: of those who wait to acquire, some have fenced.
enum Waiting : std::uint8_t { acquires_alone = 0, fences_too = 1 };

class HomeMachine final : public sw::HomeMachine {
 public:
  HomeMachine(std::shared_ptr<const TransitionTable> table, const ModuleGrid& grid)
      : sw::HomeMachine(std::move(table)), grid_(grid) {}

 protected:
  static Message message(const Stimulus& stimulus) { return static_cast<Message>(stimulus.message); }
  static unsigned track(const Stimulus& stimulus) {
    const bool releases = message(stimulus) == Message::RELEASE || stimulus.stamps[track_stamp] == of_releases;
    return releases ? of_releases : of_acquires;
  }

  void refine(Situation& at, const Stimulus& stimulus, const LineMeta&, const NodeMeta& node) const override {
    const unsigned which = track(stimulus);
    const bool is_last = node.fences[which].answers == 1;
    const auto event = static_cast<E>(at.event);
    if (event == E::Acquire && stimulus.access.scope != Scope::sys) at.event = static_cast<Code>(E::Acquire_Gpu);
    if (event == E::Stored && is_last)
      at.event = static_cast<Code>(which == of_releases ? E::Released_Last : E::Stored_Last);
    if (event == E::Emptied && is_last) at.event = static_cast<Code>(E::Emptied_Last);
  }

  bool holds(Code guard, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const override {
    const JointFence& fence = node.fences[track(stimulus)];
    switch (static_cast<G>(guard)) {
      case G::asks:
        return fence.phase != 0;
      case G::others_wait:
        return fence.waiting != 0;
      case G::others_release:
        return node.phase == fences_too;
      case G::stores_under_way:
        return node.acks != 0;
      default:
        return sw::HomeMachine::holds(guard, stimulus, line, node);
    }
  }

  void update(Code action, const Stimulus& stimulus, LineMeta&, NodeMeta& node) override {
    const unsigned which = track(stimulus);
    JointFence& fence = node.fences[which];
    const std::uint64_t l1 = std::uint64_t{1} << (stimulus.requester % 64U);
    const auto answers = static_cast<std::uint16_t>(grid_.modules_of_gpu);
    switch (static_cast<A>(action)) {
      case A::begin:
        fence = {message(stimulus) == Message::ACQUIRE ? emptying : storing, answers, l1, 0};
        break;
      case A::join:
        fence.waiting |= l1;
        if (message(stimulus) == Message::FENCE) node.phase = fences_too;
        break;
      case A::next_turn:
        fence = {which == of_releases || node.phase == fences_too ? storing : emptying, answers, fence.waiting, 0};
        if (which == of_acquires) node.phase = acquires_alone;
        break;
      case A::next_step:
        fence.phase = emptying;
        fence.answers = answers;
        break;
      case A::end:
        fence = {};
        break;
      case A::count_answer:
        --fence.answers;
        break;
      case A::note_asker:
        node.asked_by |= asker(grid_, stimulus.module, which);
        break;
      default:
        unknown_action(action);
    }
  }

  void complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                Action& action) const override {
    action.stamps[track_stamp] = track(stimulus);
    switch (static_cast<A>(code)) {
      case A::send_ASK_STORED:
      case A::send_EMPTY:
        action.requester = stimulus.node;
        grid_.each_beside(stimulus.node, [&](unsigned module) { action.nodes.insert(module); });
        break;
      case A::send_STORED:
      case A::send_EMPTIED:
        action.requester = stimulus.module;
        action.nodes.insert(stimulus.module);
        break;
      case A::send_FENCED:
        if (message(stimulus) == Message::ACQUIRE) return sw::HomeMachine::complete(code, stimulus, line, node, action);
        action.nodes = NodeSet::of_word(node.fences[track(stimulus)].served);
        break;
      default:
        sw::HomeMachine::complete(code, stimulus, line, node, action);
    }
  }

 private:
  ModuleGrid grid_;
};

}  // namespace

std::shared_ptr<const TransitionTable> home_table() {
  const auto base = sw::home_table();
  return make_overlay(*base, vocabulary(base->vocabulary()), rows);
}

std::unique_ptr<Machine> make_home(std::shared_ptr<const TransitionTable> table, const ModuleGrid& grid) {
  return std::make_unique<HomeMachine>(std::move(table), grid);
}

}  // namespace syncline::protocols::sw_hierarchical
