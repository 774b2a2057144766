#include "protocols/coherence/engine/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace syncline::protocols {
namespace {

std::uint8_t needs_of(const Row& row, const Vocabulary& vocabulary) {
  std::uint8_t needs = Needs::nothing;
  for (const Code action : row.actions) needs |= vocabulary.actions[action].needs;
  return needs;
}

/// The virtual networks of the row's actions that `sends` accepts.
template <class Sends>
std::uint8_t networks_of(const Row& row, const Vocabulary& vocabulary, Sends&& sends) {
  std::uint8_t networks = 0;
  for (const Code action : row.actions) {
    const ActionName& name = vocabulary.actions[action];
    if ((name.needs & (Needs::sending | Needs::forwarding)) != 0 && sends(name))
      networks |= static_cast<std::uint8_t>(1U << vocabulary.messages[name.message].network);
  }
  return networks;
}

bool same_pair(const Row& a, const Row& b) {
  return a.state == b.state && a.event == b.event;
}

}  // namespace

std::string row_name(const Row& row, const Vocabulary& words) {
  std::string name = fmt::format("{}, {}", words.states[row.state].name, words.events[row.event].name);
  if (row.guard != Row::no_guard) name += fmt::format(" [{}]", words.guards[row.guard].name);
  return name;
}

RowsTaken rows_taken(const TransitionTable& table, const std::vector<std::uint64_t>& taken) {
  RowsTaken result;
  for (const Transition& t : table.transitions()) {
    if (t.only_waits()) continue;
    ++result.rows;
    if (taken[t.index] == 0) result.missing.push_back(&t);
  }
  return result;
}

TransitionTable::TransitionTable(Vocabulary vocabulary, std::vector<Row> rows) : vocabulary_(std::move(vocabulary)) {
  name_events();
  for (const Row& row : rows) check(row);
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::make_pair(a.state, a.event) < std::make_pair(b.state, b.event);
  });
  slots_.resize(vocabulary_.states.size() * vocabulary_.events.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const bool is_last = i + 1 == rows.size() || !same_pair(row, rows[i + 1]);
    const std::string_view state = vocabulary_.states[row.state].name, event = vocabulary_.events[row.event].name;
    if (!is_last && row.guard == Row::no_guard)
      throw base::ModelError(fmt::format("{} {}: a row for ({}, {}) stands behind one without a guard",
                                         vocabulary_.protocol, vocabulary_.machine, state, event));
    if (is_last && row.guard != Row::no_guard)
      throw base::ModelError(fmt::format("{} {}: the last row for ({}, {}) has a guard, so the pair may be undefined",
                                         vocabulary_.protocol, vocabulary_.machine, state, event));
    Slot& slot = slots_[row.state * vocabulary_.events.size() + row.event];
    if (i == 0 || !same_pair(row, rows[i - 1])) slot.first = static_cast<std::uint16_t>(i);
    slot.last = static_cast<std::uint16_t>(i + 1);
    const std::uint8_t to_homes = networks_of(row, vocabulary_, [](const ActionName& a) { return a.may_go_home(); });
    const std::uint8_t to_others = networks_of(row, vocabulary_, [](const ActionName& a) { return a.may_go_on(); });
    transitions_.push_back({row, needs_of(row, vocabulary_), static_cast<std::uint8_t>(to_homes | to_others), to_homes,
                            to_others, stable(row.next), static_cast<std::uint32_t>(i)});
  }
}

void TransitionTable::name_events() {
  by_operation_.fill(no_event);
  by_source_.fill(no_event);
  by_message_.fill(no_event);
  for (std::size_t e = 0; e < vocabulary_.events.size(); ++e) {
    const auto claim = [&](auto& codes, std::uint64_t claimed) {
      for (std::size_t bit = 0; claimed != 0; ++bit, claimed >>= 1U) {
        if ((claimed & 1U) == 0) continue;
        if (codes[bit] != no_event)
          throw base::ModelError(fmt::format("{} {}: events {} and {} have a stimulus in common", vocabulary_.protocol,
                                             vocabulary_.machine, vocabulary_.events[codes[bit]].name,
                                             vocabulary_.events[e].name));
        codes[bit] = static_cast<Code>(e);
      }
    };
    const Trigger& trigger = vocabulary_.events[e].trigger;
    claim(by_operation_, trigger.operations);
    claim(by_source_, trigger.sources);
    claim(by_message_, trigger.messages);
  }
}

void TransitionTable::check(const Row& row) const {
  const auto fail = [this](std::string_view what, Code code) {
    throw base::ModelError(fmt::format("{} {}: a row names {} {}, which has no name", vocabulary_.protocol,
                                       vocabulary_.machine, what, code));
  };
  if (row.state >= vocabulary_.states.size()) fail("state", row.state);
  if (row.next >= vocabulary_.states.size()) fail("state", row.next);
  if (row.event >= vocabulary_.events.size()) fail("event", row.event);
  if (row.guard != Row::no_guard && row.guard >= vocabulary_.guards.size()) fail("guard", row.guard);
  for (const Code action : row.actions) {
    if (action >= vocabulary_.actions.size()) fail("action", action);
    const ActionName& name = vocabulary_.actions[action];
    if ((name.needs & (Needs::sending | Needs::forwarding)) != 0 && name.message >= vocabulary_.messages.size())
      fail("message", name.message);
  }
}

TransitionTable TransitionTable::overlaid(Vocabulary vocabulary, const std::vector<Row>& changes,
                                          const std::vector<Pair>& undefined) const {
  std::vector<Row> rows;
  for (const Transition& t : transitions_) {
    const auto is_its_pair = [&t](const auto& other) {
      return other.state == t.row.state && other.event == t.row.event;
    };
    const bool replaced = std::any_of(changes.begin(), changes.end(), is_its_pair) ||
                          std::any_of(undefined.begin(), undefined.end(), is_its_pair);
    if (!replaced) rows.push_back(t.row);
  }
  rows.insert(rows.end(), changes.begin(), changes.end());
  return {std::move(vocabulary), std::move(rows)};
}

TransitionTable TransitionTable::renamed(std::string_view protocol, std::vector<MessageKind> messages) const {
  Vocabulary words = vocabulary_;
  words.protocol = protocol;
  words.messages = std::move(messages);
  return overlaid(std::move(words), {});
}

void TransitionTable::undefined(Code state, Code event, std::uint64_t line, std::uint64_t time) const {
  throw base::ModelError(fmt::format("protocol `{}`, {} machine: event {} is undefined in state {} (line {:#x}, {} ps)",
                                     vocabulary_.protocol, vocabulary_.machine, vocabulary_.events[event].name,
                                     vocabulary_.states[state].name, line, time));
}

void TransitionTable::unknown(Code action) const {
  throw base::ModelError(fmt::format("protocol `{}`, {} machine: the machine does not know how to perform `{}`",
                                     vocabulary_.protocol, vocabulary_.machine, vocabulary_.actions[action].name));
}

void TransitionTable::unnamed(const Stimulus& stimulus) const {
  static constexpr std::string_view sources[] = {"an access",
                                                 "a message",
                                                 "memory's data",
                                                 "a replacement",
                                                 "a flush",
                                                 "a timer",
                                                 "a replacement in the directory",
                                                 "a fence"};
  std::string what(sources[static_cast<std::size_t>(stimulus.source)]);
  if (stimulus.source == Stimulus::Source::message)
    what +=
        fmt::format(" {}", stimulus.message < vocabulary_.messages.size() ? vocabulary_.messages[stimulus.message].name
                                                                          : fmt::to_string(stimulus.message));
  throw base::ModelError(fmt::format("protocol `{}`, {} machine: {} is no event of its table (line {:#x}, {} ps)",
                                     vocabulary_.protocol, vocabulary_.machine, what, stimulus.line, stimulus.time));
}

TableCounts TransitionTable::counts() const {
  TableCounts counts;
  for (const StateName& state : vocabulary_.states) ++(state.stable ? counts.stable_states : counts.transient_states);
  for (std::size_t i = 0; i < transitions_.size();) {
    std::size_t end = i;
    std::size_t moving = 0;
    for (; end < transitions_.size() && same_pair(transitions_[i].row, transitions_[end].row); ++end) {
      if (!transitions_[end].only_waits()) ++moving;
    }
    counts.outcomes += moving;
    ++(moving > 0 ? counts.transitions : counts.waiting_pairs);
    i = end;
  }
  return counts;
}

std::vector<Code> TransitionTable::unreached_states() const {
  std::vector<Code> unreached;
  for (std::size_t s = 1; s < vocabulary_.states.size(); ++s) {
    const auto state = static_cast<Code>(s);
    if (vocabulary_.states[s].derived) continue;
    const bool reached = std::any_of(transitions_.begin(), transitions_.end(), [state](const Transition& t) {
      return t.row.next == state && t.row.state != state;
    });
    if (!reached) unreached.push_back(state);
  }
  return unreached;
}

}  // namespace syncline::protocols
