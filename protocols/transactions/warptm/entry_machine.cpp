#include "protocols/transactions/warptm/entry_machine.h"

#include <algorithm>

#include "protocols/coherence/engine/words.h"

namespace syncline::protocols::warptm {
namespace {

using S = State;
using E = Event;

enum class G : std::uint8_t { reading, all_failed, writer_to_come, hazard, writes, more_words, more_acks };
enum class A : std::uint8_t {
  stall,
  sample,
  take,
  look_up,
  note_writes,
  read_again,
  compare,
  reply,
  keep_writes,
  write,
  count_ack,
  complete
};

constexpr StateName states[] = {{"unused", true, "nothing has come of it"},
                                {"fill", false, "its log is arriving"},
                                {"filled", false, "the log is complete; waits for its turn in hazard detection"},
                                {"validation_wait", false, "waits for what it reads, and for its turn to pass"},
                                {"revalidation_wait", false, "waits for what it reads once more"},
                                {"pass_ack_wait", false, "waits for what the core makes of all replies"},
                                {"commit_ready", false, "waits for its turn to write"},
                                {"commit_sent", false, "waits until all that it writes is in memory"},
                                {"retired", true, "waits for those before it"}};
constexpr EventName events[] = {{"Log", on::refined, "a packet of its log"},
                                {"Done", on::refined, "the log is complete"},
                                {"Skip", on::refined, "it has no log here"},
                                {"Detect", on::refined, "its turn in hazard detection"},
                                {"Answer", on::refined, "a word that it has read comes from memory"},
                                {"Pass", on::refined, "its turn to pass"},
                                {"Outcome", on::refined, "the core says which lanes commit"},
                                {"Write", on::refined, "its turn to write"},
                                {"Ack", on::refined, "memory has written"}};
constexpr GuardName guards[] = {
    {"reading", "memory has been asked for words and has not answered"},
    {"all_failed", "each of its lanes has read what memory does not hold"},
    {"writer_to_come", "one before it that writes what it reads is not retired"},
    {"hazard", "one before it that writes what it reads was not retired when its first packet came"},
    {"writes", "a lane that commits has written"},
    {"more_words", "it has more to write"},
    {"more_acks", "memory has more to acknowledge"}};
constexpr ActionName actions[] = {
    {"stall", "it waits", Performer::host, Needs::waits},
    {"sample", "remembers which tickets are retired"},
    {"take", "the words belong to it; those that it has read are asked for"},
    {"look_up", "who is the last to write what it reads, if not retired at the sample"},
    {"note_writes", "it is the last to write what it writes"},
    {"read_again", "all that it has read is asked for again, and there is no hazard any more"},
    {"compare", "a lane fails whose value is another one"},
    {"reply", "the core hears which lanes have failed"},
    {"keep_writes", "writes of lanes that do not commit are forgotten"},
    {"write", "memory is told the next words"},
    {"count_ack", "as many fewer to acknowledge"},
    {"complete", "the core hears that its writes are in memory"}};
static_assert(names_all<S>(states) && names_all<E>(events) && names_all<G>(guards) && names_all<A>(actions));

constexpr Row rows[] = {
    {S::unused, E::Log, {A::sample, A::take}, S::fill, "what is not retired now may write after it is read"},
    {S::unused, E::Skip, {}, S::retired, "there is nothing to do, but in its turn"},
    {S::fill, E::Log, {A::take}, S::fill, "as the first, whose sample is older"},
    {S::fill, E::Answer, {A::compare}, S::fill, "validation begins before the log is complete"},
    {S::fill, E::Done, {}, S::filled, "all that it writes is known"},
    {S::filled, E::Answer, {A::compare}, S::filled, "those before it keep it waiting"},
    {S::filled,
     E::Detect,
     {A::look_up, A::note_writes},
     S::validation_wait,
     "all before it have noted what they write"},

    {S::validation_wait, E::Answer, {A::compare}, S::validation_wait, "the first validation"},
    {S::validation_wait, E::Pass, G::reading, {A::stall}, S::validation_wait, "it cannot know yet"},
    {S::validation_wait, E::Pass, G::all_failed, {A::reply}, S::pass_ack_wait, "no lane is left to validate"},
    {S::validation_wait,
     E::Pass,
     G::writer_to_come,
     {A::stall},
     S::validation_wait,
     "what it has read may be overwritten, in an order before its own"},
    {S::validation_wait, E::Pass, G::hazard, {A::read_again}, S::revalidation_wait, "the writers are all done"},
    {S::validation_wait, E::Pass, {A::reply}, S::pass_ack_wait, "nobody before it can write what it has read"},
    {S::revalidation_wait, E::Answer, {A::compare}, S::revalidation_wait, "the second validation"},
    {S::revalidation_wait, E::Pass, G::reading, {A::stall}, S::revalidation_wait, "it cannot know yet"},
    {S::revalidation_wait, E::Pass, {A::reply}, S::pass_ack_wait, "all writers before it were done"},

    {S::pass_ack_wait, E::Outcome, G::writes, {A::keep_writes}, S::commit_ready, "every partition has let it pass"},
    {S::pass_ack_wait, E::Outcome, {}, S::retired, "it has failed somewhere, or writes nothing here"},
    {S::commit_ready, E::Write, G::more_words, {A::write}, S::commit_ready, "all before it have written"},
    {S::commit_ready, E::Write, {A::write}, S::commit_sent, "the last words: those behind it may write"},
    {S::commit_ready, E::Ack, {A::count_ack}, S::commit_ready, "more is to be written"},
    {S::commit_sent, E::Ack, G::more_acks, {A::count_ack}, S::commit_sent, "some are on their way"},
    {S::commit_sent, E::Ack, {A::complete}, S::retired, "all is in memory"},
};

Effect effect_of(const Row& row) {
  static constexpr bool Effect::*asks[] = {&Effect::waits, &Effect::samples, &Effect::takes,    &Effect::looks_up,
                                           &Effect::notes, &Effect::reads,   &Effect::compares, &Effect::replies,
                                           &Effect::keeps, &Effect::writes,  &Effect::counts,   &Effect::completes};
  Effect effect;
  for (const Code action : row.actions) effect.*asks[action] = true;
  return effect;
}

}  // namespace

std::shared_ptr<const TransitionTable> entry_table() {
  return make_table({"warptm", "entry", {}, list_of(states), list_of(events), list_of(guards), list_of(actions)}, rows);
}

EntryMachine::EntryMachine(std::shared_ptr<const TransitionTable> table) : table_(std::move(table)) {
  taken_.resize(table_->transitions().size());
  effects_.resize(taken_.size());
  for (const Transition& t : table_->transitions()) effects_[t.index] = effect_of(t.row);
}

bool EntryMachine::holds(Code guard, const Stimulus& stimulus, const Entry& entry) {
  switch (static_cast<G>(guard)) {
    case G::reading:
      return entry.reading != 0;
    case G::all_failed:
      return entry.failed == entry.lanes;
    case G::writer_to_come:
      return entry.writer >= stimulus.retired;
    case G::hazard:
      return entry.writer != 0;
    case G::writes:
      return std::any_of(entry.writes.begin(), entry.writes.end(),
                         [&stimulus](const LoggedWord& word) { return base::has_lane(stimulus.commits, word.lane); });
    case G::more_words:
      return entry.written + stimulus.words < entry.writes.size();
    case G::more_acks:
      return entry.to_answer > stimulus.words;
  }
  return false;
}

Effect EntryMachine::perform(const Stimulus& stimulus, Entry& entry) {
  const auto state = static_cast<Code>(entry.state), event = static_cast<Code>(stimulus.event);
  const TransitionTable::Range outcomes = table_->outcomes(state, event);
  const Transition* const t = std::find_if(outcomes.begin(), outcomes.end(), [&](const Transition& outcome) {
    return outcome.row.guard == Row::no_guard || holds(outcome.row.guard, stimulus, entry);
  });
  if (t == outcomes.end()) table_->undefined(state, event, stimulus.ticket, 0);
  ++taken_[t->index];
  entry.state = static_cast<State>(t->row.next);
  return effects_[t->index];
}

void Entry::encode(Encoder& to) const {
  to.put(static_cast<unsigned>(state));
  if (state == State::unused || state == State::retired) return;
  to.put(warp);
  to.put(lanes);
  to.words(writes);
  to.put(written);
  to.put(to_answer);
  if (state >= State::pass_ack_wait) return;
  to.words(reads);
  to.put(failed);
  to.put(reading);
  if (state < State::validation_wait) to.ticket(retired);
  to.ticket(writer);
}

}  // namespace syncline::protocols::warptm
