// A clock, and the units that tick with it.
#pragma once

#include <systemc>

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "base/fixed_divisor.h"
#include "base/ids.h"
#include "base/taps.h"
#include "models/clock/activity_log.h"
#include "models/clock/turn.h"
#include "models/clock/turn_queue.h"

namespace syncline::models {

class ClockDomain;
class Scheduler;

inline constexpr std::uint64_t ps_per_second = 1'000'000'000'000;

/// Which ends of CTAs in tiles may give somebody a turn.
enum class WakingEnds : std::uint8_t {
  none,
  any,
  last  ///< of all CTAs that there are
};

/// A block's part in a clock domain.
class Ticked {
 public:
  virtual ~Ticked() = default;
  /// Does the work of cycle `now` and returns the next cycle (> now) at which there is work, or base::never.
  virtual base::Cycle tick(base::Cycle now) = 0;
  /// Wants a tick at `cycle` at the latest. A past cycle, or the present one when this unit's turn in it is over, means
  /// the next possible one. The turn in an instant depends only on the fixed order, never on who happened to be awake:
  /// a wake from a tick reaches the units behind it in that order at the same instant, everybody else (and every wake
  /// from another SystemC process) at the next edge. No effect before ClockDomain::add.
  void wake(base::Cycle cycle);
  /// Of a unit of the sequential part: when tiles that run side by side do something now, so many cycles pass at least,
  /// counted from the next edge, before it has a turn because of that. base::never: tiles do not wake it.
  virtual base::Cycle woken_by_tiles_in() const { return 0; }
  /// Of a unit of the sequential part: what tiles do, ends of CTAs among it, gives it turns only in cycles that are
  /// multiples of this.
  virtual base::Cycle looks_every() const { return 1; }
  /// The same of ends of CTAs, which tiles foresee (Tile::end_in).
  virtual WakingEnds woken_by_ends() const { return WakingEnds::none; }
  /// Of a unit that joins tiles: when it has its turn, so many cycles pass at least before a tile has one because of
  /// that. base::never: only others that join tiles do.
  virtual base::Cycle wakes_tiles_in() const { return 0; }
  /// Of a unit that runs in a lane and meets another lane's by a link: so long, at least, after its turn that one has a
  /// turn because of it. ~0: it meets none.
  virtual std::uint64_t tells_lanes_in_ps() const { return ~std::uint64_t{0}; }
  /// Of a unit of a tile: it waits for a link that has refused a message, so whoever is at the other end may give it a
  /// turn at once.
  virtual bool waits_for_link() const { return true; }
  /// When it has its next turn, as far as is known; ~0: never. Only once the order is fixed.
  std::uint64_t due_ps() const;
  ClockDomain* clock() const { return domain_; }

  /// Its state is another one without a turn: who watches is told.
  void note_change() {
    if (base::has_taps && activity_ != nullptr) note_activity();
  }
  /// Its turn is neither beside others' nor ahead of SystemC's time, because of `why` (Scheduler::keep_time).
  void keep_time(const std::string& why);
  /// `log` hears, as `number`, of every turn, wake and change of this unit, which has to keep its order. Null: nobody
  /// does.
  void tell_activity(ActivityLog* log, std::uint32_t number) {
    if (log != nullptr) base::require_taps();
    activity_ = log;
    activity_number_ = number;
  }

 private:
  friend class ClockDomain;
  friend class TurnQueue;
  /// Few runs are watched; the others have no frame for it.
  [[gnu::cold, gnu::noinline]] void note_activity() { activity_->note(activity_number_); }

  ClockDomain* domain_ = nullptr;
  TurnQueue* queue_ = nullptr;  ///< null until the order is fixed
  ActivityLog* activity_ = nullptr;
  std::uint32_t activity_number_ = 0;
  std::size_t place_ = 0;
};

/// Order inside one cycle of a domain.
enum class TickRank : std::uint8_t {
  host,
  policy,  ///< over several SMs
  work_distributor,
  sm,
  l1_cache,
  link_room,  ///< before whoever takes messages from links
  crossbar,
  gpu_network,  ///< between the modules of a GPU
  link,         ///< of a GPU
  nvlink_switch,
  partition,
  atomic_unit,
  l2_slice,
  dram,
  observer  ///< looks by the clock alone: tiles do not wake it
};
inline constexpr std::uint32_t tick_ranks = 15;

/// One clock. Cycle n begins at n * 1e12 / frequency picoseconds, rounded down, so that periods that are no whole
/// number of picoseconds do not drift. With a phase every cycle begins that much earlier; cycle 0 is under way then
/// when time begins, and begins with it.
class ClockDomain {
 public:
  const std::string& name() const { return name_; }
  std::uint64_t frequency_hz() const { return frequency_hz_; }
  sc_core::sc_time time_of(base::Cycle cycle) const { return sc_core::sc_time::from_value(ps_of(cycle)); }
  std::uint64_t ps_of(base::Cycle cycle) const { return cycle == 0 ? 0 : length_ps(cycle) - phase_ps_; }
  /// How long the first `cycles` cycles take without a phase.
  sc_core::sc_time length_of(base::Cycle cycles) const { return sc_core::sc_time::from_value(length_ps(cycles)); }
  /// First cycle that begins at or after `time`.
  base::Cycle cycle_at_or_after(const sc_core::sc_time& time) const { return cycle_at_or_after_ps(time.value()); }
  /// The same of picoseconds; base::never of ~0, a time that never comes.
  base::Cycle cycle_at_or_after_ps(std::uint64_t ps) const;
  /// Last cycle that has begun by now.
  base::Cycle now() const;

  /// `unit` takes part from now on; `name` is the block's hierarchical name. Only before simulation starts.
  void add(Ticked& unit, TickRank rank, const std::string& name);

 private:
  friend class Scheduler;
  friend class SideBySide;
  friend class Ticked;
  friend class TurnQueue;
  struct Entry {
    Ticked* unit;
    TickRank rank;
    std::string name;
    base::Cycle due;  ///< of wakes before the order is fixed
  };
  ClockDomain(Scheduler& scheduler, std::string name, std::uint64_t frequency_hz, std::uint64_t phase_ps);
  void wake_entry(std::size_t place, base::Cycle cycle);
  std::uint64_t length_ps(base::Cycle cycles) const;
  base::Cycle cycles_before(std::uint64_t ps) const;  ///< number of cycles that began before `ps`
  void sort_entries();
  void freeze();  ///< fixes the order, in one queue

  // for the queues
  base::Cycle earliest_turn(std::uint32_t key) const;  ///< first cycle in which that queue can still have its turn
  void woken();                                        ///< somebody is due before all who were
  bool keeps_fault(std::exception_ptr fault);

  Scheduler& scheduler_;
  std::string name_;
  std::uint64_t frequency_hz_;
  std::uint64_t phase_ps_;
  std::uint64_t ratio_cycles_, ratio_ps_;  ///< cycles per picosecond as a reduced fraction
  base::FixedDivisor by_ratio_cycles_, by_ratio_ps_;
  std::vector<Entry> entries_;
  std::unique_ptr<TurnQueue> queue_;  ///< of all its units; null: they have queues of lanes
  std::size_t index_ = 0;             ///< of this domain in the scheduler's order
};

}  // namespace syncline::models
