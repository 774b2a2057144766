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

#include "models/clock/clock_domain.h"

namespace syncline::models {

class SideBySide;

/// How far several threads could be used, of a run: what does not depend on the host.
struct WindowCounts {
  std::uint64_t windows = 0;
  std::uint64_t turns = 0;    ///< of tiles in windows
  std::uint64_t longest = 0;  ///< of the longest lane of each window, or of a thread whose share of all is longer
  std::uint64_t between = 0;  ///< of the sequential part
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

  /// Tiles run on so many threads of the host, this one counted in, where nothing needs them in order. Results are the
  /// same, but where sc_start is given an end: tiles may be a few cycles beyond it. Before simulation starts.
  void run_on(unsigned threads) { threads_ = threads; }
  unsigned threads() const { return threads_; }
  /// Tiles do not run side by side, because of `why`: something that they share within a cycle. ModelError where they
  /// do already.
  void keep_order(const std::string& why);
  /// Nor is a turn ahead of SystemC's time, which something of another maker may ask for. As keep_order.
  void keep_time(const std::string& why);
  /// All reasons; empty: tiles run side by side.
  const std::vector<std::string>& kept_in_order() const { return ordered_; }
  /// So far; nothing where tiles do not run side by side.
  WindowCounts window_counts() const;
  /// For a while tiles have their turns one after the other, in their order: until as many have released it as hold it.
  void hold_order() { ++held_; }
  void release_order() { --held_; }
  bool order_is_held() const { return held_ != 0; }

  /// Turns may run ahead of SystemC's time, whose kernel has as much work for each step as an SM's turn: it follows
  /// when another process of SystemC has something to do, and till then nobody can tell. For whoever calls sc_start
  /// without an end. No effect where SystemC's time is kept. Before simulation starts.
  void run_ahead() { may_run_ahead_ = true; }

  /// Asked when the program is at fault in the turn of a block (base::ProgramFault). True: it takes care of it, time
  /// goes on, and the block has its next turn in the next cycle; else the fault is a failure. Before simulation starts.
  void keep_faults(std::function<bool(std::exception_ptr)> keeper);
  /// What a block threw while it was ticked (SystemC would lose its type); time stands still from then on.
  std::exception_ptr failure() const { return failure_; }
  /// Notified when a block has thrown.
  const sc_core::sc_event& failed() const { return failed_; }

 private:
  friend class ClockDomain;
  friend class SideBySide;
  void end_of_elaboration() override;
  void start_of_simulation() override;
  void freeze();
  void run();
  void visit_instants();
  void visit_domains();
  /// Whether turns at `ps` can be now: if they come before another process of SystemC can have something to do, time
  /// goes on to there without SystemC's.
  bool go_on_to(std::uint64_t ps);
  /// When another process of SystemC has something to do; ~0: never.
  static std::uint64_t next_of_others_ps();
  void schedule();  ///< notifies the event for the earliest edge at which anybody is due
  std::uint64_t next_ps() const;
  std::vector<std::unique_ptr<ClockDomain>> domains_;
  sc_core::sc_event event_;
  sc_core::sc_event failed_;
  std::exception_ptr failure_;
  std::function<bool(std::exception_ptr)> keeper_;
  std::uint64_t now_ps_ = 0;  ///< the instant whose turns are under way: SystemC's time, or ahead of it
  unsigned threads_ = 1, held_ = 0;
  std::vector<std::string> ordered_;
  std::unique_ptr<SideBySide> side_by_side_;  ///< null: all turns are one after the other, domain by domain
  bool started_ = false, frozen_ = false, may_run_ahead_ = false, keeps_time_ = false;
};

}  // namespace syncline::models
