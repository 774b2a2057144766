// Functions that the system provides to device code: vprintf, malloc, free, __assertfail (CUDA's device runtime).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/exec/step.h"
#include "isa/exec/warp.h"

namespace syncline::isa {

/// Reads a thread's view of memory through generic addresses.
class LaneMemory {
 public:
  virtual ~LaneMemory() = default;
  /// Copies `bytes` bytes at a generic address of a lane; false when they are not all there.
  virtual bool read(unsigned lane, std::uint64_t address, void* to, std::size_t bytes) = 0;
};

/// What a device offers to its programs.
class SystemServices {
 public:
  virtual ~SystemServices() = default;
  virtual void print(std::string_view text) = 0;                 ///< output of vprintf
  virtual std::uint64_t heap_allocate(std::uint64_t bytes) = 0;  ///< 0 when there is no room
  virtual bool heap_free(std::uint64_t address) = 0;             ///< false when nothing begins there
};

/// Text that vprintf(format, arguments) prints for a lane. Arguments lie one after another, each aligned to its size
/// (CUDA C++ Programming Guide, "Formatted Output"). Throws base::ProgramFault when a string cannot be read, and for
/// text, a width or a precision of more than 2^20 characters: as much as CUDA's buffer for all output of a grid has.
std::string format_printf(LaneMemory& memory, unsigned lane, std::uint64_t format, std::uint64_t arguments);

/// Serves a system call step for all its lanes, in lane order. Throws base::ProgramFault for a failed assertion and
/// for a free of what malloc never gave.
void serve_system_call(Warp& warp, const Step& step, LaneMemory& memory, SystemServices& services);

}  // namespace syncline::isa
