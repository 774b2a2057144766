// What becomes of a policy's mutants (engine/mutant.h): whether the checker notices them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "protocols/coherence/engine/mutant.h"
#include "protocols/coherence/explore/explorer.h"

namespace syncline::protocols::explore {

enum class Fate {
  killed,       ///< some run of some program broke a rule, an invariant or the consistency model, or cannot end
  dearer,       ///< passes all that, but a program costs something else (costs.h)
  equivalent,   ///< in no run of any program can caches and threads tell it from the policy (lockstep.h)
  survives,     ///< can be told from the policy, and nothing that is checked says that it is wrong
  not_reached,  ///< no program meets its row
  stressed,     ///< none of these: random tests fail with it. Given by whoever runs them, not by run_mutants
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
  /// Not empty: only the mutants of these names.
  std::vector<std::string> only;
};

struct MutantResult {
  Mutant mutant;
  Fate fate = Fate::not_reached;
  std::string by;  ///< killed, dearer: the program, and what was noticed
};

/// Tries each mutant on the programs that meet its row, the smallest first: in lockstep with the policy until they
/// differ, then alone, until something is violated; at last its costs on `cost_programs`. In the order of mutants_of.
std::vector<MutantResult> run_mutants(const CoherencePolicy& policy, const std::vector<Program>& programs,
                                      const std::vector<Program>& cost_programs, const CoherenceContext& context,
                                      const MutationOptions& options);

}  // namespace syncline::protocols::explore
