// The mutants of a policy that are known to survive, and why: protocols/coherence/POLICY/survivors.yaml.
//
//   "the copy is asked for again, which costs time alone":
//     - "L1 IV, Data: without take_lease"
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "protocols/coherence/engine/policy.h"

namespace syncline::cli {

/// Reasons by the description of the mutant. UserError with file and line for what is no such file, for a mutant that
/// the policy does not have, and for one that is explained twice.
std::map<std::string, std::string> read_survivors(const std::filesystem::path& file,
                                                  const protocols::CoherencePolicy& policy);

}  // namespace syncline::cli
