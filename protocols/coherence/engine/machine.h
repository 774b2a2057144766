// One side of a coherence protocol: a table, and what its guards and its own actions mean.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "protocols/coherence/engine/action.h"
#include "protocols/coherence/engine/meta.h"
#include "protocols/coherence/engine/stimulus.h"
#include "protocols/coherence/engine/table.h"

namespace syncline::protocols {

/// What a fence means to an L1. The core asks only after all earlier accesses of the warp were acknowledged.
struct FenceOutcome {
  std::uint64_t ready_at = 0;  ///< picoseconds; in the past: at once
  bool flush = false;          ///< present a flush to every line, once the fence is over otherwise
  /// Others have to be asked first: present Stimulus::Source::fence, which a row forwards; the fence goes on when it is
  /// answered.
  bool ask = false;
};

/// What a machine counts beside its rows: facts that only it can see, for statistics. Nothing that it does depends on
/// them.
struct Tally {
  std::string_view name, unit, meaning;
  std::uint64_t count = 0;
};

/// A machine has no state beside its coverage counters: lines and nodes live with the host. A host decides, looks
/// whether it has what the transition needs, and only then performs; so nothing ever has to be undone.
class Machine {
 public:
  explicit Machine(std::shared_ptr<const TransitionTable> table, std::vector<Tally> tallies = {})
      : table_(std::move(table)), taken_(table_->transitions().size()), tallies_(std::move(tallies)) {}
  virtual ~Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// The transition that applies; throws ModelError for an undefined pair.
  const Transition& decide(const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const {
    Situation at{line.state, table_->event_of(stimulus)};
    refine(at, stimulus, line, node);
    if (at.event == TransitionTable::no_event) table_->unnamed(stimulus);
    const TransitionTable::Range outcomes = table_->outcomes(at.state, at.event);
    for (const Transition& t : outcomes) {
      if (t.row.guard == Row::no_guard || holds(t.row.guard, stimulus, line, node)) return t;
    }
    table_->undefined(at.state, at.event, stimulus.line, stimulus.time);
  }
  /// Performs what `decide` returned: changes `line` and `node`, counts the row, and appends what the host has to do.
  void perform(const Transition& transition, const Stimulus& stimulus, LineMeta& line, NodeMeta& node,
               ActionList& actions) {
    ++taken_[transition.index];
    for (const Code code : transition.row.actions) {
      const ActionName& name = table_->vocabulary().actions[code];
      if (name.performer == Performer::machine) {
        update(code, stimulus, line, node);
      } else if (name.performer != Performer::host) {
        Action& action = actions.add(name.asks, name.message);
        action.marks_dirty = name.marks_dirty;
        action.of_entry = name.of_entry;
        action.to_modules = name.to_modules;
        action.role = name.of_role;
        action.requester = stimulus.requester;
        if (name.performer == Performer::completed) complete(code, stimulus, line, node, action);
      }
    }
    line.state = transition.row.next;
  }
  virtual FenceOutcome fence(const Stimulus&, NodeMeta&) { return {}; }

  /// What is wrong with a line after a transition for `stimulus`, if anything: the protocol's invariants of one line at
  /// one node. The model checker asks after every transition.
  virtual std::string_view broken(const Stimulus&, const LineMeta&, const NodeMeta&) const { return {}; }

  static constexpr std::uint64_t never = ~std::uint64_t{0};
  /// When a stimulus that has to wait is to be looked at again even if nothing happens until then, picoseconds.
  virtual std::uint64_t wait_ends(const Stimulus&, const LineMeta&, const NodeMeta&) const { return never; }

  /// Logical time of a node at `time` picoseconds, through all epochs; 0 where a policy has none.
  virtual std::uint64_t logical_time(const NodeMeta&, std::uint64_t /*time*/) const { return 0; }

  const TransitionTable& table() const { return *table_; }
  /// How often each transition was performed, by Transition::index.
  const std::vector<std::uint64_t>& taken() const { return taken_; }
  const std::vector<Tally>& tallies() const { return tallies_; }

 protected:
  /// One more of the tally at that place of those that the machine was made with.
  void count(std::size_t tally) { ++tallies_[tally].count; }
  struct Situation {
    Code state;
    Code event;
  };
  /// Looks closer at what the table's triggers named: the last of several replies may be another event, and a state may
  /// read as another one (a line whose lease has ended reads as invalid).
  virtual void refine(Situation&, const Stimulus&, const LineMeta&, const NodeMeta&) const {}
  virtual bool holds(Code, const Stimulus&, const LineMeta&, const NodeMeta&) const { return true; }
  /// Performs an action of Performer::machine. One that the machine does not know is a mistake of its table.
  virtual void update(Code action, const Stimulus&, LineMeta&, NodeMeta&) { unknown_action(action); }
  /// Throws the ModelError of an action that `update` or `complete` has no words for.
  [[noreturn]] void unknown_action(Code action) const { table_->unknown(action); }
  /// Fills in what an action of Performer::completed asks for: nodes, acks, stamps, time.
  virtual void complete(Code, const Stimulus&, const LineMeta&, const NodeMeta&, Action&) const {}

 private:
  std::shared_ptr<const TransitionTable> table_;
  std::vector<std::uint64_t> taken_;
  std::vector<Tally> tallies_;
};

}  // namespace syncline::protocols
