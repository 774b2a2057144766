// What an SM asks of the host side while a kernel runs: system calls. Rare, and not timed beyond a fixed latency.
#pragma once

#include <cstdint>

#include "isa/exec/system_call.h"

namespace syncline::models {

class SmHost : public isa::SystemServices {
 public:
  /// Reads device memory as the machine holds it now (TLM debug transport): strings and arguments of printf. All
  /// earlier stores of the warp are performed when it is called.
  virtual void debug_read(std::uint64_t address, void* to, std::uint64_t bytes) = 0;
};

}  // namespace syncline::models
