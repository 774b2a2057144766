// The CPU side of a timed run: one SystemC thread that runs the host program.
#pragma once

#include <systemc>

#include <cstdint>
#include <exception>
#include <functional>

#include "models/clock/scheduler.h"

namespace syncline::platform {

/// Runs a host program once, from time 0, in its own thread. A fault inside a block surfaces here, in the host's next
/// wait, with its type kept.
class HostProcess : public sc_core::sc_module {
 public:
  /// What becomes of the simulation when the program returns or throws.
  enum class AtEnd : std::uint8_t { stops, goes_on };

  HostProcess(const sc_core::sc_module_name& name, models::Scheduler& scheduler);

  /// Set before simulation starts.
  void set_program(std::function<void()> program, AtEnd at_end = AtEnd::stops) {
    program_ = std::move(program);
    at_end_ = at_end;
  }

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
  AtEnd at_end_ = AtEnd::stops;
  std::exception_ptr error_;
  bool finished_ = false, waits_ = false;
};

}  // namespace syncline::platform
