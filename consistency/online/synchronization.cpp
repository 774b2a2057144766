#include "consistency/online/synchronization.h"

#include <algorithm>

namespace syncline::consistency {

Synchronization::Thread& Synchronization::thread_of(std::uint32_t thread) {
  Thread& found = threads_[thread];
  if (found.phases.empty()) found.phases.push_back({0, nullptr, nullptr});
  return found;
}

/// Null: what was known so long ago is forgotten.
const Synchronization::Phase* Synchronization::phase_at(const Thread& thread, std::uint64_t step) {
  for (auto phase = thread.phases.rbegin(); phase != thread.phases.rend(); ++phase)
    if (phase->from <= step) return &*phase;
  return nullptr;
}

void Synchronization::begin_phase(Thread& thread, std::uint64_t from, Clock clock, Release fence) {
  constexpr std::size_t remembered = 16;
  Phase& last = thread.phases.back();
  if (last.clock == clock && last.fence == fence) return;
  if (last.from == from) {
    last.clock = std::move(clock);
    last.fence = std::move(fence);
    return;
  }
  if (thread.phases.size() == remembered) thread.phases.erase(thread.phases.begin());
  thread.phases.push_back({from, std::move(clock), std::move(fence)});
}

Clock Synchronization::clock_at(std::uint32_t thread, std::uint64_t step) const {
  const auto found = threads_.find(thread);
  const Phase* const phase = found == threads_.end() ? nullptr : phase_at(found->second, step);
  return phase == nullptr ? nullptr : phase->clock;
}

/// The part of what was released that an acquire gets.
Clock Synchronization::acquired(const Released& released, const Manner& by) {
  const Clock near = by.cta != 0 && by.cta == released.cta ? released.to_cta : nullptr;
  if (by.reach == Reach::weak) return nullptr;
  return by.reach == Reach::cta ? near : VectorClock::join(released.to_all, near);
}

Release Synchronization::release_of(const Clock& clock, const Manner& manner) {
  if (manner.reach == Reach::weak) return nullptr;
  return std::make_shared<const Released>(
      Released{manner.reach == Reach::all ? clock : nullptr, manner.cta != 0 ? clock : nullptr, manner.cta});
}

/// The accesses of the write's own step are not among those that it releases; whoever observes it knows of it anyhow.
Release Synchronization::released_by(const Place& write, const Manner& manner) const {
  if (manner.reach == Reach::weak) return nullptr;
  const auto found = threads_.find(write.thread);
  const Phase* const phase = found == threads_.end() ? nullptr : phase_at(found->second, write.step);
  if (!manner.releases) return phase == nullptr ? nullptr : phase->fence;
  const Clock known = phase == nullptr ? nullptr : phase->clock;
  return release_of(write.step == 0 ? known : VectorClock::with(known, write.thread, write.step - 1), manner);
}

Release Synchronization::both(const Release& a, const Release& b) {
  if (a == nullptr || a == b) return b;
  if (b == nullptr) return a;
  Released together = *b;
  together.to_all = VectorClock::join(a->to_all, b->to_all);
  if (a->cta == b->cta) together.to_cta = VectorClock::join(a->to_cta, b->to_cta);
  return std::make_shared<const Released>(std::move(together));
}

void Synchronization::observed(const Place& read, const Manner& manner, const Release& release) {
  if (release == nullptr || manner.reach == Reach::weak) return;
  Thread& thread = thread_of(read.thread);
  const Phase& now = thread.phases.back();
  if (manner.acquires)
    begin_phase(thread, std::max(now.from, read.step + 1), VectorClock::join(now.clock, acquired(*release, manner)),
                now.fence);
  thread.pending.to_all = VectorClock::join(thread.pending.to_all, release->to_all);
  if (manner.cta == 0 || manner.cta != release->cta) return;
  thread.pending.to_cta = VectorClock::join(thread.pending.to_cta, release->to_cta);
  thread.pending.cta = manner.cta;
}

void Synchronization::fence(const Place& fence, const Manner& manner) {
  Thread& thread = thread_of(fence.thread);
  const Phase now = thread.phases.back();
  const Clock clock = manner.acquires ? VectorClock::join(now.clock, acquired(thread.pending, manner)) : now.clock;
  Release released = now.fence;
  if (manner.releases) {
    const Release fresh = release_of(VectorClock::with(clock, fence.thread, fence.step), manner);
    // A fence of the CTA does not undo what an earlier one of the GPU lets writes carry to others.
    if (released != nullptr && fresh != nullptr && fresh->to_all == nullptr)
      released = std::make_shared<const Released>(Released{released->to_all, fresh->to_cta, fresh->cta});
    else
      released = fresh;
  }
  begin_phase(thread, std::max(now.from, fence.step + 1), clock, released);
}

Clock Synchronization::meet(const std::vector<Place>& arrived) const {
  Clock together;
  for (const Place& place : arrived)
    together = VectorClock::join(together,
                                 VectorClock::with(clock_at(place.thread, place.step + 1), place.thread, place.step));
  return together;
}

void Synchronization::leave(const Place& place, const Clock& known) {
  Thread& thread = thread_of(place.thread);
  const Phase now = thread.phases.back();
  begin_phase(thread, std::max(now.from, place.step + 1), VectorClock::join(now.clock, known), now.fence);
}

}  // namespace syncline::consistency
