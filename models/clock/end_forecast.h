// When CTAs may end in tiles that run side by side: until then nobody who places CTAs need be asked.
#pragma once

#include <boost/align/aligned_allocator.hpp>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/clock/clock_domain.h"
#include "models/tile/tile.h"

namespace syncline::models {

/// What tiles say about the turns before their next end (Tile::end_in), and when the first of these turns may be.
///
/// A tile has no turn before one of its units is due, or, if none is, before somebody outside wakes one: what joins
/// tiles and runs beside them says how soon that is (Ticked::wakes_tiles_in); the sequential part has no turn in a
/// window.
class EndForecast {
 public:
  EndForecast(std::size_t lanes, std::size_t most_tiles);

  /// Where the tile, of that lane, is to say how many turns are left.
  Tile::Turns& follow(const Tile& tile, std::size_t lane);
  /// A unit of `tile`, which runs in a lane: after all tiles.
  void add(const Tile& tile, const Ticked& unit);

  /// No end that is such a one comes before, whatever tiles do from `from_ps` on. `clock`: of whoever has CTAs.
  std::uint64_t first_ps(WakingEnds ends, std::uint64_t from_ps, const ClockDomain& clock);

 private:
  struct Followed {
    const Tile::Turns* turns;
    std::vector<const Ticked*> units;
  };
  using Turns = std::vector<Tile::Turns, boost::alignment::aligned_allocator<Tile::Turns, 64>>;  ///< lines of one lane
  std::uint64_t any_ps(std::uint64_t from_ps, const ClockDomain& clock);
  std::uint64_t last_ps(std::uint64_t from_ps, const ClockDomain& clock);
  /// Of one tile.
  std::uint64_t first_ps(const Followed& tile, std::uint64_t from_ps, const ClockDomain& clock) const;
  /// Until one answers false, which is asked first the next time.
  template <class Ask>
  void ask_each(Ask&& ask);

  std::vector<Turns> turns_;  ///< by lane
  std::vector<Followed> tiles_;
  std::unordered_map<const Tile*, std::size_t> places_;  ///< in `tiles_`
  std::uint64_t woken_in_ps_ = never_ps;                 ///< by who joins tiles, at the soonest
  std::size_t asked_first_ = 0;                          ///< the tile that was the reason last
};

}  // namespace syncline::models
