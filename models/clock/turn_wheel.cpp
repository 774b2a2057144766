#include "models/clock/turn_wheel.h"

#include <algorithm>
#include <utility>

namespace syncline::models {

void TurnWheel::make_room(std::size_t places) {
  words_ = (places + 63) / 64;
  sets_.assign(reach * words_, 0);
  far_.assign(words_, 0);
  used_ = 0;
  far_first_ = base::never;
}

void TurnWheel::put_far(std::size_t place, base::Cycle due) {
  far_[place / 64] |= bit(place);
  far_first_ = std::min(far_first_, due);
}

void TurnWheel::bring_near(base::Cycle now, const Due& due) {
  far_first_ = base::never;
  for (std::size_t word = 0; word < words_; ++word) {
    for (std::uint64_t bits = std::exchange(far_[word], 0); bits != 0; bits &= bits - 1) {
      const auto place = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
      if (due[place] != base::never) put(place, due[place], now);
    }
  }
}

bool TurnWheel::anybody_due(base::Cycle cycle, const Due& due) {
  std::uint64_t* const set = set_of(cycle);
  for (std::size_t word = 0; word < words_; ++word) {
    for (; set[word] != 0; set[word] &= set[word] - 1) {
      if (due[word * 64 + static_cast<std::size_t>(__builtin_ctzll(set[word]))] == cycle) return true;
    }
  }
  used_ &= ~bit(cycle);
  return false;
}

base::Cycle TurnWheel::first_after(base::Cycle now, const Due& due) {
  const unsigned turned = (now + 1) % reach;
  std::uint64_t used = turned == 0 ? used_ : used_ >> turned | used_ << (reach - turned);
  for (; used != 0; used &= used - 1) {
    const base::Cycle cycle = now + 1 + static_cast<base::Cycle>(__builtin_ctzll(used));
    if (anybody_due(cycle, due)) return cycle;
  }
  // The first of those far off may have become due before, and have had its turn.
  if (far_first_ != base::never) bring_near(now, due);
  return far_first_;
}

}  // namespace syncline::models
