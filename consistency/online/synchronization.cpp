#include "consistency/online/synchronization.h"

#include <algorithm>

namespace syncline::consistency {

Released::Released(const Clock& clock, const Manner& manner) {
  if (manner.reach == Reach::all) shares_.push_back({Reach::all, 0, clock});
  if (manner.reach >= Reach::gpu && manner.gpu != 0) shares_.push_back({Reach::gpu, manner.gpu, clock});
  if (manner.reach >= Reach::cta && manner.cta != 0) shares_.push_back({Reach::cta, manner.cta, clock});
}

Clock Released::acquired(const Manner& by) const {
  Clock got;
  for (const Share& share : shares_)
    if (by.reach >= share.reach && share.is_for(by)) got = VectorClock::join(got, share.clock);
  return got;
}

bool Released::has(Reach reach) const {
  return std::any_of(shares_.begin(), shares_.end(), [reach](const Share& share) { return share.reach == reach; });
}

void Released::join(const Share& share) {
  for (Share& own : shares_) {
    if (own.reach != share.reach || own.of != share.of) continue;
    own.clock = VectorClock::join(own.clock, share.clock);
    return;
  }
  shares_.push_back(share);
}

/// There are few GPUs, but any number of CTAs along a chain of atomics.
void Released::join(const Released& other) {
  const bool has_cta = has(Reach::cta);
  for (const Share& share : other.shares_) {
    const bool is_own = std::any_of(shares_.begin(), shares_.end(), [&share](const Share& own) {
      return own.reach == Reach::cta && own.of == share.of;
    });
    if (share.reach != Reach::cta || !has_cta || is_own) join(share);
  }
}

void Released::join(const Released& other, const Manner& to) {
  for (const Share& share : other.shares_)
    if (share.is_for(to)) join(share);
}

void Released::join_wider(const Released& other) {
  for (const Share& share : other.shares_)
    if (!has(share.reach)) join(share);
}

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

Release Synchronization::release_of(const Clock& clock, const Manner& manner) {
  return manner.reach == Reach::weak ? nullptr : std::make_shared<const Released>(clock, manner);
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
  together.join(*a);
  return std::make_shared<const Released>(std::move(together));
}

void Synchronization::observed(const Place& read, const Manner& manner, const Release& release) {
  if (release == nullptr || manner.reach == Reach::weak) return;
  Thread& thread = thread_of(read.thread);
  const Phase& now = thread.phases.back();
  if (manner.acquires)
    begin_phase(thread, std::max(now.from, read.step + 1), VectorClock::join(now.clock, release->acquired(manner)),
                now.fence);
  thread.pending.join(*release, manner);
}

void Synchronization::fence(const Place& fence, const Manner& manner) {
  Thread& thread = thread_of(fence.thread);
  const Phase now = thread.phases.back();
  const Clock clock = manner.acquires ? VectorClock::join(now.clock, thread.pending.acquired(manner)) : now.clock;
  Release released = now.fence;
  if (manner.releases) {
    Released fresh(VectorClock::with(clock, fence.thread, fence.step), manner);
    // A fence of the CTA does not undo what an earlier one of the GPU lets writes carry to others.
    if (released != nullptr) fresh.join_wider(*released);
    released = std::make_shared<const Released>(std::move(fresh));
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
