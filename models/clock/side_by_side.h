// Turns on several threads of the host: windows of time in which tiles meet nobody.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/clock/clock_domain.h"
#include "models/clock/end_forecast.h"
#include "models/clock/lane.h"
#include "models/clock/lane_team.h"
#include "models/clock/scheduler.h"
#include "models/tile/tile.h"

namespace syncline::models {

/// Divides the units of all clocks among lanes and the sequential part, and gives them the turns that they have on one
/// thread. Between two turns of the sequential part all tiles run, each lane on its thread; what tiles do to that part
/// (Lane::later) is done before its next turn. A window ends where that may come: at the next turn of somebody of the
/// sequential part, at the next edge of whoever a tile can wake there (crossbars; the work distributor, where a CTA may
/// end), where another process of SystemC may want to see the machine, and where one lane can hear of another one by a
/// link.
///
/// On a device of no fewer modules than threads, each lane has whole modules, with the networks that are between these
/// alone, and switches between GPUs have lanes, too. Of more GPUs than threads each has a lane.
class SideBySide {
 public:
  /// The domains of `scheduler` have their order, and their units theirs.
  SideBySide(Scheduler& scheduler, unsigned threads);
  ~SideBySide();

  /// All turns of this instant, and, where nobody can tell, of later ones. Throws what a turn has thrown.
  void run();
  std::uint64_t next_ps() const;  ///< when somebody is due; ~0: never
  const WindowCounts& counts() const { return counts_; }

 private:
  /// Units of the sequential part that have their turns behind each other.
  struct Woken {
    const ClockDomain* domain;
    std::uint32_t key;
    std::vector<const Ticked*> units;
  };
  using LaneOf = std::unordered_map<const Tile*, std::size_t>;
  void divide(ClockDomain& domain, const LaneOf& lane_of);
  Moment next_of_lanes() const;
  /// The first turn, behind `at`, that a tile can give somebody of the sequential part.
  Moment first_answer(Moment at);
  /// Before which turn another process of SystemC may act.
  static Moment next_outside();
  /// Turns of tiles in a time in which their order counts.
  void run_in_order(Moment at);
  void run_window(Moment end);
  void count();

  unsigned threads_ = 1;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::unique_ptr<TurnQueue>> sequential_;  ///< in the order of their keys
  std::vector<Woken> woken_;
  std::unique_ptr<EndForecast> ends_;
  std::vector<TurnQueue*> due_;                ///< in a turn of `run_in_order`
  std::uint64_t lanes_meet_in_ps_ = never_ps;  ///< Ticked::tells_lanes_in_ps of the first
  std::int64_t expected_ = 0;                  ///< turns of all lanes but the first in a window, times 64
  WindowCounts counts_;
  Scheduler& scheduler_;
  std::unique_ptr<LaneTeam> team_;
};

}  // namespace syncline::models
