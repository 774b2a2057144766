// What an SM asks of the host side while a kernel runs: system calls. Rare and not timed beyond a fixed latency.
#pragma once

#include <cstdint>

#include "base/lane_mask.h"
#include "isa/exec/step.h"
#include "isa/exec/warp.h"

namespace syncline::models {

/// Bytes that a system call reads (a format string, its arguments), with generic addresses of one lane.
class LaneMemory {
 public:
  virtual ~LaneMemory() = default;
  /// Throws base::ProgramFault when the bytes cannot be read.
  virtual void read(unsigned lane, std::uint64_t generic_address, void* to, std::uint64_t bytes) = 0;
};

class SmHost {
 public:
  virtual ~SmHost() = default;
  /// Serves `step` (kind system_call) for its lanes in ascending order: reads Warp::argument, answers with
  /// Warp::set_result. All earlier stores of the warp are performed. Throws base::ProgramFault for a failed assertion.
  virtual void system_call(isa::Warp& warp, const isa::Step& step, LaneMemory& memory) = 0;
  /// Reads global memory as the machine holds it now (TLM debug transport), for LaneMemory.
  virtual void debug_read(std::uint64_t address, void* to, std::uint64_t bytes) = 0;
};

}  // namespace syncline::models
