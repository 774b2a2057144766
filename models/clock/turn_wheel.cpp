#include "models/clock/turn_wheel.h"

#include <algorithm>

namespace syncline::models {
namespace {

/// Calls `keep(place)` for each place of a set, which keeps those for which that is true.
template <class Keep>
void filter(std::uint64_t* words, std::size_t count, Keep&& keep) {
  for (std::size_t word = 0; word < count; ++word) {
    for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
      const auto place = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
      if (!keep(place)) words[word] &= ~(bits & -bits);
    }
  }
}

}  // namespace

void TurnWheel::make_room(std::size_t places) {
  words_ = (places + 63) / 64;
  sets_.assign(reach * words_, 0);
  far_.assign(words_, 0);
}

void TurnWheel::put_far(std::size_t place, base::Cycle due) {
  far_[place / 64] |= bit(place);
  far_first_ = std::min(far_first_, due);
}

void TurnWheel::bring_near(base::Cycle now, const Due& due) {
  far_first_ = base::never;
  filter(far_.data(), words_, [&](std::size_t place) {
    if (due[place] == base::never) return false;
    if (due[place] - now < reach) {
      put(place, due[place], now);
      return false;
    }
    far_first_ = std::min(far_first_, due[place]);
    return true;
  });
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

base::Cycle TurnWheel::first_far(const Due& due) {
  far_first_ = base::never;
  filter(far_.data(), words_, [&](std::size_t place) {
    far_first_ = std::min(far_first_, due[place]);
    return due[place] != base::never;
  });
  return far_first_;
}

base::Cycle TurnWheel::first_after(base::Cycle now, const Due& due) {
  base::Cycle first = base::never;
  const unsigned turned = (now + 1) % reach;
  std::uint64_t used = turned == 0 ? used_ : used_ >> turned | used_ << (reach - turned);
  for (; used != 0 && first == base::never; used &= used - 1) {
    const base::Cycle cycle = now + 1 + static_cast<base::Cycle>(__builtin_ctzll(used));
    if (anybody_due(cycle, due)) first = cycle;
  }
  return far_first_ < first ? std::min(first, first_far(due)) : first;
}

}  // namespace syncline::models
