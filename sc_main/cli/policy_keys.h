// The keys below `coherence.` for commands that run policies without a platform.
#pragma once

#include <string>
#include <vector>

#include "protocols/coherence/registry.h"

namespace syncline::cli {

/// The keys of `policy` with `settings` below `coherence.` (of its entry in the registry), and over them the user's
/// overrides (`coherence.KEY=VALUE`). UserError for what does not exist; `command` is named in it.
protocols::CoherenceSpec policy_keys(const std::string& policy, const std::vector<std::string_view>& settings,
                                     const std::vector<std::string>& overrides, const std::string& command);

/// The settings under which random tests run a policy: its own, those that make exploration small, and those that make
/// rare rows frequent; over them the user's overrides.
std::vector<protocols::CoherenceSpec> stress_keys(const std::string& policy, const std::vector<std::string>& overrides,
                                                  const std::string& command);

/// The entry of a policy; UserError with the nearest name when there is none.
const protocols::CoherenceEntry& policy_entry(const std::string& policy);

}  // namespace syncline::cli
