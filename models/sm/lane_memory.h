// Generic addresses of one lane, read the way a system call reads them: shared memory in the SM, everything else as the
// machine holds it.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "models/sm/local_memory.h"
#include "models/sm/seams/sm_host.h"

namespace syncline::models {

class SmLaneMemory final : public LaneMemory {
 public:
  SmLaneMemory(SmHost& host, const std::vector<std::uint8_t>& shared, const LocalMap& local, unsigned slot)
      : host_(host), shared_(shared), local_(local), slot_(slot) {}

  void read(unsigned lane, std::uint64_t address, void* to, std::uint64_t bytes) override {
    using Windows = isa::AddressWindows;
    auto* const out = static_cast<std::uint8_t*>(to);
    if (in_window(address, Windows::shared_base, Windows::shared_bytes)) {
      const std::uint64_t offset = address - Windows::shared_base;
      if (offset + bytes > shared_.size()) throw base::ProgramFault("a system call reads behind the CTA's shared memory");
      std::memcpy(out, shared_.data() + offset, bytes);
    } else if (in_window(address, Windows::local_base, Windows::local_bytes)) {
      const std::uint64_t offset = address - Windows::local_base;
      if (offset + bytes > local_.bytes_per_thread()) throw base::ProgramFault("a system call reads behind the thread's local memory");
      for (std::uint64_t i = 0; i < bytes; ++i) host_.debug_read(local_.physical(slot_, lane, offset + i), out + i, 1);
    } else {
      host_.debug_read(address, out, bytes);
    }
  }

 private:
  static constexpr bool in_window(std::uint64_t address, std::uint64_t base, std::uint64_t bytes) {
    return address >= base && address < base + bytes;
  }
  SmHost& host_;
  const std::vector<std::uint8_t>& shared_;
  const LocalMap& local_;
  unsigned slot_;
};

}  // namespace syncline::models
