#include "platform/host/device_allocator.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "isa/exec/memory_access.h"

namespace syncline::platform {
namespace {

using Windows = isa::AddressWindows;

constexpr std::uint64_t aligned(std::uint64_t address, std::uint64_t align) {
  return (address + align - 1) / align * align;
}

}  // namespace

std::uint64_t DeviceAllocator::end_of_addresses(std::uint64_t capacity) {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  if (capacity <= 4 * gib) return 8 * gib;  // what gaps and alignment take, addresses below 4 GiB make up for
  const std::uint64_t lost = capacity / smallest_packed * (guard_gap + granularity);
  return aligned(Windows::high_global_base + capacity + lost, gib);
}

/// First fit among the gaps that begin at `from` or behind; 0 when there is none.
std::uint64_t DeviceAllocator::search(std::uint64_t bytes, std::uint64_t align, std::uint64_t from) const {
  const auto fits = [&](std::uint64_t first, std::uint64_t to) {
    const std::uint64_t begin = aligned(first, align);
    const bool crosses = begin < Windows::high_global_base && begin + bytes > Windows::low_global_end;
    return !crosses && begin + bytes >= begin && begin + bytes <= to ? begin : 0;
  };
  for (const auto& [low, high] :
       {std::pair{Windows::global_base, Windows::low_global_end}, std::pair{Windows::high_global_base, end_}}) {
    if (from >= high) continue;
    std::uint64_t gap = std::max(low, from);
    for (auto at = map_.regions().lower_bound(gap); at != map_.regions().end() && at->first < high; ++at) {
      const isa::MemoryMap::Region& region = at->second;
      if (const std::uint64_t begin = fits(gap, region.begin - std::min(guard_gap, region.begin)); begin != 0)
        return begin;
      gap = region.end + guard_gap;
    }
    if (const std::uint64_t begin = fits(gap, high); begin != 0) return begin;
  }
  return 0;
}

/// The same from where the last searches say; what it learns it remembers.
std::uint64_t DeviceAllocator::find_room(std::uint64_t bytes, std::uint64_t align) {
  const auto next = no_room_before_.upper_bound(bytes);
  const std::uint64_t from = next == no_room_before_.begin() ? 0 : std::prev(next)->second;
  const std::uint64_t begin = search(bytes, align, from);
  if (align != granularity) return begin;  // a block of less alignment may have room before
  const std::uint64_t known = begin == 0 ? end_ : begin;
  if (known <= from) return begin;
  auto later = no_room_before_.lower_bound(bytes);
  while (later != no_room_before_.end() && later->second <= known) later = no_room_before_.erase(later);
  no_room_before_.emplace_hint(later, bytes, known);
  return begin;
}

/// A block is gone: the gap that it leaves begins behind the block before.
void DeviceAllocator::release(std::uint64_t begin) {
  in_use_ -= map_.find(begin)->bytes();
  const auto at = map_.regions().find(begin);
  const std::uint64_t gap = at == map_.regions().begin() ? 0 : std::prev(at)->second.end + guard_gap;
  map_.erase(begin);
  auto entry = no_room_before_.begin();
  while (entry != no_room_before_.end() && entry->second <= gap) ++entry;
  if (entry == no_room_before_.end()) return;
  const std::uint64_t least = entry->first;
  no_room_before_.erase(entry, no_room_before_.end());
  if (gap != 0) no_room_before_.emplace(least, gap);
}

std::uint64_t DeviceAllocator::place(std::uint64_t bytes, std::uint64_t align, std::string label, bool writable) {
  if (bytes == 0 || bytes > capacity_ - in_use_) return 0;
  const std::uint64_t begin = find_room(bytes, std::max(align, granularity));
  if (begin == 0) return 0;
  map_.insert({begin, begin + bytes, writable, std::move(label)});
  in_use_ += bytes;
  freed_.erase(begin);
  std::uint64_t& used_end = begin < Windows::high_global_base ? low_end_ : high_end_;
  reused_ = std::min(bytes, used_end - std::min(begin, used_end));
  used_end = std::max(used_end, begin + bytes);
  return begin;
}

DevicePointer DeviceAllocator::allocate(std::uint64_t bytes) {
  if (bytes == 0) throw base::UserError("mem_alloc of 0 bytes; at least 1 is needed");
  const std::uint64_t begin = place(bytes, granularity, fmt::format("allocation {}", count_), true);
  if (begin == 0)
    throw base::UserError(fmt::format(
        "mem_alloc of {} bytes: out of device memory, {} of {} bytes (`host.memory`) are "
        "in use{}",
        bytes, in_use_, capacity_, bytes <= capacity_ - in_use_ ? ", and the others are not in one piece" : ""));
  ++count_;
  host_blocks_.insert(begin);
  return DevicePointer{begin};
}

bool DeviceAllocator::remove(std::uint64_t begin) {
  const isa::MemoryMap::Region* region = map_.find(begin);
  if (region == nullptr || region->begin != begin || host_blocks_.count(begin) != 0) return false;
  release(begin);
  return true;
}

void DeviceAllocator::free(DevicePointer pointer) {
  const std::uint64_t begin = address(pointer);
  if (host_blocks_.erase(begin) == 0) {
    if (freed_.count(begin) != 0) throw base::UserError(fmt::format("mem_free of {:#x}: it was freed already", begin));
    throw base::UserError(fmt::format("mem_free of {:#x}: no allocation begins there{}", begin, map_.nearest(begin)));
  }
  release(begin);
  freed_.insert(begin);
}

void DeviceAllocator::check_range(std::uint64_t begin, std::uint64_t bytes, const std::string& what) const {
  if (bytes == 0) return;
  const isa::MemoryMap::Region* region = map_.find(begin);
  if (region == nullptr)
    throw base::UserError(
        fmt::format("{} of {} bytes at {:#x}: nothing is allocated there{}", what, bytes, begin, map_.nearest(begin)));
  if (bytes > region->end - begin)
    throw base::UserError(fmt::format("{} of {} bytes at {:#x} runs {} bytes past the end of {} [{:#x}, {:#x})", what,
                                      bytes, begin, bytes - (region->end - begin), region->label, region->begin,
                                      region->end));
}

}  // namespace syncline::platform
