// Where device memory is given out: first fit, 256-byte aligned, with a gap behind each block so that an access just
// past its end never hits the next. Addresses below 4 GiB come first, because old programs keep only 32 bits. What else
// has device addresses begins behind the last one that is given out.
//
// Devices of one machine share its addresses: each takes whole pages for itself, from the upper end of what is free,
// and gives out blocks of these by the same rule. A page that a device has taken stays its own. Modules may have room
// for fewer pages than there are addresses (PageRoom): a page that has had a block takes room from then on.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "isa/exec/memory_access.h"
#include "isa/exec/memory_map.h"
#include "platform/host/argument.h"
#include "platform/host/page_room.h"

namespace syncline::platform {

/// What one device of a machine has of its memory.
struct DeviceShare {
  isa::DeviceNumber number = isa::all_devices;
  std::uint64_t bytes = 0;  ///< that may be in use at once
  std::uint64_t page = 0;   ///< a power of two; of a machine, whose windows are all its own, nothing
  /// Is told of each piece of whole pages that becomes the device's. Null: nobody wants to know.
  std::function<void(std::uint64_t begin, std::uint64_t end)> took_pages;
};

class DeviceAllocator {
 public:
  /// `capacity`: bytes of device memory that may be in use at once; `modules`: in which pages it lies.
  explicit DeviceAllocator(std::uint64_t capacity = std::uint64_t{4} << 30, ModuleRoom modules = {})
      : machine_(this),
        addresses_(std::make_shared<Addresses>(std::move(modules))),
        share_{isa::all_devices, capacity, 0, nullptr},
        windows_{{isa::AddressWindows::global_base, isa::AddressWindows::low_global_end},
                 {isa::AddressWindows::high_global_base, end_of_addresses(capacity)}} {}
  /// Of a device of a machine, whose allocator outlives it.
  DeviceAllocator(DeviceAllocator& machine, DeviceShare share)
      : machine_(&machine), addresses_(machine.addresses_), share_(std::move(share)) {}
  DeviceAllocator(const DeviceAllocator&) = delete;
  DeviceAllocator& operator=(const DeviceAllocator&) = delete;
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

  /// Of all devices.
  const isa::MemoryMap& map() const { return addresses_->map; }
  /// Blocks of the host that are alive, of all devices, in address order: begin addresses.
  const std::set<std::uint64_t>& host_blocks() const { return addresses_->host_blocks; }
  /// Whose memory this is.
  isa::DeviceNumber device() const { return share_.number; }
  std::uint64_t in_use() const { return in_use_; }
  /// How many bytes at the beginning of the newest block may have been in one before; the others nobody has written.
  std::uint64_t reused() const { return reused_; }

  /// Throws base::UserError unless [address, address + bytes) lies within one block; `what` begins the message.
  void check_range(std::uint64_t address, std::uint64_t bytes, const std::string& what) const;

  static constexpr std::uint64_t granularity = 256, guard_gap = 256, smallest_packed = 4096;

 private:
  /// What all devices of a machine share.
  struct Addresses {
    explicit Addresses(ModuleRoom modules) : room(std::move(modules)) {}
    isa::MemoryMap map;
    PageRoom room;
    std::set<std::uint64_t> host_blocks, freed;
    std::uint64_t count = 0;
  };
  struct Window {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t used_end = 0;  ///< end of the highest block so far
    bool has_neighbour = false;  ///< behind it are pages of another device
  };
  bool is_machine() const { return machine_ == this; }
  PageRoom& room() const { return addresses_->room; }
  /// Pages of the machine's own in a window whose blocks end at `end`.
  std::uint64_t pages_until(const Window& window, std::uint64_t end) const;
  /// Where blocks in a window of the machine's have to end, by the pages that are free.
  std::uint64_t last_page_end(const Window& window) const;
  std::uint64_t find_room(std::uint64_t bytes, std::uint64_t align);
  std::uint64_t search(std::uint64_t bytes, std::uint64_t align, std::uint64_t from) const;
  bool take_pages(std::uint64_t bytes);
  std::uint64_t cut_pages(std::uint64_t bytes, std::uint64_t page);
  std::uint64_t free_bytes() const;
  void use(std::uint64_t bytes);
  void unuse(std::uint64_t bytes);
  void release(std::uint64_t begin);
  /// Pages that a block takes where it fits into none that there are.
  std::uint64_t new_pages(std::uint64_t bytes) const;
  [[noreturn]] void refuse(std::uint64_t bytes) const;

  DeviceAllocator* const machine_;
  std::shared_ptr<Addresses> addresses_;
  const DeviceShare share_;
  std::vector<Window> windows_;  ///< where blocks may lie, in address order
  /// Where the search for a block begins: so many bytes, or more, have no room before the address. Both ascend.
  std::map<std::uint64_t, std::uint64_t> no_room_before_;
  std::uint64_t in_use_ = 0, reused_ = 0;
};

}  // namespace syncline::platform
