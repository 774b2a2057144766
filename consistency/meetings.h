// Which threads meet at which barrier, and who waits there for ever.
#pragma once

#include <functional>
#include <string>

#include "base/error.h"
#include "consistency/execution.h"

namespace syncline::consistency {

/// What becomes of the barriers of an execution.
struct MeetingVisitor {
  /// Everybody goes on; `meets` is the execution's.
  std::function<void(const Relation& meets)> done;
  /// Somebody waits for ever: the events in `undone` never happen, `meets` is of those that do.
  std::function<void(const Relation& meets, EventSet undone)> stuck;
};

/// Visits each way in which threads can meet in an execution whose barriers have their numbers and counts.
///
/// The threads of a CTA meet where number and instance of the barrier are equal; who executes a barrier several times
/// meets, the n-th time, those who do it the n-th time. With a count b, the first b to come complete it, whoever they
/// are, and who comes later passes. Without, all that come complete it. Each that waits comes behind all that
/// complete it. Throws Refusal, at `where`, when the threads of a meeting name different counts, and when a thread
/// comes several times to a counted barrier at which not just `count` threads meet each time.
void for_each_meeting(const Execution& execution, const base::SourceLocation& where, const MeetingVisitor& visitor);

}  // namespace syncline::consistency
