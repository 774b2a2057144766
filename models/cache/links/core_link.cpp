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
  base::Cycle next = released_.empty() ? base::never : take_released();
  next = std::min(next, take_replays());
  next = std::min(next, take_requests());
  if (!to_ask_.empty() && asking_.empty()) ask_below();
  return held_.empty() ? next : std::min(next, held_.back().until);
}

bool CoreLink::stalls() const {
  return stalls_.cause() != StallReason::none || !cache_.lines().replays().empty() || !released_.empty();
}

base::Cycle CoreLink::take_released() {
  for (unsigned port = 0; port < spec_.ports && !released_.empty(); ++port) {
    if (take_access(*released_.front(), false, true) != StallReason::none) return base::never;
    released_.pop_front();
    cache_.change();
  }
  return released_.empty() ? base::never : cache_.now_cycle() + 1;
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

StallReason CoreLink::take_access(Message& message, bool replayed, bool released) {
  Request request = present(message);
  const Operation operation = request.stimulus.access.operation;
  if (!released) {
    if (waits_to_release(message.line)) return StallReason::protocol;
    const protocols::FenceOutcome outcome = release(request);
    if (outcome.ask) {
      protocols::AccessTraits what = request.stimulus.access;
      what.acquires = false;  // that comes behind it
      ask(message, Then::access, what);
      return StallReason::none;
    }
    if (outcome.ready_at > cache_.now_ps()) {
      cache_.retry_at(outcome.ready_at);
      return StallReason::protocol;
    }
  }
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
protocols::FenceOutcome CoreLink::release(const Request& request) {
  if (!request.stimulus.access.releases || cache_.policy().consistency == protocols::Consistency::sc) return {};
  Stimulus stimulus = request.stimulus;
  stimulus.access.acquires = false;
  stimulus.time = cache_.now_ps();
  return cache_.lines().fence(stimulus);
}

/// Later accesses of a warp may pass one of it that releases, but for those of its line.
bool CoreLink::waits_to_release(base::LineAddress line) const {
  if (asking_.empty() && to_ask_.empty() && released_.empty()) return false;
  const auto is_about = [line](const Asking& one) { return one.then == Then::access && one.message->line == line; };
  return std::any_of(asking_.begin(), asking_.end(), is_about) ||
         std::any_of(to_ask_.begin(), to_ask_.end(), is_about) ||
         std::any_of(released_.begin(), released_.end(), [line](const Message* one) { return one->line == line; });
}

void CoreLink::ask(Message& message, Then then, const protocols::AccessTraits& what) {
  to_ask_.push_back({&message, then, what});
}

/// One question for all that wait, of the widest of their scopes.
void CoreLink::ask_below() {
  asking_.swap(to_ask_);
  Message& question = cache_.tile().messages().get();
  question.source = question.requester = cache_.node();
  set_l1_kind(question, L1Kind::fence);
  Request request;
  Stimulus& stimulus = request.stimulus;
  stimulus.source = Stimulus::Source::fence;
  stimulus.requester = cache_.node().index;
  for (const Asking& one : asking_) {
    stimulus.access.acquires |= one.what.acquires;
    stimulus.access.releases |= one.what.releases;
    stimulus.access.scope = std::max(stimulus.access.scope, one.what.scope);
  }
  const protocols::AccessTraits& what = stimulus.access;
  question.scope = what.scope == protocols::Scope::sys ? isa::Scope::sys : isa::Scope::gpu;
  question.semantics = !what.acquires   ? isa::Semantics::release
                       : !what.releases ? isa::Semantics::acquire
                                        : isa::Semantics::acq_rel;
  request.message = &question;
  request.of_node = true;
  if (cache_.lines().present(request) != StallReason::none)
    throw base::ModelError(fmt::format("{}: a fence has to wait although none is under way", cache_.name()));
  if (!request.kept) question.payload()->release();
}

void CoreLink::answered() {
  std::vector<Asking> over;
  over.swap(asking_);
  for (const Asking& one : over) {
    switch (one.then) {
      case Then::control: {
        protocols::FenceOutcome outcome;
        outcome.flush = one.what.acquires;
        end_control(*one.message, outcome);
        break;
      }
      case Then::access:
        released_.push_back(one.message);
        break;
      case Then::reply:
        flush();
        reply(*one.message, cache_.now_cycle() + 1);
        break;
    }
  }
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
  Request request = present(message);
  Stimulus& stimulus = request.stimulus;
  stimulus.time = cache_.now_ps();
  protocols::FenceOutcome outcome;
  switch (l1_kind(message)) {
    case L1Kind::grid_begin:
    case L1Kind::grid_end:  // a kernel's boundary is a synchronisation point of the system
      stimulus.access.acquires = l1_kind(message) == L1Kind::grid_begin;
      stimulus.access.releases = !stimulus.access.acquires;
      stimulus.access.scope = protocols::Scope::sys;
      outcome.flush = stimulus.access.acquires;
      if (cache_.places() != nullptr) outcome.ask = cache_.lines().fence(stimulus).ask;
      break;
    case L1Kind::fence:
      counts_.fences.add();
      tell(LineEvent::Kind::fenced, message, {});
      stimulus.access.acquires = true;  // a fence that is no acquire does not exist in PTX
      stimulus.access.releases = true;
      outcome = cache_.lines().fence(stimulus);
      break;
    default:
      throw base::ModelError(fmt::format("{}: control message of kind {} from the SM", cache_.name(), message.kind));
  }
  if (outcome.ask) return ask(message, Then::control, stimulus.access);
  end_control(message, outcome);
}

void CoreLink::end_control(Message& message, const protocols::FenceOutcome& outcome) {
  const base::Cycle now = cache_.now_cycle();
  base::Cycle ready = now + 1;
  if (outcome.flush) flush();
  if (outcome.ready_at > cache_.now_ps())
    ready = std::max(ready, cache_.clock()->cycle_at_or_after_ps(outcome.ready_at));
  if (ready == now + 1) return reply(message, ready);
  // Replies of other warps leave before.
  const auto behind =
      std::find_if(held_.begin(), held_.end(), [ready](const HeldFence& held) { return held.until <= ready; });
  held_.insert(behind, {ready, &message});
}

void CoreLink::flush() {
  flush_asked_ = false;
  counts_.flushes.add();
  cache_.lines().flush_all();
}

}  // namespace syncline::models
