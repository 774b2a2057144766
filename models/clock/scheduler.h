// Time. Blocks register their tick with a clock domain; one process ticks the awake blocks of all domains in a fixed
// order.
//
// SystemC leaves the order of processes that are ready at the same time open, and a process for each block costs more
// than the block's work (docs/architecture.md, "Time"). So there is exactly one SC_METHOD: at each instant it visits
// the domains that have an edge there, and in each domain the blocks whose time has come, in the order (rank,
// hierarchical name), which does not depend on the order of construction. Sleeping blocks cost nothing.
#pragma once

#include <systemc>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/taps.h"
#include "models/clock/activity_log.h"

namespace syncline::models {

class ClockDomain;
class Scheduler;

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
  ClockDomain* clock() const { return domain_; }

  /// Its state is another one without a turn: who watches is told.
  void note_change() {
    if (base::has_taps && activity_ != nullptr) note_activity();
  }
  /// `log` hears, as `number`, of every turn, wake and change of this unit. Null: nobody does.
  void tell_activity(ActivityLog* log, std::uint32_t number) {
    if (log != nullptr) base::require_taps();
    activity_ = log;
    activity_number_ = number;
  }

 private:
  friend class ClockDomain;
  /// Few runs are watched; the others have no frame for it.
  [[gnu::cold, gnu::noinline]] void note_activity() { activity_->note(activity_number_); }

  ClockDomain* domain_ = nullptr;
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
  crossbar,
  partition,
  atomic_unit,
  l2_slice,
  dram,
  observer
};

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
  friend class Ticked;
  struct Entry {
    Ticked* unit;
    TickRank rank;
    std::string name;
  };
  ClockDomain(Scheduler& scheduler, std::string name, std::uint64_t frequency_hz, std::uint64_t phase_ps);
  void wake(std::size_t place, base::Cycle cycle);
  base::Cycle earliest_turn(std::size_t place) const;  ///< first cycle in which a wake from here and now can still tick
  void arm(std::size_t place, base::Cycle due);
  std::uint64_t length_ps(base::Cycle cycles) const;
  void freeze();                ///< fixes the order
  void run(base::Cycle cycle);  ///< ticks every unit that is due
  base::Cycle turn(std::size_t place, base::Cycle cycle);
  base::Cycle tick(Ticked& unit, base::Cycle cycle);
  base::Cycle cycles_before(std::uint64_t ps) const;  ///< number of cycles that began before `ps`

  Scheduler& scheduler_;
  std::string name_;
  std::uint64_t frequency_hz_;
  std::uint64_t phase_ps_;
  std::uint64_t ratio_cycles_, ratio_ps_;  ///< cycles per picosecond as a reduced fraction
  std::vector<Entry> entries_;
  std::vector<Ticked*> units_;                 ///< those of the entries, by place: what the scan reads
  std::vector<base::Cycle> due_;               ///< by place
  std::vector<std::uint64_t> armed_;           ///< bit set: due_ is not never; the scan visits only these
  base::Cycle next_due_ = base::never;         ///< minimum of due_
  std::uint64_t next_ps_ = ~std::uint64_t{0};  ///< when that is
  bool running_ = false;
  base::Cycle current_ = base::never;  ///< cycle being run
  std::size_t position_ = 0;           ///< place being run
  std::size_t index_ = 0;              ///< of this domain in the scheduler's order
};

/// Owns the clock domains of a platform and the one process that runs them.
class Scheduler : public sc_core::sc_module {
 public:
  explicit Scheduler(const sc_core::sc_module_name& name);
  ~Scheduler() override;
  /// A clock of `frequency_hz` (whole hertz, above 0) that is `phase_ps` picoseconds, less than its period, ahead.
  /// Domains with an edge at the same instant run in the order of their names.
  ClockDomain& add_domain(const std::string& name, std::uint64_t frequency_hz, std::uint64_t phase_ps = 0);
  const std::vector<std::unique_ptr<ClockDomain>>& domains() const { return domains_; }

  /// Asked when the program is at fault in the turn of a block (base::ProgramFault). True: it takes care of it, time
  /// goes on, and the block has its next turn in the next cycle; else the fault is a failure. Before simulation starts.
  void keep_faults(std::function<bool(std::exception_ptr)> keeper) { keeper_ = std::move(keeper); }
  /// What a block threw while it was ticked (SystemC would lose its type); time stands still from then on.
  std::exception_ptr failure() const { return failure_; }
  /// Notified when a block has thrown.
  const sc_core::sc_event& failed() const { return failed_; }

 private:
  friend class ClockDomain;
  void end_of_elaboration() override;
  void start_of_simulation() override { started_ = true; }
  void run();
  void visit_domains();
  void schedule();  ///< notifies the event for the earliest edge at which anybody is due
  std::vector<std::unique_ptr<ClockDomain>> domains_;
  sc_core::sc_event event_;
  sc_core::sc_event failed_;
  std::exception_ptr failure_;
  std::function<bool(std::exception_ptr)> keeper_;
  bool running_ = false;
  bool started_ = false;
  std::size_t position_ = 0;  ///< domain being run
};

}  // namespace syncline::models
