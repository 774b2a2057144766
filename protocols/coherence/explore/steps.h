// What can happen next in a state of the model checker, and what it does.
#pragma once

#include <string>
#include <vector>

#include "protocols/coherence/explore/clock.h"
#include "protocols/coherence/explore/encode.h"
#include "protocols/coherence/explore/world.h"

namespace syncline::protocols::explore {

struct Step {
  enum class Kind : std::uint8_t { issue, receive, replay, memory_data, replace, replace_listing, fire, tick };
  Kind kind = Kind::tick;
  std::uint8_t a = 0, b = 0;
  friend bool operator==(const Step& x, const Step& y) { return x.kind == y.kind && x.a == y.a && x.b == y.b; }
  friend bool operator!=(const Step& x, const Step& y) { return !(x == y); }
};

class Steps {
 public:
  /// `merge`: ExploreOptions::merge.
  Steps(World& world, bool merge);

  State first_state() const;
  /// All steps that a state allows, in a fixed order.
  void list(const State& state, std::vector<Step>& steps) const;
  World::Verdict apply(State& state, const Step& step) const;
  std::string describe(const State& state, const Step& step) const;
  /// Where leases are physical: Clock::set_back.
  void set_clock_back(State& state) const { clock_.set_back(state); }
  const Shape& shape() const { return shape_; }

 private:
  bool may_replace(const State& state, unsigned node, unsigned line) const;
  /// Whether anything will be different after a tick: a lease, a timer or a fence that waits for time.
  bool time_matters(const State& state) const;

  World& world_;
  const CoherencePolicy& policy_;
  Shape shape_;
  Clock clock_;
};

}  // namespace syncline::protocols::explore
