// Lines whose transition waits for what an action began.
#include "models/cache/coherent_lines.h"

#include <algorithm>

namespace syncline::models {

using protocols::Action;
using protocols::Transition;

Index CoherentLines::lock_of(base::LineAddress line) const {
  for (Index i = 0; i < locks_.size(); ++i) {
    if (locks_[i].used && locks_[i].line == line) return i;
  }
  return nowhere;
}

void CoherentLines::lock(const Transition& transition, const Lookup& lookup, Request& request, const Action* next) {
  const auto free = std::find_if(locks_.begin(), locks_.end(), [](const Lock& lock) { return !lock.used; });
  if (free == locks_.end() || depth_ != 1) throw broken_rule(lookup, "is to be locked, and there is no lock for it");
  Lock& lock = *free;
  lock.used = true;
  lock.line = lookup.line;
  lock.transition = &transition;
  lock.lookup = lookup;
  lock.request = request;
  lock.request.held = false;
  lock.rest.clear();
  for (const Action* action = next; action != actions_[0].end(); ++action) lock.rest.add(action->kind) = *action;
  lock.since = owner_.now_cycle();
  lock.network = request.message != nullptr ? request.message->network : 0;
  lock.timed = lock.flushed = false;
  ++locked_;
  request.kept = true;
}

bool CoherentLines::wait_for_lock(Message& message) {
  Lock& lock = locks_[lock_of(message.line)];
  if (message.network > lock.network || lock.waiting.full()) return false;
  lock.waiting.push_back({&message, owner_.now_cycle(), owner_.now_ps(), nowhere});
  return true;
}

StallReason CoherentLines::locked_stall(base::LineAddress line) const {
  const Lock& lock = locks_[lock_of(line)];
  return owner_.stall_reason(*lock.transition, lock.lookup, lock.request);
}

void CoherentLines::resume(base::LineAddress line) {
  Lock& lock = locks_[lock_of(line)];
  // What waits here was looked at before the rest of its line that is to be presented again, and behind what the
  // actions may set free.
  Replays& replays = replays_[lock.lookup.role];
  const std::size_t waiting = replays.size();
  for (const MshrTable::Parked& parked : lock.waiting) replays.push_back(parked);
  lock.waiting.clear();
  put_before_younger(replays, waiting);
  ++depth_;
  for (const Action& action : lock.rest) execute(action, lock.lookup, lock.request);
  --depth_;
  if (lock.request.held) throw broken_rule(lock.lookup, "is locked by two actions of one transition");
  settle(*lock.transition, lock.lookup);
  if (!lock.request.kept && lock.request.message != nullptr) lock.request.message->payload()->release();
  lock.used = false;
  --locked_;
  if (lock.timed) set_timer(owner_.now_ps(), line);
  const Lookup after = locate(line);
  if (lock.flushed && (after.frame != nowhere || after.mshr != nowhere)) flush(line);
}

}  // namespace syncline::models
