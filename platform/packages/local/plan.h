// Whether a kernel's transactions fit an SM beside the kernel itself, and what becomes of them ([LocalTM] section 7.2).
#pragma once

#include <string>

#include "protocols/transactions/local/spec.h"

namespace syncline::models {
struct GridLaunch;
}

namespace syncline::platform {

struct PlatformSpec;

namespace local {

/// Decides how transactions of `grid`, which has some, are executed, and adds what they take of an SM to what its CTAs
/// demand. Returns what the user is to hear: that they run under a lock, and why. UserError where
/// `transactions.local.shortage` wants it.
std::string plan_transactions(const PlatformSpec& spec, protocols::local::Detection detection,
                              models::GridLaunch& grid);

}  // namespace local
}  // namespace syncline::platform
