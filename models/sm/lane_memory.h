// Generic addresses of one lane, read the way a system call reads them: shared memory in the SM, everything else as the
// machine holds it.
#pragma once

#include <cstring>
#include <vector>

#include "isa/exec/memory_map.h"
#include "models/sm/local_memory.h"
#include "models/sm/seams/sm_host.h"

namespace syncline::models {

class SmLaneMemory final : public isa::LaneMemory {
 public:
  SmLaneMemory(SmHost& host, const isa::MemoryMap* map, const std::vector<std::uint8_t>& shared, const LocalMap& local,
               unsigned place, const isa::Reach& reach)
      : host_(host), map_(map), shared_(shared), local_(local), place_(place), reach_(reach) {}

  bool read(unsigned lane, std::uint64_t address, void* to, std::size_t bytes) override {
    using Windows = isa::AddressWindows;
    auto* const out = static_cast<std::uint8_t*>(to);
    if (in_window(address, Windows::shared_base, Windows::shared_bytes)) {
      const std::uint64_t offset = address - Windows::shared_base;
      if (offset + bytes > shared_.size()) return false;
      std::memcpy(out, shared_.data() + offset, bytes);
      return true;
    }
    if (in_window(address, Windows::local_base, Windows::local_bytes)) {
      const std::uint64_t offset = address - Windows::local_base;
      if (offset + bytes > local_.bytes_per_thread()) return false;
      for (std::size_t i = 0; i < bytes; ++i) host_.debug_read(local_.physical(place_, lane, offset + i), out + i, 1);
      return true;
    }
    if (map_ != nullptr) {
      const isa::MemoryMap::Region* const region = map_->find(address);
      if (region == nullptr || address + bytes > region->end || !reach_.reaches(*region)) return false;
    }
    host_.debug_read(address, out, bytes);
    return true;
  }

 private:
  static constexpr bool in_window(std::uint64_t address, std::uint64_t base, std::uint64_t bytes) {
    return address >= base && address < base + bytes;
  }
  SmHost& host_;
  const isa::MemoryMap* map_;
  const std::vector<std::uint8_t>& shared_;
  const LocalMap& local_;
  unsigned place_;
  const isa::Reach& reach_;
};

}  // namespace syncline::models
