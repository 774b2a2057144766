// Whether what an episode showed is what the policy promises.
#pragma once

#include <optional>
#include <string>

#include "platform/stress/episode_run.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::stress {

/// A sentence about what is wrong, with the accesses that show it; nothing when the episode is as it must be.
///
/// Race-free episodes: each load and atomic has one value that it must return, given the program orders and the order
/// in which the locks were taken. Racy ones: by consistency/history.h, as the policy promises.
std::optional<std::string> judge(const Episode& episode, const Record& record,
                                 const protocols::CoherencePolicy& policy);

}  // namespace syncline::stress
