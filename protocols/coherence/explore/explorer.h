// Exhaustive exploration of one program on one policy's machines: every order in which accesses, messages,
// replacements, memory, timers and the clock can happen. Breadth first, so that a trace is a shortest one.
//
// Checked in every state: no undefined transition, no broken rule of the caches. At the end of every run: its outcome
// is one that the consistency model allows, and no copy at rest is stale. Over the whole graph: every state can still
// reach an end, so there is no deadlock, and no livelock under fairness.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "protocols/coherence/explore/world.h"

namespace syncline::protocols::explore {

struct ExploreOptions {
  WorldOptions world;
  std::uint64_t max_states = 20'000'000;
  bool check_drain = true;  ///< needs the graph in memory
  /// States that differ only in the names of threads, or in what nobody will ask for any more, are one. False: what
  /// tests compare with.
  bool merge = true;
  /// Where leases are physical: orders of steps that nothing tells apart are one. A replacement that nothing else can
  /// notice comes right before what happens to the line at its node next, or at the end; a timer that does nothing ends
  /// at once. False: what tests compare with.
  bool reduce_orders = true;
  /// Which outcomes are allowed; empty: those of sc_outcomes.
  std::function<bool(const Outcome&)> allowed;
};

struct Violation {
  std::string what;   ///< "undefined transition: ...", "outcome 0:r0=1 ... is not allowed", "... cannot end"
  std::string trace;  ///< the steps that lead there, with the transitions that each performs
};

struct Report {
  std::uint64_t states = 0, steps = 0, depth = 0;
  bool complete = true;  ///< false: max_states was reached
  std::set<Outcome> outcomes;
  std::optional<Violation> violation;
  /// By Transition::index of each table.
  RowCounts taken;
  RowCounts met;  ///< also when the row only waited
  /// With WorldOptions::spending: least and most of each number of State::spent over all runs.
  std::vector<std::pair<std::uint8_t, std::uint8_t>> spent;
};

Report explore(const CoherencePolicy& policy, const Program& program, const CoherenceContext& context,
               const ExploreOptions& options);

}  // namespace syncline::protocols::explore
