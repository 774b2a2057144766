#include "models/sm/schedulers/two_level.h"

namespace syncline::models {

unsigned TwoLevel::pick(WarpMask candidates, WarpMask stalled, base::Cycle now) {
  for_each_warp(active_ & stalled, [this](unsigned slot) { leave(slot); });
  promote(candidates);
  const WarpMask starving = guard_.filter(candidates, now);
  if (starving != candidates) return next_warp(starving, next_);
  const WarpMask inner = candidates & active_;
  // The active set may be full of warps that all stall shortly. They stay active, but the issue slot need not stay
  // empty: a warp from outside the set may take it without becoming active.
  return next_warp(inner != 0 ? inner : candidates, next_);
}

void TwoLevel::promote(WarpMask runnable) {
  while (warp_count(active_) < room_) {
    const WarpMask outside = pending_ & runnable;
    if (outside == 0) return;
    unsigned longest = first_warp(outside);
    for_each_warp(outside, [&](unsigned slot) {
      if (left_[slot] < left_[longest]) longest = slot;
    });
    active_ |= warp_bit(longest);
    pending_ &= ~warp_bit(longest);
  }
}

void TwoLevel::leave(unsigned slot) {
  active_ &= ~warp_bit(slot);
  pending_ |= warp_bit(slot);
  left_[slot] = order_++;
}

void TwoLevel::issued(unsigned slot) {
  next_ = slot + 1;
  guard_.issued(slot);
}

void TwoLevel::started(unsigned slot) {
  leave(slot);
  guard_.started(slot);
}

void TwoLevel::ended(unsigned slot) {
  active_ &= ~warp_bit(slot);
  pending_ &= ~warp_bit(slot);
  guard_.ended(slot);
}

}  // namespace syncline::models
