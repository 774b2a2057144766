#include "models/sm/schedulers/greedy_then_oldest.h"

namespace syncline::models {

unsigned GreedyThenOldest::pick(WarpMask candidates, WarpMask, base::Cycle now) {
  candidates = guard_.filter(candidates, now);
  if ((candidates & greedy_) != 0) return first_warp(greedy_);
  unsigned oldest = first_warp(candidates);
  for_each_warp(candidates, [&](unsigned slot) {
    if (age_[slot] < age_[oldest]) oldest = slot;
  });
  return oldest;
}

void GreedyThenOldest::issued(unsigned slot) {
  greedy_ = warp_bit(slot);
  guard_.issued(slot);
}

void GreedyThenOldest::started(unsigned slot) {
  age_[slot] = started_++;
  guard_.started(slot);
}

void GreedyThenOldest::ended(unsigned slot) {
  greedy_ &= ~warp_bit(slot);
  guard_.ended(slot);
}

}  // namespace syncline::models
