// The CPU side of a timed run: one SystemC thread that runs the host program.
#pragma once

#include <systemc>

#include <exception>
#include <functional>

#include "models/clock/scheduler.h"

namespace syncline::platform {

/// Runs a host program once, from time 0, in its own thread; stops the simulation when the program returns or throws.
/// A fault inside a block surfaces here, in the host's next wait, with its type kept.
class HostProcess : public sc_core::sc_module {
 public:
  HostProcess(const sc_core::sc_module_name& name, models::Scheduler& scheduler);

  /// Set before simulation starts.
  void set_program(std::function<void()> program) { program_ = std::move(program); }

  /// Only from the host program's thread: lets simulated time pass until `condition` holds, looking whenever
  /// `event` is notified.
  void wait_until(const std::function<bool()>& condition, const sc_core::sc_event& event);
  void wait_for(const sc_core::sc_time& time);

  bool finished() const { return finished_; }
  /// The program is in `wait_until`: it does nothing before something else happens.
  bool waits() const { return waits_; }
  /// Throws again what the program threw.
  void rethrow() const;

 private:
  void run();
  void check_failure() const;
  models::Scheduler& scheduler_;
  std::function<void()> program_;
  std::exception_ptr error_;
  bool finished_ = false, waits_ = false;
};

}  // namespace syncline::platform
