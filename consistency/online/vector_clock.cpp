#include "consistency/online/vector_clock.h"

#include <algorithm>

namespace syncline::consistency {

bool VectorClock::covers(std::uint32_t thread, std::uint64_t step) const {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), thread,
                                   [](const Entry& entry, std::uint32_t number) { return entry.first < number; });
  return at != entries_.end() && at->first == thread && at->second >= step;
}

bool VectorClock::contains(const VectorClock& other) const {
  auto mine = entries_.begin();
  return std::all_of(other.entries_.begin(), other.entries_.end(), [&](const Entry& entry) {
    while (mine != entries_.end() && mine->first < entry.first) ++mine;
    return mine != entries_.end() && mine->first == entry.first && mine->second >= entry.second;
  });
}

Clock VectorClock::join(const Clock& a, const Clock& b) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr || b->contains(*a)) return b;
  if (a->contains(*b)) return a;
  auto both = std::make_shared<VectorClock>();
  both->entries_.reserve(a->entries_.size() + b->entries_.size());
  auto i = a->entries_.begin(), j = b->entries_.begin();
  while (i != a->entries_.end() || j != b->entries_.end()) {
    if (j == b->entries_.end() || (i != a->entries_.end() && i->first < j->first)) {
      both->entries_.push_back(*i++);
    } else if (i == a->entries_.end() || j->first < i->first) {
      both->entries_.push_back(*j++);
    } else {
      both->entries_.emplace_back(i->first, std::max(i->second, j->second));
      ++i, ++j;
    }
  }
  return both;
}

Clock VectorClock::with(const Clock& clock, std::uint32_t thread, std::uint64_t step) {
  auto one = std::make_shared<VectorClock>();
  one->entries_.emplace_back(thread, step);
  return join(clock, one);
}

}  // namespace syncline::consistency
