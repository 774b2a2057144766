// Messages for accesses that no memory can serve, the same on every host of warps.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "isa/exec/memory_map.h"
#include "isa/exec/warp.h"

namespace syncline::isa {

/// An address is bad; of the instruction nothing has been done for the lanes that execute it.
class AddressFault : public base::ProgramFault {
 public:
  using ProgramFault::ProgramFault;
};

/// What went wrong with one lane's access.
struct BadAccess {
  const Op* op = nullptr;
  Space space = Space::global;
  unsigned lane = 0;
  std::uint64_t address = 0;
  unsigned bytes = 0;  ///< of the whole access of the lane, vector included
};

/// "thread (3, 0, 0) (warp 0, lane 3) of CTA (1, 0, 0)"
std::string thread_name(const Warp& warp, unsigned lane);

/// Throws AddressFault that names kernel, PTX line, CTA, warp, lane and address. Misalignment is told first
/// (addresses must be multiples of the access size), then what lies near.
[[noreturn]] void throw_global_fault(const Warp& warp, const BadAccess& bad, const MemoryMap& map);
/// The same for shared and local memory of `limit` bytes.
[[noreturn]] void throw_window_fault(const Warp& warp, const BadAccess& bad, std::uint64_t limit);

}  // namespace syncline::isa
