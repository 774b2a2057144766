// What weak ordering allows of a model checker's program: its accesses and fences with the order and the scope that
// they have, threads of one `@N` as a CTA with a barrier, judged by the PTX memory model or the part of it that a
// policy promises.
#pragma once

#include <functional>

#include "consistency/enumerate.h"
#include "protocols/coherence/engine/policy.h"
#include "protocols/coherence/explore/program.h"

namespace syncline::platform {

/// What a machine of the policy has to keep.
consistency::Promise promise_of(const protocols::CoherencePolicy& policy);

std::function<bool(const protocols::explore::Outcome&)> weak_outcomes(const protocols::explore::Program& program,
                                                                      consistency::Promise promise);

}  // namespace syncline::platform
