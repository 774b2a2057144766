// What tests of explored transactional memories share: programs in worlds, and tables with faults that show in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "protocols/coherence/engine/mutant.h"
#include "protocols/transactions/explore/explorer.h"

namespace syncline::tests {

/// Set to explore everything: some minutes.
inline bool everything() {
  return std::getenv("SYNCLINE_ALL_TRANSACTIONS") != nullptr;
}

template <class World>
auto explored_in(const protocols::explore::Program& program, const World& world, std::uint64_t max_states) {
  protocols::transactions::Exploring<World> options;
  options.world = world;
  options.max_states = max_states;
  return protocols::transactions::explore_transactions(program, options);
}

/// A program in a world, and how it runs without a fault. World: options of what is explored.
template <class World>
struct SoundCase {
  const protocols::explore::Program* program;
  World world;
  decltype(explored_in(*program, world, 0)) report;
};

/// Those of at most `max_states` states, the smallest first.
template <class World>
std::vector<SoundCase<World>> sound_cases(const std::vector<World>& worlds,
                                          const std::vector<protocols::explore::Program>& programs,
                                          std::uint64_t max_states) {
  std::vector<SoundCase<World>> cases;
  for (const World& world : worlds) {
    for (const protocols::explore::Program& program : programs) {
      auto report = explored_in(program, world, max_states);
      if (report.complete) cases.push_back({&program, world, std::move(report)});
    }
  }
  std::stable_sort(cases.begin(), cases.end(),
                   [](const auto& a, const auto& b) { return a.report.states < b.report.states; });
  return cases;
}

/// `with_fault(world)`. `shows(sound, faulty)`: a report that has no violation is not that of a sound run.
template <class World, class Fault, class Shows>
bool is_killed(const std::vector<SoundCase<World>>& cases, const Fault& with_fault, const Shows& shows) {
  return std::any_of(cases.begin(), cases.end(), [&](const SoundCase<World>& one) {
    World world = one.world;
    with_fault(world);
    const auto report = explored_in(*one.program, world, 10 * one.report.states);
    // One that never ends is as visible as one that ends wrong.
    return report.violation || !report.complete || shows(one.report, report);
  });
}
inline constexpr auto nothing_else = [](const auto&, const auto&) { return false; };

/// Mutants of the table that are not killed, by their descriptions.
template <class World, class Shows = decltype(nothing_else)>
std::vector<std::string> survivors_of(const protocols::TransitionTable& table,
                                      const std::vector<SoundCase<World>>& cases, const Shows& shows = nothing_else) {
  std::vector<std::string> survivors;
  for (const protocols::TableMutant& mutant : mutants_of(table)) {
    const auto changed = mutated(table, mutant);
    if (!is_killed(
            cases, [&changed](World& world) { world.table = changed; }, shows))
      survivors.push_back(mutant.description);
  }
  return survivors;
}

}  // namespace syncline::tests
