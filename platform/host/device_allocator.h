// Where device memory is given out: first fit, 256-byte aligned, with a gap behind each block so that an access just
// past its end never hits the next. Addresses below 4 GiB come first, because old programs keep only 32 bits. What else
// has device addresses begins behind the last one that is given out.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "isa/exec/memory_map.h"
#include "platform/host/argument.h"

namespace syncline::platform {

class DeviceAllocator {
 public:
  /// `capacity`: bytes of device memory that may be in use at once.
  explicit DeviceAllocator(std::uint64_t capacity = std::uint64_t{4} << 30)
      : capacity_(capacity), end_(end_of_addresses(capacity)) {}
  /// First address behind all blocks of an allocator of `capacity` bytes: the same, 8 GiB, for all of 4 GiB and less.
  /// Before it is room for all of the capacity in blocks of `smallest_packed` bytes and more, as long as none is given
  /// back. Each block has a gap behind it, so there may be less in smaller ones.
  static std::uint64_t end_of_addresses(std::uint64_t capacity);

  /// A new block for the host. Throws base::UserError for zero bytes and when the memory is full.
  DevicePointer allocate(std::uint64_t bytes);
  /// A block for something else: a module variable, device-side malloc. 0 when there is no room.
  std::uint64_t place(std::uint64_t bytes, std::uint64_t align, std::string label, bool writable);
  /// Gives a host block back. Throws base::UserError for a second free and for what `allocate` never gave.
  void free(DevicePointer pointer);
  /// Gives a block of `place` back; false when none begins there.
  bool remove(std::uint64_t begin);

  const isa::MemoryMap& map() const { return map_; }
  /// Blocks of the host that are alive, in address order: begin addresses.
  const std::set<std::uint64_t>& host_blocks() const { return host_blocks_; }
  std::uint64_t in_use() const { return in_use_; }
  /// How many bytes at the beginning of the newest block may have been in one before; the others nobody has written.
  std::uint64_t reused() const { return reused_; }

  /// Throws base::UserError unless [address, address + bytes) lies within one block; `what` begins the message.
  void check_range(std::uint64_t address, std::uint64_t bytes, const std::string& what) const;

  static constexpr std::uint64_t granularity = 256, guard_gap = 256, smallest_packed = 4096;

 private:
  std::uint64_t find_room(std::uint64_t bytes, std::uint64_t align);
  std::uint64_t search(std::uint64_t bytes, std::uint64_t align, std::uint64_t from) const;
  void release(std::uint64_t begin);
  isa::MemoryMap map_;
  /// Where the search for a block begins: so many bytes, or more, have no room before the address. Both ascend.
  std::map<std::uint64_t, std::uint64_t> no_room_before_;
  std::set<std::uint64_t> host_blocks_, freed_;
  std::uint64_t capacity_, end_, in_use_ = 0, count_ = 0, reused_ = 0;
  std::uint64_t low_end_ = 0, high_end_ = 0;  ///< end of the highest block so far, below 4 GiB and above
};

}  // namespace syncline::platform
