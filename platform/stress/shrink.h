// A failing batch made small: fewer episodes, threads, operations, lines and qualifiers that still fail.
#pragma once

#include "platform/stress/batch.h"

namespace syncline::stress {

struct Shrunk {
  Batch batch;  ///< fails in its last episode; those before it are runs of the same program at other times, or what has
                ///< to run before
  BatchResult::Failure failure;
  unsigned trials = 0;  ///< batches that were run to get there
  const Episode& program() const { return batch.episodes.back(); }
};

/// Delta debugging (Zeller and Hildebrandt 2002) over what failed. A smaller program meets other delays, so each
/// candidate is run many times, at other times each, before it counts as one that does not fail.
Shrunk shrink(const Batch& failing, const BatchResult::Failure& failure, unsigned max_trials = 2000);

}  // namespace syncline::stress
