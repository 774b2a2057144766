// The ways in which one thread of a test can go: its branches decided, its values open.
#pragma once

#include <vector>

#include "consistency/execution.h"
#include "consistency/program.h"
#include "consistency/terms.h"

namespace syncline::consistency {

/// One way through a thread. The thread goes it when all conditions hold.
struct Path {
  struct Step {
    Event event;                    ///< its values are those of the terms
    bool completes_atomic = false;  ///< the write of an atomic whose read is the step before
    std::uint64_t depends_on = 0;   ///< bit per step: reads that decide this event's value or execution
    Terms::Id value = 0;            ///< of a write, and the number of a barrier
    std::optional<Terms::Id> count;
  };
  struct Condition {
    Comparison comparison;
    Terms::Id left, right;
    bool holds;
  };
  Terms terms;
  std::vector<Step> steps;
  std::vector<Condition> conditions;
  std::vector<Terms::Id> registers;  ///< in the end
};

struct Paths {
  std::vector<Path> all;
  bool are_bounded = false;  ///< there are longer ones
};

/// The ways through `program.threads[thread]` on which a loop whose end depends on reads goes back at most `unroll`
/// times. Throws Refusal when there are too many, or one has more events than an execution can hold.
Paths paths_of(const Program& program, unsigned thread, unsigned unroll);

}  // namespace syncline::consistency
