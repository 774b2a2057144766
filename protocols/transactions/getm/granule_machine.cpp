#include "protocols/transactions/getm/granule_machine.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "protocols/coherence/engine/words.h"

namespace syncline::protocols::getm {
namespace {

using S = State;
using E = Event;

enum class G : std::uint8_t { used_up, written_later, used_later, read_now, no_room, more_to_come };
enum class A : std::uint8_t {
  answer,
  refuse,
  roll_over,
  queue,
  stamp_read,
  stamp_write,
  note_first_reader,
  note_reader,
  count,
  discount,
  write
};

constexpr StateName states[] = {{"free", true, "nobody has reserved it"},
                                {"own", true, "reserved for the warp that asks, its owner"},
                                {"other", true, "reserved for another warp"}};
constexpr EventName events[] = {{"Load", on::refined, "lanes of a warp load from it"},
                                {"Store", on::refined, "lanes of a warp store to it; the words stay in their log"},
                                {"Commit", on::refined, "a log's entry with words of lanes that commit"},
                                {"Clean_Up", on::refined, "a log's entry of lanes that abort"}};
constexpr GuardName guards[] = {
    {"used_up", "the unit is about to roll over, or must: the warp executes at the last time that there is"},
    {"written_later", "wts > warpts"},
    {"used_later", "max(wts, rts) > warpts"},
    {"read_now", "rts = warpts, and the reader is not known to be the warp alone"},
    {"no_room", "the stall buffer has no room for another request for it"},
    {"more_to_come", "#writes is more than the entry stands for"}};
constexpr ActionName actions[] = {{"answer", "the access happens"},
                                  {"refuse", "the lanes abort, and the core hears max(wts, rts)"},
                                  {"roll_over", "the unit asks for a rollover"},
                                  {"queue", "the request waits in the stall buffer"},
                                  {"stamp_read", "rts = max(rts, warpts)"},
                                  {"stamp_write", "wts = warpts + 1"},
                                  {"note_first_reader", "if warpts > rts: the reader is the warp"},
                                  {"note_reader",
                                   "if warpts > rts: the reader is the warp; if warpts = rts and the "
                                   "reader is another one: several"},
                                  {"count", "#writes += lanes that store"},
                                  {"discount", "#writes -= writes that the entry stands for"},
                                  {"write", "the words are written to memory"}};
static_assert(names_all<S>(states) && names_all<E>(events) && names_all<G>(guards) && names_all<A>(actions));

Vocabulary vocabulary(TieRule rule) {
  std::string name("getm");
  for (const auto& [word, value] : tie_rules()) {
    if (value == rule) name += " (" + std::string(word) + ")";
  }
  return {name, "granule", {}, list_of(states), list_of(events), list_of(guards), list_of(actions)};
}

constexpr Row rows[] = {
    {S::free,
     E::Load,
     G::used_up,
     {A::refuse, A::roll_over},
     S::free,
     "all units and cores have to start again from 0"},
    {S::free,
     E::Load,
     G::written_later,
     {A::refuse},
     S::free,
     "WAR: it would read what is not written yet at its time"},
    {S::free, E::Load, {A::answer, A::note_reader, A::stamp_read}, S::free, "no earlier one may write it any more"},
    {S::free, E::Store, G::used_up, {A::refuse, A::roll_over}, S::free, "there is no time for wts"},
    {S::free, E::Store, G::used_later, {A::refuse}, S::free, "WAW, RAW: a later transaction has been here before"},
    {S::free, E::Store, G::read_now, {A::refuse}, S::free, "tie: nothing orders the reader before the store"},
    {S::free, E::Store, {A::answer, A::stamp_write, A::count}, S::own, "reserved until the log is here"},

    {S::own, E::Load, {A::answer, A::stamp_read}, S::own, "nobody else can have been here since"},
    {S::own, E::Store, {A::answer, A::count}, S::own, "wts was set by the first store"},
    {S::own, E::Commit, G::more_to_come, {A::write, A::discount}, S::own, "not yet a whole transaction's memory"},
    {S::own, E::Commit, {A::write, A::discount}, S::free, "the last write: others may see the granule"},
    {S::own, E::Clean_Up, G::more_to_come, {A::discount}, S::own, "other lanes have stored, too"},
    {S::own, E::Clean_Up, {A::discount}, S::free, "the last write: memory is as before"},

    {S::other, E::Load, G::used_up, {A::refuse, A::roll_over}, S::other, "nothing may wait until after the rollover"},
    {S::other, E::Load, G::written_later, {A::refuse}, S::other, "WAR: the owner is later"},
    {S::other, E::Load, G::no_room, {A::refuse}, S::other, "it cannot wait"},
    {S::other, E::Load, {A::queue}, S::other, "what it reads depends on whether the owner commits"},
    {S::other, E::Store, G::used_up, {A::refuse, A::roll_over}, S::other, "nothing may wait until after the rollover"},
    {S::other, E::Store, G::used_later, {A::refuse}, S::other, "WAW, RAW: it can only fail"},
    {S::other, E::Store, G::no_room, {A::refuse}, S::other, "it cannot wait"},
    {S::other, E::Store, {A::queue}, S::other, "one owner at a time"},
};

/// The table of `rule`: the rows above are those of reader_set. thesis has none for ties, and nobody remembers readers;
/// last_reader remembers others.
std::vector<Row> rows_of(TieRule rule) {
  std::vector<Row> all;
  for (const Row& row : rows) {
    if (rule == TieRule::thesis && row.guard == static_cast<Code>(G::read_now)) continue;
    Row& own = all.emplace_back(row);
    own.actions = ActionCodes();
    for (const Code action : row.actions) {
      if (action != static_cast<Code>(A::note_reader) || rule == TieRule::reader_set)
        own.actions.push_back(action);
      else if (rule == TieRule::last_reader)
        own.actions.push_back(static_cast<Code>(A::note_first_reader));
    }
  }
  return all;
}

}  // namespace

std::shared_ptr<const TransitionTable> granule_table(TieRule rule) {
  return std::make_shared<const TransitionTable>(vocabulary(rule), rows_of(rule));
}

GranuleMachine::Stimulus GranuleMachine::stimulus_of(const Request& request, bool room, bool stopped) {
  const Event event = request.access == Access::load ? Event::Load : Event::Store;
  return {event, request.who, request.at, request.count, room, stopped};
}

const Transition& GranuleMachine::decide(const Stimulus& stimulus, const Metadata& entry) const {
  const State state = !entry.reserved ? S::free : entry.owner == stimulus.who ? S::own : S::other;
  const auto code = static_cast<Code>(state);
  const auto event = static_cast<Code>(stimulus.event);
  for (const Transition& t : table_->outcomes(code, event)) {
    if (t.row.guard == Row::no_guard || holds(t.row.guard, stimulus, entry)) return t;
  }
  table_->undefined(code, event, entry.granule * granularity_, 0);
}

Effect GranuleMachine::perform(const Stimulus& stimulus, Metadata& entry) {
  const Transition& t = decide(stimulus, entry);
  ++taken_[t.index];
  Effect effect;
  for (const Code action : t.row.actions) perform(action, stimulus, entry, t.row.guard, effect);
  const auto next = static_cast<State>(t.row.next);
  if (next == S::other && t.row.state != t.row.next)
    throw base::ModelError("a granule is reserved for somebody who has not asked");
  entry.reserved = next != S::free;
  if (next == S::own) entry.owner = stimulus.who;
  return effect;
}

bool GranuleMachine::lets_wait(const Stimulus& stimulus, const Metadata& entry) const {
  const ActionCodes& does = decide(stimulus, entry).row.actions;
  return std::find(does.begin(), does.end(), static_cast<Code>(A::queue)) != does.end();
}

bool GranuleMachine::holds(Code guard, const Stimulus& stimulus, const Metadata& entry) const {
  switch (static_cast<G>(guard)) {
    case G::used_up:
      return stimulus.stopped || stimulus.at >= last_;
    case G::written_later:
      return entry.wts > stimulus.at;
    case G::used_later:
      return entry.latest() > stimulus.at;
    case G::read_now:
      return entry.rts == stimulus.at && !entry.reader.is_only(stimulus.who);
    case G::no_room:
      return !stimulus.room;
    case G::more_to_come:
      return entry.writes > stimulus.count;
  }
  return false;
}

namespace {
AbortCause cause_of(Code guard, const GranuleMachine::Stimulus& stimulus, const Metadata& entry) {
  switch (static_cast<G>(guard)) {
    case G::used_up:
      return AbortCause::rollover;
    case G::written_later:
      return AbortCause::war;
    case G::read_now:
      return AbortCause::tie;
    case G::no_room:
      return AbortCause::no_room;
    default:
      return entry.wts > stimulus.at ? AbortCause::waw : AbortCause::raw;
  }
}
}  // namespace

void GranuleMachine::perform(Code action, const Stimulus& stimulus, Metadata& entry, Code guard, Effect& effect) const {
  switch (static_cast<A>(action)) {
    case A::answer:
      effect.answers = true;
      return;
    case A::refuse:
      effect.refused = cause_of(guard, stimulus, entry);
      return;
    case A::roll_over:
      effect.rolls_over = true;
      return;
    case A::queue:
      effect.queues = true;
      return;
    case A::stamp_read:
      entry.rts = std::max(entry.rts, stimulus.at);
      return;
    case A::stamp_write:
      entry.wts = stimulus.at + 1;
      return;
    case A::note_first_reader:
      if (stimulus.at > entry.rts) entry.reader = Reader(stimulus.who);
      return;
    case A::note_reader:
      if (stimulus.at > entry.rts)
        entry.reader = Reader(stimulus.who);
      else if (stimulus.at == entry.rts)
        entry.reader = entry.reader.with(Reader(stimulus.who));
      return;
    case A::count:
      entry.writes += stimulus.count;
      return;
    case A::discount:
      if (entry.writes < stimulus.count) throw base::ModelError("a log has more writes than its warp has made");
      entry.writes -= stimulus.count;
      return;
    case A::write:
      effect.writes = true;
      return;
  }
}

}  // namespace syncline::protocols::getm
