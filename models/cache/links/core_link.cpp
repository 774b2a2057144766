// What comes from the SM: accesses, prefetches, fences, and what is presented again.
#include "models/cache/links/core_link.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/cache/cache_controller.h"
#include "models/cache/links/home_link.h"
#include "models/cache/translate.h"
#include "models/sm/l1_interface.h"
#include "models/sm/warp_mask.h"

namespace syncline::models {

using protocols::Needs;
using protocols::Operation;
using protocols::Stimulus;

CoreLink::CoreLink(CacheController& cache, const Spec& spec)
    : from_sm("from_sm", *this), to_sm("to_sm", *this), cache_(cache), spec_(spec), requests_(1, spec.input_queue) {
  held_.reserve(max_warp_slots);  // a warp waits for its fence
}

bool CoreLink::receive(Message& message, const sc_core::sc_time& arrival, unsigned) {
  const base::Cycle at = cache_.clock()->cycle_at_or_after(arrival);
  if (!requests_.push(message, at)) return false;
  message.requester = cache_.node();
  cache_.lines().prefetch(message.line);
  cache_.wake(at);
  return true;
}

base::Cycle CoreLink::answer_fences() {
  while (!held_.empty() && held_.back().until <= cache_.now_cycle()) {
    reply(*held_.back().message, cache_.now_cycle());
    held_.pop_back();
    cache_.progress();
  }
  return held_.empty() ? base::never : held_.back().until;
}

base::Cycle CoreLink::take() {
  base::Cycle next = take_replays();
  next = std::min(next, take_requests());
  return held_.empty() ? next : std::min(next, held_.back().until);
}

bool CoreLink::stalls() const {
  return stalls_.cause() != StallReason::none || !cache_.lines().replays().empty();
}

base::Cycle CoreLink::take_replays() {
  auto& replays = cache_.lines().replays();
  for (unsigned port = 0; port < spec_.ports && !replays.empty(); ++port) {
    const MshrTable::Parked replay = replays.front();
    replays.pop_front();
    if (take_access(*replay.message, true) != StallReason::none) {
      replays.push_front(replay);
      return base::never;
    }
    cache_.change();
  }
  return replays.empty() ? base::never : cache_.now_cycle() + 1;
}

base::Cycle CoreLink::take_requests() {
  if (!cache_.lines().replays().empty()) return base::never;                          // older accesses first
  if (!cache_.changed() && stalls_.cause() != StallReason::none) return base::never;  // it would be refused again
  const base::Cycle now = cache_.now_cycle();
  const auto& queue = requests_.queue(0);
  for (unsigned port = 0; port < spec_.ports && !queue.empty(); ++port) {
    const std::size_t place = requests_.next(0);
    if (queue[place].at > now) break;
    const StallReason stall = take_request(*queue[place].message);
    if (stall == StallReason::recycled && cache_.policy().recycle_ps != 0) {
      end_stall();  // it may have waited for something else before
      counts_.recycles.add();
      const base::Cycle again = cache_.clock()->cycle_at_or_after_ps(cache_.now_ps() + cache_.policy().recycle_ps);
      if (store_under_way(queue[place].message->line)) held_by_stores_.add(now, again);
      requests_.recycle(0, place, again);
      continue;
    }
    if (stall != StallReason::none) {
      note_stall(stall, queue[place].message->line);
      return base::never;
    }
    end_stall();
    requests_.take(0, place);
    from_sm.resume(sm_l1_network);
  }
  return queue.empty() ? base::never : std::max(queue[requests_.next(0)].at, now + 1);
}

bool CoreLink::store_under_way(base::LineAddress line) const {
  return cache_.links().homes != nullptr && cache_.links().homes->store_under_way(line);
}

void CoreLink::note_stall(StallReason stall, base::LineAddress line) {
  const bool by_protocol = stall == StallReason::protocol || stall == StallReason::recycled;
  if (by_protocol && stalls_.cause() != StallReason::protocol) {
    end_stall();
    stalled_by_store_ = store_under_way(line);
  } else if (!by_protocol && stalled_by_store_) {
    end_stall();
  }
  stalls_.begin(stall, cache_.now_cycle());
}

void CoreLink::end_stall() {
  if (stalled_by_store_) held_by_stores_.add(stalls_.since(), cache_.now_cycle());
  stalled_by_store_ = false;
  stalls_.end(cache_.now_cycle());
}

StallReason CoreLink::take_request(Message& message) {
  if (message.family != &l1_family) {
    if (message.kind >= message.family->kinds.size())
      throw base::ModelError(fmt::format("{}: the SM sends a message of the family `{}`, which has no kind {}",
                                         cache_.name(), message.family->name, message.kind));
    const bool as_store = message.family->kinds[message.kind].passage == Passage::as_store;
    if (as_store) return take_access(message, false);
    if (cache_.links().homes == nullptr) cache_.lacks("to homes");
    return cache_.links().homes->pass_by(message);
  }
  if (message.message_class == MessageClass::control) {
    take_control(message);
    return StallReason::none;
  }
  return l1_kind(message) == L1Kind::prefetch ? take_prefetch(message) : take_access(message, false);
}

Request CoreLink::present(Message& message) const {
  Request request;
  request.stimulus.source = Stimulus::Source::access;
  request.stimulus.access = traits_of(message);
  const L1Kind kind = l1_kind(message);
  request.stimulus.access.is_private = kind == L1Kind::local;
  request.stimulus.access.is_read_only |= kind == L1Kind::constant;
  request.stimulus.requester = cache_.node().index;
  request.stimulus.warp = message.warp.value();
  request.stimulus.pc = message.pc;
  request.line = message.line;
  request.wanted = message.mask;
  request.message = &message;
  return request;
}

StallReason CoreLink::take_access(Message& message, bool replayed) {
  Request request = present(message);
  const Operation operation = request.stimulus.access.operation;
  if (const StallReason stall = wait_for_release(request); stall != StallReason::none) return stall;
  const HomeLink* const homes = cache_.links().homes;
  const std::uint64_t forwarded = homes != nullptr ? homes->forwarded() : 0;
  const StallReason stall = cache_.lines().present(request);
  cache_.retry_at(request.retry_ps);
  if (stall != StallReason::none) return stall;
  if (!replayed) count(operation, homes != nullptr && homes->forwarded() != forwarded);
  flush_if_asked();
  return StallReason::none;
}

void CoreLink::count(Operation operation, bool forwarded) {
  switch (operation) {
    case Operation::load:
      counts_.loads.add();
      if (forwarded) counts_.forwarded_loads.add();
      break;
    case Operation::store:
      counts_.stores.add();
      break;
    case Operation::atomic:
      counts_.atomics.add();
      break;
  }
}

/// A store that releases is a fence and a store. The SM has waited for the acknowledgements; what else the fence of the
/// policy waits for ends at a time that is known.
StallReason CoreLink::wait_for_release(const Request& request) {
  if (!request.stimulus.access.releases || cache_.policy().consistency == protocols::Consistency::sc)
    return StallReason::none;
  Stimulus stimulus = request.stimulus;
  stimulus.access.acquires = false;
  stimulus.time = cache_.now_ps();
  const std::uint64_t ready_at = cache_.lines().fence(stimulus).ready_at;
  if (ready_at <= cache_.now_ps()) return StallReason::none;
  cache_.retry_at(ready_at);
  return StallReason::protocol;
}

StallReason CoreLink::take_prefetch(Message& message) {
  counts_.prefetches.add();
  Request request = present(message);
  // Only a miss that the cache would keep is worth a prefetch; a hint never stalls what stands behind it.
  const bool useful = (cache_.lines().preview(request).needs & Needs::frame) != 0;
  if (!useful || cache_.lines().present(request) != StallReason::none) {
    counts_.prefetches_dropped.add();
    message.payload()->release();
  }
  return StallReason::none;
}

void CoreLink::take_control(Message& message) {
  const base::Cycle now = cache_.now_cycle();
  base::Cycle ready = now + 1;
  switch (l1_kind(message)) {
    case L1Kind::grid_begin:
      flush();
      break;
    case L1Kind::fence: {
      counts_.fences.add();
      tell(LineEvent::Kind::fenced, message, {});
      Request request = present(message);
      request.stimulus.access.acquires = true;  // a fence that is no acquire does not exist in PTX
      request.stimulus.access.releases = true;
      request.stimulus.time = cache_.now_ps();
      const protocols::FenceOutcome outcome = cache_.lines().fence(request.stimulus);
      if (outcome.flush) flush();
      if (outcome.ready_at > cache_.now_ps())
        ready = std::max(ready, cache_.clock()->cycle_at_or_after_ps(outcome.ready_at));
      if (ready > now + 1) {  // replies of other warps leave before
        const auto behind =
            std::find_if(held_.begin(), held_.end(), [ready](const HeldFence& held) { return held.until <= ready; });
        held_.insert(behind, {ready, &message});
        return;
      }
      break;
    }
    default:
      throw base::ModelError(fmt::format("{}: control message of kind {} from the SM", cache_.name(), message.kind));
  }
  reply(message, ready);
}

void CoreLink::flush() {
  flush_asked_ = false;
  counts_.flushes.add();
  cache_.lines().flush_all();
}

}  // namespace syncline::models
