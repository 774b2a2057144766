#include "platform/host/device_allocator.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"

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
    return begin + bytes >= begin && begin + bytes <= to ? begin : 0;
  };
  const isa::MemoryMap& map = addresses_->map;
  for (const Window& window : windows_) {
    std::uint64_t high = window.has_neighbour ? window.end - guard_gap : window.end;
    if (is_machine() && room().limited()) high = std::min(high, last_page_end(window));
    if (from >= high) continue;
    std::uint64_t gap = std::max(window.begin, from);
    for (auto at = map.regions().lower_bound(gap); at != map.regions().end() && at->first < high; ++at) {
      const isa::MemoryMap::Region& region = at->second;
      if (const std::uint64_t begin = fits(gap, region.begin - std::min(guard_gap, region.begin)); begin != 0)
        return begin;
      gap = region.end + guard_gap;
    }
    if (const std::uint64_t begin = fits(gap, high); begin != 0) return begin;
  }
  return 0;
}

std::uint64_t DeviceAllocator::pages_until(const Window& window, std::uint64_t end) const {
  const std::uint64_t page = room().page_bytes();
  return end <= window.begin ? 0 : (end - 1) / page - window.begin / page + 1;
}

std::uint64_t DeviceAllocator::last_page_end(const Window& window) const {
  const std::uint64_t pages = pages_until(window, window.used_end) + room().free(share_.number);
  return (window.begin / room().page_bytes() + pages) * room().page_bytes();
}

std::uint64_t DeviceAllocator::new_pages(std::uint64_t bytes) const {
  if (!is_machine()) return aligned(bytes + guard_gap, share_.page) / share_.page;
  const auto used = std::find_if(windows_.rbegin(), windows_.rend(), [](const Window& w) { return w.used_end != 0; });
  const Window& window = used == windows_.rend() ? windows_.front() : *used;
  const std::uint64_t begin = aligned(std::max(window.begin, window.used_end + guard_gap), granularity);
  return pages_until(window, begin + bytes) - pages_until(window, window.used_end);
}

/// Whole pages from the upper end of a window, below 4 GiB if there are any; 0 when there are none.
std::uint64_t DeviceAllocator::cut_pages(std::uint64_t bytes, std::uint64_t page) {
  for (Window& window : windows_) {
    const std::uint64_t first_free = aligned(std::max(window.begin, window.used_end + guard_gap), page);
    if (window.end < bytes || window.end - bytes < first_free) continue;
    const std::uint64_t begin = (window.end - bytes) / page * page;
    if (begin < first_free) continue;
    window.end = begin;
    window.has_neighbour = true;
    return begin;
  }
  return 0;
}

/// Makes room for a block.
bool DeviceAllocator::take_pages(std::uint64_t bytes) {
  const std::uint64_t whole = aligned(bytes + guard_gap, share_.page);
  if (room().limited() && whole / share_.page > room().free(share_.number)) return false;
  const std::uint64_t begin = machine_->cut_pages(whole, share_.page);
  if (begin == 0) return false;
  if (room().limited()) room().take(share_.number, whole / share_.page);
  const auto next = std::find_if(windows_.begin(), windows_.end(), [&](const Window& w) { return w.begin > begin; });
  if (next != windows_.end() && next->begin == begin + whole)
    next->begin = begin;
  else
    windows_.insert(next, {begin, begin + whole, 0, true});
  no_room_before_.clear();
  if (share_.took_pages) share_.took_pages(begin, begin + whole);
  return true;
}

std::uint64_t DeviceAllocator::free_bytes() const {
  const std::uint64_t own = share_.bytes - in_use_;
  return is_machine() ? own : std::min(own, machine_->free_bytes());
}

void DeviceAllocator::use(std::uint64_t bytes) {
  in_use_ += bytes;
  if (!is_machine()) machine_->in_use_ += bytes;
}

void DeviceAllocator::unuse(std::uint64_t bytes) {
  in_use_ -= bytes;
  if (!is_machine()) machine_->in_use_ -= bytes;
}

/// The same from where the last searches say; what it learns it remembers.
std::uint64_t DeviceAllocator::find_room(std::uint64_t bytes, std::uint64_t align) {
  const auto next = no_room_before_.upper_bound(bytes);
  const std::uint64_t from = next == no_room_before_.begin() ? 0 : std::prev(next)->second;
  const std::uint64_t begin = search(bytes, align, from);
  if (align != granularity) return begin;  // a block of less alignment may have room before
  const std::uint64_t known = begin == 0 ? windows_.empty() ? 0 : windows_.back().end : begin;
  if (known <= from) return begin;
  auto later = no_room_before_.lower_bound(bytes);
  while (later != no_room_before_.end() && later->second <= known) later = no_room_before_.erase(later);
  no_room_before_.emplace_hint(later, bytes, known);
  return begin;
}

/// A block is gone: the gap that it leaves begins behind the block before.
void DeviceAllocator::release(std::uint64_t begin) {
  isa::MemoryMap& map = addresses_->map;
  unuse(map.find(begin)->bytes());
  const auto at = map.regions().find(begin);
  const std::uint64_t gap = at == map.regions().begin() ? 0 : std::prev(at)->second.end + guard_gap;
  map.erase(begin);
  auto entry = no_room_before_.begin();
  while (entry != no_room_before_.end() && entry->second <= gap) ++entry;
  if (entry == no_room_before_.end()) return;
  const std::uint64_t least = entry->first;
  no_room_before_.erase(entry, no_room_before_.end());
  if (gap != 0) no_room_before_.emplace(least, gap);
}

std::uint64_t DeviceAllocator::place(std::uint64_t bytes, std::uint64_t align, std::string label, bool writable) {
  if (bytes == 0 || bytes > free_bytes()) return 0;
  align = std::max(align, granularity);
  std::uint64_t begin = find_room(bytes, align);
  if (begin == 0 && !is_machine() && take_pages(bytes)) begin = find_room(bytes, align);
  if (begin == 0) return 0;
  addresses_->map.insert({begin, begin + bytes, writable, std::move(label), share_.number});
  use(bytes);
  addresses_->freed.erase(begin);
  const auto window = std::find_if(windows_.begin(), windows_.end(), [&](const Window& w) { return begin < w.end; });
  reused_ = std::min(bytes, window->used_end - std::min(begin, window->used_end));
  const std::uint64_t used_end = std::max(window->used_end, begin + bytes);
  if (is_machine() && room().limited())
    room().take(share_.number, pages_until(*window, used_end) - pages_until(*window, window->used_end));
  window->used_end = used_end;
  return begin;
}

DevicePointer DeviceAllocator::allocate(std::uint64_t bytes) {
  if (bytes == 0) throw base::UserError("mem_alloc of 0 bytes; at least 1 is needed");
  const std::uint64_t begin = place(bytes, granularity, fmt::format("allocation {}", addresses_->count), true);
  if (begin == 0) refuse(bytes);
  ++addresses_->count;
  addresses_->host_blocks.insert(begin);
  return DevicePointer{begin};
}

void DeviceAllocator::refuse(std::uint64_t bytes) const {
  const bool by_pages = room().limited() && bytes <= free_bytes();
  if (const std::uint64_t pages = by_pages ? new_pages(bytes) : 0; by_pages && pages > room().free(share_.number)) {
    const std::uint64_t page = room().page_bytes(), free = room().free(share_.number);
    throw base::UserError(
        fmt::format("mem_alloc of {} bytes: out of {}, whose pages lie in {}: {} of {} bytes there are free "
                    "(`modules.memory`), in {} pages, and it takes {} with the gap between blocks",
                    bytes, is_machine() ? "device memory" : fmt::format("memory of device {}", share_.number),
                    room().where(share_.number), free * page, room().all(share_.number) * page, free, pages));
  }
  if (is_machine())
    throw base::UserError(
        fmt::format("mem_alloc of {} bytes: out of device memory, {} of {} bytes (`host.memory`) are in use{}", bytes,
                    in_use_, share_.bytes, bytes <= free_bytes() ? ", and the others are not in one piece" : ""));
  const std::string pages =
      bytes <= free_bytes()
          ? fmt::format(
                "; the addresses that are left have no room for whole pages of {} bytes (`modules.pages.bytes`), "
                "which a device takes for itself",
                share_.page)
          : "";
  throw base::UserError(
      fmt::format("mem_alloc of {} bytes: out of memory of device {}, {} of its {} bytes (its part of `host.memory`) "
                  "are in use, and {} of all devices together{}",
                  bytes, share_.number, in_use_, share_.bytes, machine_->in_use_, pages));
}

bool DeviceAllocator::remove(std::uint64_t begin) {
  const isa::MemoryMap::Region* region = addresses_->map.find(begin);
  if (region == nullptr || region->begin != begin || region->device != share_.number ||
      addresses_->host_blocks.count(begin) != 0)
    return false;
  release(begin);
  return true;
}

void DeviceAllocator::free(DevicePointer pointer) {
  const std::uint64_t begin = address(pointer);
  const isa::MemoryMap& map = addresses_->map;
  if (addresses_->host_blocks.count(begin) == 0) {
    if (addresses_->freed.count(begin) != 0)
      throw base::UserError(fmt::format("mem_free of {:#x}: it was freed already", begin));
    throw base::UserError(fmt::format("mem_free of {:#x}: no allocation begins there{}", begin, map.nearest(begin)));
  }
  if (const isa::MemoryMap::Region& region = *map.find(begin); region.device != share_.number)
    throw base::UserError(fmt::format(
        "mem_free of {:#x}: {} is memory of {}, which alone gives it back", begin, region.label,
        region.device == isa::all_devices ? "all devices together" : fmt::format("device {}", region.device)));
  addresses_->host_blocks.erase(begin);
  release(begin);
  addresses_->freed.insert(begin);
}

void DeviceAllocator::check_range(std::uint64_t begin, std::uint64_t bytes, const std::string& what) const {
  if (bytes == 0) return;
  const isa::MemoryMap::Region* region = map().find(begin);
  if (region == nullptr)
    throw base::UserError(
        fmt::format("{} of {} bytes at {:#x}: nothing is allocated there{}", what, bytes, begin, map().nearest(begin)));
  if (bytes > region->end - begin)
    throw base::UserError(fmt::format("{} of {} bytes at {:#x} runs {} bytes past the end of {} [{:#x}, {:#x})", what,
                                      bytes, begin, bytes - (region->end - begin), region->label, region->begin,
                                      region->end));
}

}  // namespace syncline::platform
