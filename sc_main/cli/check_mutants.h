// syncline check POLICY --mutate: what becomes of the policy's mutants.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "protocols/coherence/explore/mutation.h"

namespace syncline::cli {

struct MutantCheck {
  std::string policy;                  ///< its name
  std::vector<std::string> overrides;  ///< of its keys
  std::filesystem::path survivors;     ///< those that are known, and why; empty: nobody asks
  /// Not 0: mutants that the checker does not kill are given so many operations of random tests.
  std::uint64_t stress = 0;
  std::uint64_t stress_seed = 1;
  bool verbose = false;  ///< tell what became of each
  protocols::explore::MutationOptions mutation;
};

/// Explores the mutants on `programs`, gives those that live to the random tester, and prints what became of them.
/// With `survivors` each that survives must be explained there, and no other: else the status says not verified.
base::ExitStatus check_mutants(const MutantCheck& options, const protocols::CoherencePolicy& policy,
                               const std::vector<protocols::explore::Program>& programs,
                               const protocols::CoherenceContext& context);

}  // namespace syncline::cli
