// The ways in which one thread of a test can run, when its reads may bring any of a set of values.
#pragma once

#include <set>
#include <vector>

#include "consistency/execution.h"
#include "consistency/program.h"

namespace syncline::consistency {

/// One run of one thread: its events with values, and the registers in the end.
struct Trace {
  struct Step {
    Event event;
    bool completes_atomic = false;  ///< the write of an atomic whose read is the step before
    std::uint64_t depends_on = 0;   ///< bit per step of the trace: reads that decide this event's value or execution
  };
  std::vector<Step> steps;
  std::vector<Value> registers;
};

/// The values that a location may hold at any time.
using Domains = std::vector<std::set<Value>>;

/// All traces of `program.threads[thread]` with reads from `domains`. UserError when there are too many.
std::vector<Trace> traces_of(const Program& program, unsigned thread, const Domains& domains);

/// The values that can be written to each location, from the initial ones by as many steps as the test has writes.
Domains value_domains(const Program& program);

}  // namespace syncline::consistency
