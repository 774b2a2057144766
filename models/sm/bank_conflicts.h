// How many cycles a shared-memory access takes: the largest number of different words that one bank must serve.
//
// Rule (CUDA C Programming Guide, "Shared Memory" of compute capability 2.x and 3.x): successive words lie in
// successive banks; lanes that touch the same word share one access (broadcast, also several broadcasts at once);
// different words in one bank take one access each. An access of 8 bytes a lane is made by each half of the warp on its
// own and one of 16 bytes by each quarter, so that the conflict-free pattern moves at most banks * bank width bytes in
// a cycle.
#pragma once

#include <cstdint>

#include "isa/exec/memory_access.h"
#include "models/sm/lane_values.h"

namespace syncline::models {

/// Both are powers of two: addresses are taken apart by shifting.
struct BankGeometry {
  unsigned banks = 32;
  unsigned width = 4;  ///< bytes
  unsigned width_shift() const { return static_cast<unsigned>(__builtin_ctz(width)); }
};

/// Passes through the banks for a load or store of these lanes; at least 1, and 1 for an access without lanes. `range`:
/// of their addresses, or of more.
unsigned shared_passes(const isa::MemoryAccess& access, base::LaneMask lanes, const AddressRange& range,
                       const BankGeometry& banks, unsigned warp_size);
inline unsigned shared_passes(const isa::MemoryAccess& access, base::LaneMask lanes, const BankGeometry& banks,
                              unsigned warp_size) {
  return shared_passes(access, lanes, address_range(access, lanes), banks, warp_size);
}

/// The same for an atomic: lanes that update the same word follow each other, so each lane counts for its bank.
unsigned shared_atomic_passes(const isa::MemoryAccess& access, const BankGeometry& banks);

}  // namespace syncline::models
