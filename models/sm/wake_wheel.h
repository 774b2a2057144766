// When which warps want to be looked at again: a ring of cycles, each with the set of warps that are due.
//
// A warp knows, when it issues, the cycle at which its next instruction's registers are there. So there are no events
// per write-back, only one entry here. Setting, taking and asking for the next due cycle cost a few machine words.
#pragma once

#include <array>
#include <cstdint>

#include "base/ids.h"
#include "models/sm/warp_mask.h"

namespace syncline::models {

class WakeWheel {
 public:
  /// Cycles that the ring covers. A later time is entered at the far end, where the owner looks again and re-enters.
  static constexpr unsigned horizon = 512;

  /// `warp` is due at `at`, which lies after `now`.
  void set(unsigned warp, base::Cycle now, base::Cycle at) {
    const base::Cycle due = at - now >= horizon ? now + horizon - 1 : at;
    const unsigned place = due % horizon;
    due_[place] |= warp_bit(warp);
    occupied_[place / 64] |= std::uint64_t{1} << (place % 64);
  }

  /// The warps that are due at `now`; they leave the wheel. Every cycle that `next` names must be taken.
  WarpMask take(base::Cycle now) {
    const unsigned place = now % horizon;
    const WarpMask due = due_[place];
    due_[place] = 0;
    occupied_[place / 64] &= ~(std::uint64_t{1} << (place % 64));
    return due;
  }

  /// First cycle after `now` at which somebody is due, or base::never.
  base::Cycle next(base::Cycle now) const {
    const unsigned start = (now + 1) % horizon;
    unsigned word = start / 64;
    std::uint64_t bits = occupied_[word] & (~std::uint64_t{0} << (start % 64));
    for (unsigned looked = 0; looked <= words; ++looked) {
      if (bits != 0) {
        const unsigned place = word * 64 + static_cast<unsigned>(__builtin_ctzll(bits));
        return now + 1 + (place + horizon - start) % horizon;
      }
      word = (word + 1) % words;
      bits = occupied_[word];
    }
    return base::never;
  }

 private:
  static constexpr unsigned words = horizon / 64;
  std::array<WarpMask, horizon> due_{};
  std::array<std::uint64_t, words> occupied_{};
};

}  // namespace syncline::models
