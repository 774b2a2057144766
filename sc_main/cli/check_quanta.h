// `syncline check` of a determinism policy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"

namespace syncline::cli {

/// The determinism policies that can be explored, by name.
const std::vector<std::string>& quanta_policies();

/// Explores `programs` (texts; none: the suite) under `policy` with the keys `determinism.*` of `overrides`.
base::ExitStatus check_quanta(const std::string& policy, const std::vector<std::string>& programs,
                              const std::vector<std::string>& overrides, std::uint64_t max_states);

}  // namespace syncline::cli
