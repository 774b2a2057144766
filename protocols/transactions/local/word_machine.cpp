#include "protocols/transactions/local/word_machine.h"

#include <string>
#include <string_view>

#include "base/error.h"
#include "protocols/coherence/engine/words.h"

namespace syncline::protocols::local {
namespace {

using S = State;
using E = Event;

enum class G : std::uint8_t { only_read };
enum class A : std::uint8_t { access, conflict, insert, note_write, back_up, restore, share };

constexpr StateName states[] = {
    {"free", true, "no other work-item is known to have accessed it"},
    {"own_read", true, "the work-item that asks is its owner, and has read it alone (SMDCD)"},
    {"own_shared", true, "the work-item is its owner, and others have read it (SMDCD)"},
    {"own", true, "the work-item is its owner; there is a backup"},
    {"shared", true, "nobody is its owner, and it is not known who has read it (SMDCD)"},
    {"other_read", true, "another is its owner, and has not written it (SMDCD)"},
    {"other", true, "another has accessed it, as far as signatures tell, or owns it"}};
constexpr EventName events[] = {{"Load", on::refined, "a work-item reads it"},
                                {"Store", on::refined, "a work-item writes it"},
                                {"Commit", on::refined, "its owner has committed"},
                                {"Abort", on::refined, "its owner has lost, and the bank is told"},
                                {"Clean_Up", on::refined, "no work-item is in a transaction"}};
constexpr GuardName guards[] = {{"only_read", "no helper signature has it"}};
constexpr ActionName actions[] = {{"access", "the access happens"},
                                  {"conflict", "the work-item sets its bit of TCM"},
                                  {"insert", "its signature of the bank has the word"},
                                  {"note_write", "the helper signature of its wavefront has the word"},
                                  {"back_up", "shadow memory has what memory held"},
                                  {"restore", "memory has it again"},
                                  {"share", "S = 1"}};
static_assert(names_all<S>(states) && names_all<E>(events) && names_all<G>(guards) && names_all<A>(actions));

Vocabulary vocabulary(std::string_view name) {
  return {std::string(name), "word", {}, list_of(states), list_of(events), list_of(guards), list_of(actions)};
}

/// One signature of what a work-item has read and written: who comes second loses. That a word was read before is not
/// in shadow memory, so that a work-item becomes owner with its first write.
constexpr Row prw_sig[] = {
    {S::free, E::Load, {A::access, A::insert}, S::free, "owners are those who write"},
    {S::free, E::Store, {A::access, A::insert, A::back_up}, S::own, "a new access: the old value is kept"},
    {S::own, E::Load, {A::access}, S::own, "its own value"},
    {S::own, E::Store, {A::access}, S::own, "the backup is there: the oldest value"},
    {S::own, E::Commit, {}, S::free, "the new value is memory's"},
    {S::own, E::Abort, {A::restore}, S::free, "as if nothing had happened"},
    {S::other, E::Load, {A::conflict}, S::other, "requester loses, also if both read"},
    {S::other, E::Store, {A::conflict}, S::other, "requester loses"},
};

/// Helper signatures tell that a word was only read.
constexpr Row swo_sig[] = {
    {S::free, E::Store, {A::access, A::insert, A::note_write, A::back_up}, S::own, "readers have to know"},
    {S::other, E::Load, G::only_read, {A::access, A::insert}, S::other, "readers do not conflict"},
    {S::other, E::Load, {A::conflict}, S::other, "somebody has written it, or what looks like it"},
};

/// Who comes first owns the word. Nothing tells whether its owner has written, so that a backup is made at once.
constexpr Row dcd[] = {
    {S::free, E::Load, {A::access, A::back_up}, S::own, "reads take ownership"},
    {S::free, E::Store, {A::access, A::back_up}, S::own, "a new access: the old value is kept"},
};

/// S and M of each word: readers share what nobody has written.
constexpr Row smdcd[] = {
    {S::free, E::Load, {A::access}, S::own_read, "the first to read is its owner"},
    {S::free, E::Store, {A::access, A::back_up}, S::own, "M = 1"},
    {S::own_read, E::Load, {A::access}, S::own_read, "nobody else is there"},
    {S::own_read, E::Store, {A::access, A::back_up}, S::own, "nobody else has read it"},
    {S::own_read, E::Commit, {}, S::free, "nothing to keep"},
    {S::own_read, E::Abort, {}, S::free, "nothing to restore"},
    {S::own_shared, E::Load, {A::access}, S::own_shared, "readers share"},
    {S::own_shared, E::Store, {A::conflict}, S::own_shared, "others have read it"},
    {S::own_shared, E::Commit, {}, S::shared, "others that have read it may still run: nobody knows who"},
    {S::own_shared, E::Abort, {}, S::shared, "as above"},
    {S::shared, E::Load, {A::access}, S::shared, "readers share"},
    {S::shared, E::Store, {A::conflict}, S::shared, "others may have read it"},
    {S::shared, E::Clean_Up, {}, S::free, "they do not run any more"},
    {S::other_read, E::Load, {A::access, A::share}, S::other_read, "readers share"},
    {S::other_read, E::Store, {A::conflict}, S::other_read, "its owner has read it"},
};

}  // namespace

std::shared_ptr<const TransitionTable> word_table(Detection detection) {
  const TransitionTable base(vocabulary("prw_sig"), list_of(prw_sig));
  switch (detection) {
    case Detection::prw_sig:
      return std::make_shared<const TransitionTable>(base);
    case Detection::swo_sig:
      return make_overlay(base, vocabulary("swo_sig"), swo_sig);
    case Detection::dcd:
      return make_overlay(base, vocabulary("dcd"), dcd);
    case Detection::smdcd:
      return make_overlay(base, vocabulary("smdcd"), smdcd);
  }
  throw base::ModelError("no such way to find conflicts in shared memory");
}

WordMachine::WordMachine(std::shared_ptr<const TransitionTable> table)
    : table_(std::move(table)), meanings_(table_->transitions().size()), taken_(table_->transitions().size()) {
  for (const Transition& t : table_->transitions()) {
    auto& [effect, shares] = meanings_[t.index];
    for (const Code action : t.row.actions) {
      switch (static_cast<A>(action)) {
        case A::access:
          effect.accesses = true;
          break;
        case A::conflict:
          effect.conflicts = true;
          break;
        case A::insert:
          effect.inserts = true;
          break;
        case A::note_write:
          effect.notes_write = true;
          break;
        case A::back_up:
          effect.backs_up = true;
          break;
        case A::restore:
          effect.restores = true;
          break;
        case A::share:
          shares = true;
          break;
      }
    }
  }
}

State WordMachine::state_of(const Stimulus& stimulus, const Shadow& shadow) {
  if (stimulus.others) return S::other;  // phase 1 comes first: a second look at the owner is for who is alone
  if (shadow.owner == nobody) return shadow.shared ? S::shared : S::free;
  const bool is_own = shadow.owner == stimulus.who;
  if (shadow.modified) return is_own ? S::own : S::other;
  if (!is_own) return S::other_read;
  return shadow.shared ? S::own_shared : S::own_read;
}

Effect WordMachine::perform(const Stimulus& stimulus, Shadow& shadow) {
  const auto state = static_cast<Code>(state_of(stimulus, shadow));
  const auto event = static_cast<Code>(stimulus.event);
  const Transition* row = nullptr;
  for (const Transition& t : table_->outcomes(state, event)) {
    if (t.row.guard != Row::no_guard && stimulus.written) continue;
    row = &t;
    break;
  }
  if (row == nullptr) table_->undefined(state, event, std::uint64_t{stimulus.word} * 4, 0);
  ++taken_[row->index];
  const Meaning& meaning = meanings_[row->index];
  const auto next = static_cast<S>(row->row.next);
  const bool is_others = next == S::other_read || next == S::other, is_nobodys = next == S::free || next == S::shared;
  if (is_others ? row->row.next != row->row.state : !is_nobodys && stimulus.who == nobody)
    throw base::ModelError("a word goes over to somebody who has not asked");
  if (is_others)
    shadow.shared |= meaning.shares;  // the rest stays what others have made of it
  else
    shadow = {is_nobodys ? nobody : stimulus.who, next == S::shared || next == S::own_shared, next == S::own};
  return meaning.effect;
}

}  // namespace syncline::protocols::local
