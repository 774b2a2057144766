#include "models/partition/plain_access.h"

#include <fmt/format.h>

#include "base/error.h"
#include "protocols/coherence/registry.h"

namespace syncline::models {

protocols::PlainAccess plain_access(const protocols::CoherencePolicy& policy, const std::string& what) {
  if (policy.plain) return *policy.plain;
  std::string able;
  for (const auto& entry : protocols::coherence_policies()) {
    if (entry.make({}, {}).plain) able += fmt::format("{}`{}`", able.empty() ? "" : ", ", entry.name);
  }
  throw base::UserError(
      fmt::format("{} reads and writes lines beside the home, which the coherence policy `{}` does not allow; "
                  "policies that do: {}",
                  what, policy.name, able));
}

}  // namespace syncline::models
