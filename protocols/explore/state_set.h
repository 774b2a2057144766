// The states that an exhaustive search has seen, each with its number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "protocols/explore/state_hash.h"

namespace syncline::protocols::explore {

/// Hashes by open addressing: a state that is seen again, as most are, costs one miss of the host's caches.
class StateSet {
 public:
  using Number = std::uint32_t;

  StateSet() : slots_(1024) {}

  /// The state's number, and whether it has not been seen before. They are numbered as they come, from 0.
  std::pair<Number, bool> insert(const StateHash& hash) {
    if (std::size_t{4} * size_ >= 3 * slots_.size()) grow();
    Slot& slot = find(hash);
    if (slot.is_used) return {slot.number, false};
    slot = {hash, size_++, true};
    return {slot.number, true};
  }
  Number size() const { return size_; }

 private:
  struct Slot {
    StateHash hash;
    Number number = 0;
    bool is_used = false;
  };

  Slot& find(const StateHash& hash) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash.first & mask;
    while (slots_[at].is_used && slots_[at].hash != hash) at = (at + 1) & mask;
    return slots_[at];
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.is_used) find(slot.hash) = slot;
  }

  std::vector<Slot> slots_;  ///< a power of two
  Number size_ = 0;
};

}  // namespace syncline::protocols::explore
