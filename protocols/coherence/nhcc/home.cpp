// The home of NHCC (Ren, thesis, table 5.1) as a difference to that of `none`: what other modules want, and the
// directory of who has copies. The paper's states of an entry, I and V, say whether there is one; they are not states
// of the line, whose data comes and goes without them. And fences, which concern no line: the L2 of the module whose
// L1s release asks every home, which sends a marker behind its invalidations to each module that has been sent one
// since its last marker, and answers when these are back.
#include <utility>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/nhcc/directory.h"
#include "protocols/coherence/nhcc/machines.h"

namespace syncline::protocols::nhcc {
namespace {

using S = none::HomeState;
using E = HomeEvent;
using G = HomeGuard;
using A = HomeAction;

static_assert(static_cast<Code>(E::Mem_Data) == static_cast<Code>(none::HomeEvent::Mem_Data));
static_assert(static_cast<Code>(G::dirty) == static_cast<Code>(none::HomeGuard::dirty));
static_assert(static_cast<Code>(A::drop) == static_cast<Code>(none::HomeAction::drop));

constexpr EventName more_events[] = {
    {"Remote_Load", on::refined, "GETS of another module, which will keep the line"},
    {"Remote_Store", on::refined, "WRITE of another module"},
    {"Remote_Atomic", on::refined, "ATOMIC of another module"},
    {"Dir_Replacement", on::directory_replacement, "the entry in the directory is wanted for another line"},
    {"Fence", on::message(Message::FENCE), "an L1 of this module releases"},
    {"Ask", on::message(Message::ASK), "a module's L1 releases: has all been received that was invalidated here?"},
    {"Mark", on::message(Message::MARK), "behind all invalidations of its home so far"},
    {"Mark_Ack", on::message(Message::MARK_ACK), "a module has received them"},
    {"Mark_Ack_Last", on::refined, "the last one has"},
    {"Answer", on::message(Message::ASK_ACK), "a home's invalidations have been received"},
    {"Answer_Last", on::refined, "the last home's have"}};
constexpr GuardName more_guards[] = {{"asks", "this module asks others already"},
                                     {"others_wait", "L1s wait for the next turn"},
                                     {"marks_all", "markers are under way, and no invalidation is behind them"},
                                     {"marks", "markers are under way"},
                                     {"unmarked", "there are invalidations that no marker is behind"},
                                     {"others_ask", "modules have asked that no marker under way is for"}};
constexpr ActionName more_actions[] = {
    act::update("begin", "a turn begins: every home is asked"),
    act::update("join", "the L1 waits for the next turn"),
    act::update("next_turn", "a turn begins for those who have waited"),
    act::update("end", "nobody is asked"),
    act::update("count_answer", "one answer less to come"),
    act::send("send_ASK", Message::ASK, "to the homes in all modules, this one too").among_modules(),
    act::send("send_FENCED", Message::FENCED, "to the L1s for which it was asked").completed(),
    act::update("note_asker", "the module that asks is answered when the markers are back"),
    act::update("note_later", "the module that asks is answered when the next markers are back"),
    act::update("next_askers", "the next markers are for those that have asked since"),
    act::update("forget_askers", "all have been answered"),
    act::update("mark", "markers are under way behind all invalidations"),
    act::update("count_mark", "one marker less under way"),
    act::send("send_MARK", Message::MARK, "to the modules with an invalidation that no marker is behind")
        .among_modules(),
    act::send("send_MARK_ACK", Message::MARK_ACK, "to the home whose marker it is").among_modules(),
    act::send("send_ASK_ACK", Message::ASK_ACK, "to the module that asks").among_modules(),
    act::send("answer_askers", Message::ASK_ACK, "to the modules that have asked").among_modules()};
static_assert(names_from<E, static_cast<std::size_t>(E::Mem_Data) + 1>(more_events) &&
              names_from<G, static_cast<std::size_t>(G::dirty) + 1>(more_guards) &&
              names_from<A, static_cast<std::size_t>(A::drop) + 1>(directory_actions, more_actions));

Vocabulary vocabulary(const Vocabulary& base) {
  Vocabulary words = base;
  words.protocol = "nhcc";
  words.messages = messages();
  append(words.events, more_events);
  append(words.guards, more_guards);
  append(words.actions, directory_actions);
  append(words.actions, more_actions);
  return words;
}

constexpr Row rows[] = {
    // What L1s of this module store: all copies are old.
    {S::NP,
     E::Store,
     G::completes,
     {A::allocate, A::write, A::invalidate_sharers, A::clear_sharers, A::unlist, A::send_ACK},
     S::V,
     "a whole line needs no fetch"},
    {S::NP,
     E::Store,
     {A::allocate, A::write, A::invalidate_sharers, A::clear_sharers, A::unlist, A::send_ACK},
     S::P,
     "the missing bytes are fetched when asked for"},
    {S::P,
     E::Store,
     G::completes,
     {A::write, A::invalidate_sharers, A::clear_sharers, A::unlist, A::send_ACK},
     S::V,
     "now the line is whole"},
    {S::P,
     E::Store,
     {A::write, A::invalidate_sharers, A::clear_sharers, A::unlist, A::send_ACK},
     S::P,
     "performed at once: nobody waits for the invalidations but who releases"},
    {S::P,
     E::Atomic,
     G::covered,
     {A::write, A::invalidate_sharers, A::clear_sharers, A::unlist, A::send_ATOMIC_DATA},
     S::P,
     "the old value was written here"},
    {S::P, E::Atomic, {A::park, A::fetch}, S::F, "the old value is in memory"},
    {S::V,
     E::Store,
     {A::write, A::invalidate_sharers, A::clear_sharers, A::unlist, A::send_ACK},
     S::V,
     "performed at once: nobody waits for the invalidations but who releases"},
    {S::V,
     E::Atomic,
     {A::write, A::invalidate_sharers, A::clear_sharers, A::unlist, A::send_ATOMIC_DATA},
     S::V,
     "as a store"},

    {S::NP, E::Remote_Load, {A::allocate, A::park, A::fetch}, S::F, "miss"},
    {S::P, E::Remote_Load, {A::park, A::fetch}, S::F, "the rest of the line is in memory"},
    {S::V, E::Remote_Load, {A::list, A::add_sharer, A::send_DATA}, S::V, "hit"},
    {S::F, E::Remote_Load, {A::park}, S::F, "merged"},

    {S::NP,
     E::Remote_Store,
     G::completes,
     {A::allocate, A::list, A::write, A::invalidate_others, A::only_sender, A::send_ACK},
     S::V,
     "the writer may have a copy, which it has updated"},
    {S::NP,
     E::Remote_Store,
     {A::allocate, A::list, A::write, A::invalidate_others, A::only_sender, A::send_ACK},
     S::P,
     "the writer may have a copy, which it has updated"},
    {S::P,
     E::Remote_Store,
     G::completes,
     {A::list, A::write, A::invalidate_others, A::only_sender, A::send_ACK},
     S::V,
     "the writer may have a copy, which it has updated"},
    {S::P,
     E::Remote_Store,
     {A::list, A::write, A::invalidate_others, A::only_sender, A::send_ACK},
     S::P,
     "the writer may have a copy, which it has updated"},
    {S::V,
     E::Remote_Store,
     {A::list, A::write, A::invalidate_others, A::only_sender, A::send_ACK},
     S::V,
     "the writer may have a copy, which it has updated"},
    {S::F, E::Remote_Store, {A::park}, S::F, "behind the requests that wait, so that they do not see it"},

    {S::NP, E::Remote_Atomic, {A::allocate, A::park, A::fetch}, S::F, "miss: the old value is needed"},
    {S::P,
     E::Remote_Atomic,
     G::covered,
     {A::list, A::write, A::invalidate_others, A::only_sender, A::send_ATOMIC_DATA},
     S::P,
     "as a store"},
    {S::P, E::Remote_Atomic, {A::park, A::fetch}, S::F, "the old value is in memory"},
    {S::V,
     E::Remote_Atomic,
     {A::list, A::write, A::invalidate_others, A::only_sender, A::send_ATOMIC_DATA},
     S::V,
     "as a store"},
    {S::F, E::Remote_Atomic, {A::park}, S::F, "behind the requests that wait"},

    {S::NP,
     E::Dir_Replacement,
     {A::invalidate_sharers, A::clear_sharers, A::unlist},
     S::NP,
     "nobody would know of the copies any more"},
    {S::P,
     E::Dir_Replacement,
     {A::invalidate_sharers, A::clear_sharers, A::unlist},
     S::P,
     "the data may stay without an entry"},
    {S::V,
     E::Dir_Replacement,
     {A::invalidate_sharers, A::clear_sharers, A::unlist},
     S::V,
     "the data may stay without an entry"},
    {S::F,
     E::Dir_Replacement,
     {A::invalidate_sharers, A::clear_sharers, A::unlist},
     S::F,
     "who waits for the line is noted when it is answered"},

    // Of no line.
    {S::NP, E::Fence, G::asks, {A::join}, S::NP, "the questions on their way may be older than its stores"},
    {S::NP, E::Fence, {A::begin, A::send_ASK}, S::NP, "its stores are performed: their homes have said so"},
    {S::NP, E::Ask, G::marks_all, {A::note_asker}, S::NP, "behind the invalidations of all stores performed here"},
    {S::NP, E::Ask, G::marks, {A::note_later}, S::NP, "some invalidations are younger than the markers"},
    {S::NP,
     E::Ask,
     G::unmarked,
     {A::note_asker, A::send_MARK, A::mark},
     S::NP,
     "behind the invalidations of all stores performed here"},
    {S::NP, E::Ask, {A::send_ASK_ACK}, S::NP, "all invalidations have been received"},
    {S::NP, E::Mark, {A::send_MARK_ACK}, S::NP, "the invalidations before it have been received"},
    {S::NP, E::Mark_Ack, {A::count_mark}, S::NP, "more to come"},
    {S::NP,
     E::Mark_Ack_Last,
     G::others_ask,
     {A::answer_askers, A::next_askers, A::send_MARK, A::mark},
     S::NP,
     "and those that came meanwhile have their turn"},
    {S::NP,
     E::Mark_Ack_Last,
     {A::answer_askers, A::forget_askers},
     S::NP,
     "what was invalidated before they asked has been received"},
    {S::NP, E::Answer, {A::count_answer}, S::NP, "more to come"},
    {S::NP,
     E::Answer_Last,
     G::others_wait,
     {A::send_FENCED, A::next_turn, A::send_ASK},
     S::NP,
     "and those who came meanwhile have their turn"},
    {S::NP, E::Answer_Last, {A::send_FENCED, A::end}, S::NP, "no module has a copy that the release makes old"},
};

constexpr Directory directory(A::list);

constexpr std::uint64_t bit(std::uint16_t number) {
  return std::uint64_t{1} << (number % 64U);
}

}  // namespace

void HomeMachine::refine(Situation& at, const Stimulus& stimulus, const LineMeta&, const NodeMeta& node) const {
  switch (static_cast<E>(at.event)) {
    case E::Load:
      if (!stimulus.local && static_cast<Message>(stimulus.message) == Message::GETS)
        at.event = static_cast<Code>(E::Remote_Load);
      return;
    case E::Store:
      if (!stimulus.local) at.event = static_cast<Code>(E::Remote_Store);
      return;
    case E::Atomic:
      if (!stimulus.local) at.event = static_cast<Code>(E::Remote_Atomic);
      return;
    case E::Mark_Ack:
      if (node.markings[marking(stimulus)].answers == 1) at.event = static_cast<Code>(E::Mark_Ack_Last);
      return;
    case E::Answer:
      if (node.fences[track(stimulus)].answers == 1) at.event = static_cast<Code>(E::Answer_Last);
      return;
    default:
      return;
  }
}

bool HomeMachine::holds(Code guard, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const {
  const unsigned marks = marking(stimulus);
  switch (static_cast<G>(guard)) {
    case G::asks:
      return node.fences[track(stimulus)].phase != 0;
    case G::others_wait:
      return node.fences[track(stimulus)].waiting != 0;
    case G::marks_all:
      return node.markings[marks].phase != 0 && node.unmarked[marks] == 0;
    case G::marks:
      return node.markings[marks].phase != 0;
    case G::unmarked:
      return node.unmarked[marks] != 0;
    case G::others_ask:
      return node.markings[marks].waiting != 0;
    default:
      return none::HomeMachine::holds(guard, stimulus, line, node);
  }
}

NodeSet HomeMachine::asked(const Stimulus&) const {
  NodeSet modules;
  for (unsigned module = 0; module < grid_.modules(); ++module) modules.insert(module);
  return modules;
}

void HomeMachine::note_told(std::uint64_t told, const Stimulus&, NodeMeta& node) const {
  node.unmarked[0] |= told;
}

void HomeMachine::update(Code action, const Stimulus& stimulus, LineMeta& line, NodeMeta& node) {
  std::uint64_t told = 0;
  if (directory.update(action, stimulus, line, told)) return note_told(told, stimulus, node);
  JointFence& fence = node.fences[track(stimulus)];
  JointFence& markers = node.markings[marking(stimulus)];
  std::uint64_t& unmarked = node.unmarked[marking(stimulus)];
  switch (static_cast<A>(action)) {
    case A::begin:
      fence = {1, static_cast<std::uint16_t>(asked(stimulus).size()), bit(stimulus.requester), 0};
      break;
    case A::join:
      fence.waiting |= bit(stimulus.requester);
      break;
    case A::next_turn:
      fence = {1, static_cast<std::uint16_t>(asked(stimulus).size()), fence.waiting, 0};
      break;
    case A::end:
      fence = {};
      break;
    case A::count_answer:
      --fence.answers;
      break;
    case A::note_asker:
      markers.served |= bit(stimulus.module);
      break;
    case A::note_later:
      markers.waiting |= bit(stimulus.module);
      break;
    case A::next_askers:
      markers = {0, 0, markers.waiting, 0};
      break;
    case A::forget_askers:
      markers = {};
      break;
    case A::mark:
      markers.phase = 1;
      markers.answers = static_cast<std::uint16_t>(NodeSet::of_word(unmarked).size());
      unmarked = 0;
      break;
    case A::count_mark:
      --markers.answers;
      break;
    default:
      unknown_action(action);
  }
}

void HomeMachine::complete(Code code, const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node,
                           Action& action) const {
  action.requester = stimulus.node;  // who is to be answered, where something is asked
  if (directory.complete(code, stimulus, line, action)) return;
  switch (static_cast<A>(code)) {
    case A::send_ASK:
      action.nodes = asked(stimulus);
      break;
    case A::send_FENCED:
      action.nodes = NodeSet::of_word(node.fences[track(stimulus)].served);
      break;
    case A::send_MARK:
      action.nodes = NodeSet::of_word(node.unmarked[marking(stimulus)]);
      break;
    case A::send_MARK_ACK:
    case A::send_ASK_ACK:
      action.nodes.insert(stimulus.module);
      break;
    case A::answer_askers:
      action.nodes = NodeSet::of_word(node.markings[marking(stimulus)].served);
      break;
    default:
      none::HomeMachine::complete(code, stimulus, line, node, action);
  }
}

std::shared_ptr<const TransitionTable> home_table() {
  const auto base = none::home_table();
  return make_overlay(*base, vocabulary(base->vocabulary()), rows);
}

}  // namespace syncline::protocols::nhcc
