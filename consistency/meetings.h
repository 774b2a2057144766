// Which threads meet at which barrier, and who waits there for ever.
#pragma once

#include <functional>
#include <string>

#include "base/error.h"
#include "consistency/execution.h"

namespace syncline::consistency {

/// Calls `visit` with each relation `meets` that an execution can have, whose barriers have their numbers and counts;
/// returns false when some choice or all of them leave a thread at a barrier for ever.
///
/// The threads of a CTA meet where number and instance of the barrier are equal; who executes a barrier several times
/// meets, the n-th time, those who do it the n-th time. With a count b, the first b to come complete it, whoever they
/// are, and who comes later passes. Without, all that come complete it. Each that waits comes behind all that
/// complete it. Throws Refusal, at `where`, when the threads of a meeting name different counts, and when a thread comes
/// several times to a counted barrier at which not just `count` threads meet each time.
bool for_each_meeting(const Execution& execution, const base::SourceLocation& where,
                      const std::function<void(const Relation&)>& visit);

}  // namespace syncline::consistency
