// Loads, stores and atomics on the bytes of one CTA's shared memory. Timing is bank_conflicts.h's.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/exec/memory_access.h"

namespace syncline::models {

/// Performs `access` on `bytes`, lanes in ascending order. Addresses are in bounds. Afterwards access.data holds what a
/// load or a value-returning atomic brings, lane by lane. True for a store, and for an atomic that leaves another value
/// than it found.
bool perform_shared(isa::MemoryAccess& access, std::vector<std::uint8_t>& bytes);

}  // namespace syncline::models
