// Whether two policies can be told apart: both run a program in lockstep, every run of it, and after each step caches
// and threads must have been asked for the same things. What the machines remember for themselves may differ.
#pragma once

#include "protocols/coherence/explore/explorer.h"

namespace syncline::protocols::explore {

/// True only if from the first state on both allow the same steps, meet each with the same verdict, and leave the same
/// messages, bytes, frames, miss registers, timers and answers behind: a bisimulation, so no run of this program under
/// any host and network differs. False also when more than `options.max_states` pairs of states would be needed.
bool behave_alike(const CoherencePolicy& one, const CoherencePolicy& other, const Program& program,
                  const CoherenceContext& context, const ExploreOptions& options);

}  // namespace syncline::protocols::explore
