// Mutants of a policy: one row of one table changed, to see what notices (docs/model-checking.md, "Changed tables"). A
// mutant is a difference of a table, and its name is the same wherever it is used: `coherence.mutant`, survivors.yaml.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "protocols/coherence/engine/policy.h"

namespace syncline::protocols {

/// Of one table, of whatever machine.
struct TableMutant {
  std::uint32_t row = 0;    ///< Transition::index
  Row changed;              ///< what stands there instead
  std::string description;  ///< "L1 IS, Data: without fill"
};
/// For each row: every action left out, and every other next state. A row that only waits has no next state to mistake.
std::vector<TableMutant> mutants_of(const TransitionTable& table);
/// The table with the mutant's row.
std::shared_ptr<const TransitionTable> mutated(const TransitionTable& table, const TableMutant& mutant);

/// Of a policy of coherence.
struct Mutant {
  Role role = Role::l1;
  std::uint32_t row = 0;    ///< Transition::index
  Row changed;              ///< what stands there instead
  std::string description;  ///< its name: "L1 IS, Data: without fill"
};

/// Those of the tables of all its roles.
std::vector<Mutant> mutants_of(const CoherencePolicy& policy);
/// The mutant of that name; UserError with the nearest one when the policy has none.
Mutant mutant_named(const CoherencePolicy& policy, const std::string& name);
/// The policy with the mutant's row.
CoherencePolicy mutated(const CoherencePolicy& policy, const Mutant& mutant);

}  // namespace syncline::protocols
