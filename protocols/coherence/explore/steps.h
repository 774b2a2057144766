// What can happen next in a state of the model checker, and what it does.
#pragma once

#include <string>
#include <vector>

#include "protocols/coherence/explore/clock.h"
#include "protocols/coherence/explore/encode.h"
#include "protocols/coherence/explore/reduction.h"
#include "protocols/coherence/explore/world.h"

namespace syncline::protocols::explore {

struct Step {
  enum class Kind : std::uint8_t { issue, receive, replay, memory_data, replace, replace_directory_entry, fire, tick };
  Kind kind = Kind::tick;
  std::uint8_t a = 0, b = 0;
  /// The node that this concerns replaces the line that it concerns right before: the line plus one, or 0. Of `issue`,
  /// `receive`, `replay` and `memory_data`.
  std::uint8_t replaced = 0;
  friend bool operator==(const Step& x, const Step& y) {
    return x.kind == y.kind && x.a == y.a && x.b == y.b && x.replaced == y.replaced;
  }
  friend bool operator!=(const Step& x, const Step& y) { return !(x == y); }
};

class Steps {
 public:
  /// `merge`, `reduce_orders`: those of ExploreOptions.
  Steps(World& world, bool merge, bool reduce_orders);

  State first_state() const;
  /// All steps that a state allows, in a fixed order.
  void list(const State& state, std::vector<Step>& steps) const;
  World::Verdict apply(State& state, const Step& step) const;
  std::string describe(const State& state, const Step& step) const;
  /// Behind a step: messages that can be received at once are (MessageKind::at_once). Where leases are physical:
  /// Clock::set_back, and timers that do nothing end at once.
  void settle(State& state) const;
  const Shape& shape() const { return shape_; }

 private:
  /// Where a step happens: a node and a line of it. A flush is at all lines of its node, and so is a fence, which may
  /// flush.
  struct Place {
    unsigned node;
    std::uint8_t lines;  ///< bit n: line n
  };
  Place place_of(const State& state, const Step& step) const;
  /// Whether nothing that the packet may not pass is before it.
  bool is_next(const State& state, unsigned index) const;
  bool may_replace(const State& state, unsigned node, unsigned line) const;
  void list_replacement(const State& state, unsigned node, unsigned line, std::vector<Step>& steps) const;
  /// Whether anything will be different after a tick: a lease, a timer or a fence that waits for time.
  bool time_matters(const State& state) const;

  World& world_;
  const CoherencePolicy& policy_;
  Shape shape_;
  Clock clock_;
  Reduction reduction_;
  bool reduces_;
  mutable std::string bytes_;  ///< of the state that is listed, when they have been asked for
};

}  // namespace syncline::protocols::explore
