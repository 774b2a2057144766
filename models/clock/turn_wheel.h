// Who is due in which of the next cycles: places in sets, one for each cycle.
#pragma once

#include <boost/align/aligned_allocator.hpp>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace syncline::models {

/// In lines of the host's that nobody else touches.
template <class T>
using Lines = std::vector<T, boost::alignment::aligned_allocator<T, 64>>;

/// A calendar of the places of a TurnQueue, which knows when each is due and lends it that: a place that has become due
/// earlier, or has had its turn, stays in a set until somebody looks at that. Those due beyond its reach are in a set
/// of their own, which is looked at when the first of them comes near.
class TurnWheel {
 public:
  using Due = Lines<base::Cycle>;
  static constexpr base::Cycle reach = 64;

  /// For so many places. Nobody is in it then.
  void make_room(std::size_t places);
  std::size_t words() const { return words_; }

  /// `place` is due at `due`, which may be base::never; the next cycle that is asked for comes behind `now`.
  void put(std::size_t place, base::Cycle due, base::Cycle now) {
    if (due - now >= reach) return put_far(place, due);
    set_of(due)[place / 64] |= bit(place);
    used_ |= bit(due);
  }
  /// It is `now`; nobody who is still due was so before.
  void come_to(base::Cycle now, const Due& due) {
    if (far_first_ - now < reach) bring_near(now, due);
  }
  /// Who is due then, among others that are not: so many `words()`.
  std::uint64_t* set_of(base::Cycle cycle) { return sets_.data() + cycle % reach * words_; }
  /// When the first one is due behind `now`, to which it has come; base::never: nobody is.
  base::Cycle first_after(base::Cycle now, const Due& due);

 private:
  static std::uint64_t bit(std::uint64_t number) { return std::uint64_t{1} << (number % 64); }
  void put_far(std::size_t place, base::Cycle due);
  void bring_near(base::Cycle now, const Due& due);
  bool anybody_due(base::Cycle cycle, const Due& due);

  std::size_t words_ = 0;
  Lines<std::uint64_t> sets_;            ///< `reach` of them, by the cycle
  std::uint64_t used_ = 0;               ///< bit n: the n-th set may have somebody
  Lines<std::uint64_t> far_;             ///< due beyond
  base::Cycle far_first_ = base::never;  ///< none of them is before
};

}  // namespace syncline::models
