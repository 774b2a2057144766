// Lane kernels that belong to the execution model, not to arithmetic: predicate and 128-bit moves, state space tests.
#pragma once

#include "isa/lanes/lane_kernel.h"

namespace syncline::isa {

void move_predicate(const LaneArgs& args);
void move_b128(const LaneArgs& args);

/// isspacep: whether a generic address (4 or 8 bytes wide) lies in the space's window. Null for spaces without one.
LaneKernel space_test_kernel(Space space, unsigned address_bytes);

/// Where a space begins within the generic address space; 0 for global and const.
std::uint64_t window_base(Space space);
/// The space that a generic address lies in: shared, local, param or global.
Space space_of(std::uint64_t generic_address);

}  // namespace syncline::isa
