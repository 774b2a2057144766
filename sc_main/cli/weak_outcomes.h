// What weak ordering allows of a model checker's program: its accesses as relaxed ones of gpu scope, its fences as
// fence.sc, threads of one `@N` as a CTA with a barrier, judged by the PTX memory model.
#pragma once

#include <functional>

#include "protocols/coherence/explore/program.h"

namespace syncline::cli {

std::function<bool(const protocols::explore::Outcome&)> weak_outcomes(const protocols::explore::Program& program);

}  // namespace syncline::cli
