// Leases in physical time: a state is the same whenever it happens, and whatever it holds that nobody will ask for.
#pragma once

#include <cstdint>

#include "protocols/coherence/engine/policy.h"
#include "protocols/coherence/explore/ahead.h"

namespace syncline::protocols::explore {

/// What the clock of a state shows. Leases that are over end before it, and 0 stays "never".
inline constexpr std::uint64_t present = 16;

/// Sets clocks back. States that it makes one have the same runs in all that caches and threads do and that World
/// checks; clock.cpp says at each of its steps why.
class Clock {
 public:
  /// With `forgets` false only the clock is set back, and what lies in the past becomes one: more states, with which
  /// tests compare.
  Clock(const CoherencePolicy& policy, const Program& program, bool forgets);

  /// The same state with its clock set back to `present`, and all times with it; where leases are not physical,
  /// nothing.
  void set_back(State& state) const;
  /// Whether a replacement of the line at an L1 may be left out: nobody will ask for the copy there, and the home,
  /// which sends an L1 nothing that it has not asked for, cannot tell. The copy stays, so its lease is still held
  /// against the home's.
  bool needs_no_replacement(const State& state, unsigned l1, unsigned line) const {
    return physical_ && forgets_ && !ahead_.load(state, l1, line) && !ahead_.write(state, l1, line);
  }

 private:
  void set_requests_back(State& state) const;
  void forget_views(State& state) const;
  void forget_copies(State& state) const;

  std::uint64_t least_lease_;
  bool physical_, current_, forgets_;
  unsigned threads_, l1s_, lines_;
  std::array<std::uint8_t, max_threads> l1_{};
  Ahead ahead_;
};

}  // namespace syncline::protocols::explore
