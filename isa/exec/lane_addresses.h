// The addresses of a warp's lanes, computed and looked at as a whole: most accesses fall into a shape that needs
// neither a check nor a copy per lane. Exists in the builds of the lane kernels (portable, AVX2, AVX-512).
#pragma once

#include <array>
#include <cstdint>

#include "isa/exec/memory_access.h"
#include "isa/lanes/lane_kernel.h"

namespace syncline::isa {

/// Of 32 lanes, in two groups.
using AddressShape = std::array<LaneShape, kernel_lanes / MemoryAccess::shape_lanes>;

/// Where the lanes' base registers lie, and what is added to each.
struct AddressSource {
  const void* base = nullptr;
  std::uint64_t offset = 0;
  bool narrow = false;  ///< 32-bit registers: the sum wraps at 32 bits
};

struct AddressKernels {
  /// Computes 32 addresses; the shape tells about accesses of `bytes` bytes.
  AddressShape (*compute)(const AddressSource& source, unsigned bytes, std::uint64_t* address);
  /// Lanes whose access of `bytes` (a power of two) is misaligned or leaves [begin, begin + room + bytes).
  std::uint32_t (*bad_lanes)(const std::uint64_t* address, std::uint64_t begin, std::uint64_t room, unsigned bytes);
};

/// The build that lane kernels run with now.
const AddressKernels& address_kernels();

}  // namespace syncline::isa
