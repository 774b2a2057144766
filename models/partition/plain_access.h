// Whether a unit may read and write lines beside the home.
#pragma once

#include <string>

#include "protocols/coherence/engine/policy.h"

namespace syncline::models {

/// The plain access of `policy`. UserError where it has none, which says who wants it (`what`: "a Z-unit") and which
/// policies have one.
protocols::PlainAccess plain_access(const protocols::CoherencePolicy& policy, const std::string& what);

}  // namespace syncline::models
