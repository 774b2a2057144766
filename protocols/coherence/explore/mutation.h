// Mutants of a policy: one row of one table changed, to see whether the checker notices.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "protocols/coherence/explore/explorer.h"

namespace syncline::protocols::explore {

struct Mutant {
  bool of_l1 = true;
  std::uint32_t row = 0;    ///< Transition::index
  std::string description;  ///< "L1 IS, Data: without fill"
  std::shared_ptr<const TransitionTable> table;
};

/// For each row: every action left out (also those that only wait), and every other next state of the same kind (stable
/// or transient) and one of the other kind. Tables that the engine refuses are no mutants.
std::vector<Mutant> mutants_of(const CoherencePolicy& policy);

struct MutationReport {
  std::size_t mutants = 0, killed = 0;
  std::size_t not_reached = 0;  ///< mutants of rows that no program of the suite takes
  std::vector<std::string> survivors;
};

/// Explores the programs with each mutant until one shows a violation. `tell` is called with each survivor.
void run_mutants(const CoherencePolicy& policy, const std::vector<Program>& programs, const CoherenceContext& context,
                 const ExploreOptions& options, MutationReport& report,
                 const std::function<void(const std::string&)>& tell);

}  // namespace syncline::protocols::explore
