// A clock of the platform as a pin: for RTL and SystemC modules that have a clock input.
#pragma once

#include <systemc>

#include "models/clock/scheduler.h"

namespace syncline::models {

/// A signal with the edges of a clock domain: it rises where cycle n begins, at floor(n * 10^12 / f) picoseconds, and
/// so does not drift; it falls in the middle of the cycle, rounded down. Cycle 0 begins with time.
///
/// The pin changes a delta cycle behind the ticks of the same instant. So what is clocked by it sees what blocks have
/// done in their ticks, and blocks see what it does from their next ticks on, whatever the order in which all were
/// made.
///
/// Costs two events a cycle from the beginning of the simulation on, which never runs out of events then; where no pin
/// is made there are none.
class ClockPin : public sc_core::sc_module {
 public:
  /// `domain` outlives it. UserError where a cycle is shorter than two picoseconds: there would be no middle.
  ClockPin(const sc_core::sc_module_name& name, const ClockDomain& domain);

  sc_core::sc_signal<bool> pin;  ///< as `dut.clk(clock.pin)`

 private:
  void toggle();

  const ClockDomain& domain_;
  base::Cycle cycle_ = 0;  ///< that has begun, or begins with the next edge
};

}  // namespace syncline::models
