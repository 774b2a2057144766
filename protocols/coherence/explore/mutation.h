// Mutants of a policy: one row of one table changed, to see whether the checker notices.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "protocols/coherence/explore/explorer.h"

namespace syncline::protocols::explore {

struct Mutant {
  bool of_l1 = true;
  std::uint32_t row = 0;    ///< Transition::index
  std::string description;  ///< "L1 IS, Data: without fill"
  std::shared_ptr<const TransitionTable> table;
};

/// For each row: every action left out, and every other next state. A row that only waits has no next state to mistake.
/// Tables that the engine refuses are no mutants.
std::vector<Mutant> mutants_of(const CoherencePolicy& policy);
/// The policy with the mutant's table.
CoherencePolicy mutated(const CoherencePolicy& policy, const Mutant& mutant);

enum class Fate {
  killed,       ///< some run of some program broke a rule, an invariant or the consistency model, or cannot end
  dearer,       ///< passes all that, but a program costs something else (costs.h)
  equivalent,   ///< in no run of any program can caches and threads tell it from the policy (lockstep.h)
  survives,     ///< can be told from the policy, and nothing that is checked says that it is wrong
  not_reached,  ///< no program meets its row
};

/// "killed", "dearer", ...
std::string_view name(Fate fate);

struct MutationOptions {
  /// The ways in which a program is explored and judged; asked once for each program. Without: as ExploreOptions are by
  /// default.
  std::function<std::vector<ExploreOptions>(const Program&)> judge;
  /// The policy as a machine with the program's L1s has it; without: the same for all.
  std::function<const CoherencePolicy&(const Program&)> policy;
  /// Programs with more states are left out, as far as others meet the row.
  std::uint64_t max_states = 10'000;
  unsigned jobs = 1;
  /// Not 0: only so many mutants, spread evenly over all, beginning at the `seed`-th.
  std::size_t sample = 0, seed = 0;
};

struct MutantResult {
  std::string description;
  Fate fate = Fate::not_reached;
  std::string by;  ///< killed, dearer: the program, and what was noticed
};

/// Tries each mutant on the programs that meet its row, the smallest first: in lockstep with the policy until they
/// differ, then alone, until something is violated; at last its costs on `cost_programs`. In the order of mutants_of.
std::vector<MutantResult> run_mutants(const CoherencePolicy& policy, const std::vector<Program>& programs,
                                      const std::vector<Program>& cost_programs, const CoherenceContext& context,
                                      const MutationOptions& options);

}  // namespace syncline::protocols::explore
