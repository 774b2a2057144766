// A transition table, checked and made dense once, then shared by all instances of the machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocols/coherence/engine/row.h"
#include "protocols/coherence/engine/vocabulary.h"

namespace syncline::protocols {

/// A row with what the host asks about it, worked out beforehand.
struct Transition {
  Row row;
  std::uint8_t needs;      ///< union of the Needs of its actions
  std::uint8_t networks;   ///< bit n: it may send on virtual network n
  std::uint8_t to_homes;   ///< those on which it may send to a home, and
  std::uint8_t to_others;  ///< to other caches
  bool next_is_stable;
  std::uint32_t index;  ///< place in TransitionTable::transitions(), for coverage

  /// The stimulus stays where it is; nothing but the machine's own actions happens.
  bool only_waits() const { return (needs & (Needs::waits | Needs::recycles)) != 0; }
};

/// How many rows of a table do something, and which of these were never performed. `taken` is by Transition::index.
struct RowsTaken {
  std::size_t rows = 0;
  std::vector<const Transition*> missing;
};
class TransitionTable;
RowsTaken rows_taken(const TransitionTable& table, const std::vector<std::uint64_t>& taken);

/// "IS, Data [last]": state, event and guard of a row.
std::string row_name(const Row& row, const Vocabulary& words);

/// Sizes by the counting rule of the RCC thesis' table 3.5: a transition is a (state, event) pair whose action is not
/// only to stall or recycle.
struct TableCounts {
  std::size_t stable_states = 0, transient_states = 0;
  std::size_t transitions = 0;    ///< by the rule
  std::size_t outcomes = 0;       ///< as transitions, but conditional outcomes of a pair count each
  std::size_t waiting_pairs = 0;  ///< pairs that only stall or recycle
  std::size_t states() const { return stable_states + transient_states; }
};

class TransitionTable {
 public:
  struct Range {
    const Transition* first;
    const Transition* last;
    const Transition* begin() const { return first; }
    const Transition* end() const { return last; }
    bool empty() const { return first == last; }
  };

  /// Throws ModelError, naming protocol and row, for a code that the vocabulary lacks, a row that can never apply
  /// (behind one without a guard), a pair whose rows all have guards, and a stimulus that two events claim.
  TransitionTable(Vocabulary vocabulary, std::vector<Row> rows);

  struct Pair {
    template <class State, class Event>
    constexpr Pair(State s, Event e) : state(static_cast<Code>(s)), event(static_cast<Code>(e)) {}
    Code state, event;
  };
  /// A variant: the rows of `changes` replace all rows of their (state, event) pairs, or add pairs; those of
  /// `undefined` cannot happen in it. `vocabulary` may extend this one's lists at their ends.
  TransitionTable overlaid(Vocabulary vocabulary, const std::vector<Row>& changes,
                           const std::vector<Pair>& undefined = {}) const;

  /// The same rows for a protocol of another name, over messages of which these here are the first, or which differ
  /// in how they travel.
  TransitionTable renamed(std::string_view protocol, std::vector<MessageKind> messages) const;

  /// All outcomes of a pair, in order; empty when undefined.
  Range outcomes(Code state, Code event) const {
    const Slot slot = slots_[state * vocabulary_.events.size() + event];
    return {transitions_.data() + slot.first, transitions_.data() + slot.last};
  }
  static constexpr Code no_event = 0xff;
  /// The event whose trigger has `stimulus`; no_event when none has.
  Code event_of(const Stimulus& stimulus) const {
    if (stimulus.source == Stimulus::Source::access)
      return by_operation_[static_cast<std::size_t>(stimulus.access.operation)];
    if (stimulus.source == Stimulus::Source::message) return by_message_[stimulus.message];
    return by_source_[static_cast<std::size_t>(stimulus.source)];
  }
  /// Throws the ModelError of a stimulus that no event names.
  [[noreturn]] void unnamed(const Stimulus& stimulus) const;
  /// Throws the ModelError of an undefined pair: protocol, machine, state, event, line and time (picoseconds).
  [[noreturn]] void undefined(Code state, Code event, std::uint64_t line, std::uint64_t time) const;

  /// Throws the ModelError of an action that the machine on this table cannot perform.
  [[noreturn]] void unknown(Code action) const;

  bool stable(Code state) const { return vocabulary_.states[state].stable; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  /// Sorted by state, then event, then order of writing.
  const std::vector<Transition>& transitions() const { return transitions_; }
  TableCounts counts() const;
  /// States that no row of another state leads to (the first state, where lines begin, and derived ones are not
  /// listed).
  std::vector<Code> unreached_states() const;

 private:
  struct Slot {
    std::uint16_t first = 0, last = 0;
  };
  void check(const Row& row) const;
  void name_events();
  Vocabulary vocabulary_;
  std::vector<Transition> transitions_;
  std::vector<Slot> slots_;
  std::array<Code, 8> by_operation_{}, by_source_{};
  std::array<Code, 256> by_message_{};
};

/// The table of a protocol's rows as written.
template <std::size_t count>
std::shared_ptr<const TransitionTable> make_table(Vocabulary vocabulary, const Row (&rows)[count]) {
  return std::make_shared<const TransitionTable>(std::move(vocabulary),
                                                 std::vector<Row>(std::begin(rows), std::end(rows)));
}
/// TransitionTable::overlaid with rows as written.
template <std::size_t count>
std::shared_ptr<const TransitionTable> make_overlay(const TransitionTable& base, Vocabulary vocabulary,
                                                    const Row (&changes)[count]) {
  return std::make_shared<const TransitionTable>(
      base.overlaid(std::move(vocabulary), std::vector<Row>(std::begin(changes), std::end(changes))));
}

}  // namespace syncline::protocols
