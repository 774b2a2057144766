// One side of a coherence protocol: a table, and what its events, guards and actions mean.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "protocols/coherence/engine/action.h"
#include "protocols/coherence/engine/meta.h"
#include "protocols/coherence/engine/stimulus.h"
#include "protocols/coherence/engine/table.h"

namespace syncline::protocols {

/// What a fence means to an L1. The core asks only after all earlier accesses of the warp were acknowledged.
struct FenceOutcome {
  std::uint64_t ready_at = 0;  ///< picoseconds; in the past: at once
  bool flush = false;          ///< present a flush to every line
};

/// A machine has no state beside its coverage counters: lines and nodes live with the host. A host decides, looks
/// whether it has what the transition needs, and only then performs; so nothing ever has to be undone.
class Machine {
 public:
  explicit Machine(std::shared_ptr<const TransitionTable> table)
      : table_(std::move(table)), taken_(table_->transitions().size()) {}
  virtual ~Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// The transition that applies; throws ModelError for an undefined pair.
  const Transition& decide(const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const {
    const Situation at = classify(stimulus, line, node);
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
    act(transition.row, stimulus, line, node, actions);
    line.state = transition.row.next;
  }
  virtual FenceOutcome fence(const Stimulus&, NodeMeta&) { return {}; }

  const TransitionTable& table() const { return *table_; }
  /// How often each transition was performed, by Transition::index.
  const std::vector<std::uint64_t>& taken() const { return taken_; }

 protected:
  struct Situation {
    Code state;
    Code event;
  };
  /// Names the event; a state may read as another one (a line whose lease has ended reads as invalid).
  virtual Situation classify(const Stimulus& stimulus, const LineMeta& line, const NodeMeta& node) const = 0;
  virtual bool holds(Code, const Stimulus&, const LineMeta&, const NodeMeta&) const { return true; }
  virtual void act(const Row& row, const Stimulus& stimulus, LineMeta& line, NodeMeta& node, ActionList& actions) = 0;

 private:
  std::shared_ptr<const TransitionTable> table_;
  std::vector<std::uint64_t> taken_;
};

}  // namespace syncline::protocols
