// Special registers whose values no order of stores and atomics makes deterministic: clocks and counters.
#pragma once

#include "isa/exec/program.h"

namespace syncline::models {

/// The first instruction of the program that reads one; null: none does.
const isa::Op* first_read_of_time(const isa::Program& program);

}  // namespace syncline::models
