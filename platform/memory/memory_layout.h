// Who has which device memory: the one that hands out regions, so that no two overlap. Behind what programs can
// allocate come the local memory of their threads and what policies keep in memory; all of these are data, dealt to the
// partitions. Behind its data a partition has memory of its own, for its units.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "models/partition/address_map.h"

namespace syncline::platform {

struct MemoryRegion {
  std::string name;
  std::string key;  ///< the one that its size hangs on most
  std::uint64_t base = 0, bytes = 0;
  std::uint64_t end() const { return base + bytes; }
};

class MemoryLayout {
 public:
  explicit MemoryLayout(const models::InterleavingSpec& memory) : MemoryLayout(memory, memory.partitions) {}
  /// A partition has room for one of `shares` parts of all data.
  MemoryLayout(const models::InterleavingSpec& memory, unsigned shares) : memory_(memory), shares_(shares) {}

  /// Behind all before. ModelError for a second one of a name, and once a partition's own have begun. References stay.
  const MemoryRegion& add(std::string name, std::string key, std::uint64_t bytes, std::uint64_t align = 1);
  /// In the memory of each partition, behind its data. `base` is an address within the partition.
  const MemoryRegion& add_to_partitions(std::string name, std::string key, std::uint64_t bytes);

  const MemoryRegion& at(std::string_view name) const;  ///< ModelError when there is none
  const std::deque<MemoryRegion>& regions() const { return regions_; }
  const std::deque<MemoryRegion>& of_partitions() const { return own_; }

  /// First device address behind all regions so far.
  std::uint64_t end() const { return regions_.empty() ? 0 : regions_.back().end(); }
  /// Of all regions, in one partition: whole chunks, and one more.
  std::uint64_t data_bytes_per_partition() const;
  std::uint64_t bytes_per_partition() const;

  /// What is wrong with the whole: a partition has at most `most_bytes`.
  struct Excess {
    std::string key, message;  ///< "`key` message"
  };
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 44;  ///< the most that `dram.capacity` takes
  /// Empty key: nothing.
  Excess excess() const;

 private:
  const MemoryRegion& put(std::deque<MemoryRegion>& to, MemoryRegion region);

  models::InterleavingSpec memory_;
  unsigned shares_;
  std::deque<MemoryRegion> regions_, own_;
};

}  // namespace syncline::platform
