// What both models share about the order of the writes to one location.
#pragma once

#include <functional>

#include "consistency/execution.h"

namespace syncline::consistency {

/// Initial writes come before all others to their location.
Relation initial_first(const Execution& execution);

/// Calls `visit` with each transitive order that contains `co` and relates all of `pairs`, until it returns false; not
/// at all when `co` has a cycle. Returns false when `visit` did. Orders of which `possible` refuses a part are left
/// out.
bool for_each_order(const Relation& co, const Relation& pairs, const std::function<bool(const Relation&)>& visit,
                    const std::function<bool(const Relation&)>& possible = {});

/// from-reads: a read comes before the writes that follow, in `co`, the one it read.
Relation from_reads(const Execution& execution, const Relation& co);

}  // namespace syncline::consistency
