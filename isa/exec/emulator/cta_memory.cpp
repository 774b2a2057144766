// Memory of the emulator: full warps that touch plain memory go straight to the host's, everything else lane by lane.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "isa/exec/address_kernels.h"
#include "isa/exec/emulator/cta.h"
#include "isa/exec/lane_addresses.h"
#include "isa/exec/memory_fault.h"
#include "isa/lanes/atomic_value.h"

namespace syncline::isa {
namespace {

constexpr std::uint32_t full = 0xFFFF'FFFF;

template <unsigned Bytes>
void load_lanes(std::uint8_t* to, const std::uint8_t* host, const std::uint64_t* address, std::uint32_t mask) {
  if (mask == full)
    for (unsigned lane = 0; lane < kernel_lanes; ++lane) std::memcpy(to + lane * Bytes, host + address[lane], Bytes);
  else
    base::for_each_lane(mask, [&](unsigned lane) { std::memcpy(to + lane * Bytes, host + address[lane], Bytes); });
}

template <unsigned Bytes>
void store_lanes(std::uint8_t* host, const std::uint8_t* from, const std::uint64_t* address, std::uint32_t mask) {
  base::for_each_lane(mask, [&](unsigned lane) { std::memcpy(host + address[lane], from + lane * Bytes, Bytes); });
}

/// 16 copies of one value.
template <unsigned Bytes>
void repeat(std::uint8_t* to, const std::uint8_t* value) {
  std::uint8_t v[Bytes];
  std::memcpy(v, value, Bytes);
  for (unsigned lane = 0; lane < 16; ++lane) std::memcpy(to + lane * Bytes, v, Bytes);
}

bool within(std::uint64_t address, std::uint64_t span, std::uint64_t begin, std::uint64_t end) {
  return address >= begin && address <= end && span <= end - address;
}

/// A full warp whose halves are each contiguous or uniform, all of it aligned and inside [begin, end).
bool in_shape(const AddressShape& shape, const std::uint64_t* address, unsigned bytes, std::uint64_t begin,
              std::uint64_t end, bool uniform_too) {
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint64_t a = address[half * 16];
    const bool contiguous = shape[half] == LaneShape::contiguous;
    if (!contiguous && !(uniform_too && shape[half] == LaneShape::uniform)) return false;
    if ((a & (bytes - 1)) != 0 || !within(a, contiguous ? 16 * bytes : bytes, begin, end)) return false;
  }
  return true;
}

template <unsigned Bytes>
void load_shape(std::uint8_t* to, const std::uint8_t* host, const std::uint64_t* address, const AddressShape& shape) {
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint8_t* const from = host + address[half * 16];
    if (shape[half] == LaneShape::contiguous)
      std::memcpy(to + half * 16 * Bytes, from, 16 * Bytes);
    else
      repeat<Bytes>(to + half * 16 * Bytes, from);
  }
}

template <unsigned Bytes>
void store_shape(std::uint8_t* host, const std::uint8_t* from, const std::uint64_t* address) {
  for (unsigned half = 0; half < 2; ++half)
    std::memcpy(host + address[half * 16], from + half * 16 * Bytes, 16 * Bytes);
}

/// What the fast paths take: one 32- or 64-bit value per lane in a register of its own width.
bool is_plain(const MemoryForm& form) {
  return form.elements == 1 && form.element_bytes == form.register_bytes[0] && form.sinks == 0 &&
         (form.element_bytes == 4 || form.element_bytes == 8) && !form.frame_local;
}

}  // namespace

bool EmulatedCta::window(const MemoryForm& form, std::uint64_t a, Window& w) {
  switch (form.space) {
    case Space::shared:
      w = {shared_.data(), 0, shared_.size()};
      return true;
    case Space::generic:
    case Space::global:
    case Space::const_: {
      if (form.space == Space::generic && space_of(a) != Space::global) return false;
      if (region_version_ != emulator_.map_.version() || a < region_.begin || a >= region_.end) {
        const MemoryMap::Region* region = emulator_.map_.find(a);
        if (region == nullptr) return false;
        region_.begin = region->begin;
        region_.end = region->end;
        region_.writable = region->writable;
        region_.device = region->device;
        region_version_ = emulator_.map_.version();
      }
      if (form.kind != AccessKind::load && !region_.writable) return false;
      if (!grid_->reach.reaches(region_)) return false;
      w = {emulator_.memory_.host(0), region_.begin, region_.end};
      return true;
    }
    default:
      return false;
  }
}

bool EmulatedCta::fast_load(WarpSlot& slot, const Op& op, std::uint32_t mask) {
  const MemoryForm& form = *op.memory;
  if (!is_plain(form)) return false;
  if (mask == 0) return true;
  const unsigned bytes = form.element_bytes;
  alignas(64) std::uint64_t address[kernel_lanes];
  const AddressShape shape = kernels_.compute(WarpExecutor::address_source(slot.warp, form, 0), bytes, address);
  Window w;
  if (!window(form, address[base::first_lane(mask)], w)) return false;
  std::uint8_t* const to = WarpExecutor::at(slot.warp, 0, form.data[0]);
  if (mask == full && in_shape(shape, address, bytes, w.begin, w.end, true)) {
    if (bytes == 4)
      load_shape<4>(to, w.host, address, shape);
    else
      load_shape<8>(to, w.host, address, shape);
    return true;
  }
  if (w.end - w.begin < bytes || (kernels_.bad_lanes(address, w.begin, w.end - w.begin - bytes, bytes) & mask) != 0)
    return false;
  if (bytes == 4)
    load_lanes<4>(to, w.host, address, mask);
  else
    load_lanes<8>(to, w.host, address, mask);
  return true;
}

bool EmulatedCta::fast_store(WarpSlot& slot, const Op& op, std::uint32_t mask) {
  const MemoryForm& form = *op.memory;
  if (!is_plain(form)) return false;
  if (mask == 0) return true;
  const unsigned bytes = form.element_bytes;
  alignas(64) std::uint64_t address[kernel_lanes];
  const AddressShape shape = kernels_.compute(WarpExecutor::address_source(slot.warp, form, 0), bytes, address);
  Window w;
  if (!window(form, address[base::first_lane(mask)], w)) return false;
  ++emulator_.effects_;
  const std::uint8_t* const from = WarpExecutor::at(slot.warp, 0, form.data[0]);
  if (mask == full && in_shape(shape, address, bytes, w.begin, w.end, false)) {
    if (bytes == 4)
      store_shape<4>(w.host, from, address);
    else
      store_shape<8>(w.host, from, address);
    return true;
  }
  if (w.end - w.begin < bytes || (kernels_.bad_lanes(address, w.begin, w.end - w.begin - bytes, bytes) & mask) != 0)
    return false;
  if (bytes == 4)
    store_lanes<4>(w.host, from, address, mask);
  else
    store_lanes<8>(w.host, from, address, mask);
  return true;
}

std::uint8_t* EmulatedCta::local_memory(WarpSlot& slot, const MemoryAccess& access, unsigned lane) {
  const Op& op = *access.op;
  const std::uint64_t address = access.address[lane], limit = slot.warp.local_top(access.frame);
  const unsigned bytes = access.stride;
  if (address > limit || address + bytes > limit || (bytes & (bytes - 1)) != 0 || address % bytes != 0)
    throw_window_fault(slot.warp, {&op, Space::local, lane, address, bytes}, limit);
  if (address + bytes > slot.local_stride) {
    if (address + bytes > emulator_.config_.local_limit)
      throw base::ProgramFault(fmt::format("{} uses {} bytes of local memory in kernel `{}`, the limit is {}: {}",
                                           thread_name(slot.warp, lane), address + bytes, grid_->program->kernel().name,
                                           emulator_.config_.local_limit, grid_->program->where(op)));
    const std::uint64_t stride = std::min(
        std::max(address + bytes, std::max<std::uint64_t>(2 * slot.local_stride, 4096)), emulator_.config_.local_limit);
    std::vector<std::uint8_t> larger(stride * emulator_.config_.warp_lanes, 0);
    for (unsigned n = 0; n < emulator_.config_.warp_lanes && slot.local_stride != 0; ++n)
      std::memcpy(larger.data() + n * stride, slot.local.data() + n * slot.local_stride, slot.local_stride);
    slot.local = std::move(larger);
    slot.local_stride = stride;
  }
  return slot.local.data() + lane * slot.local_stride + address;
}

std::uint8_t* EmulatedCta::locate(WarpSlot& slot, const MemoryAccess& access, unsigned lane) {
  const std::uint64_t address = access.address[lane];
  const unsigned bytes = access.stride;
  const BadAccess bad{access.op, access.space, lane, address, bytes};
  const bool aligned = address % bytes == 0;
  switch (access.space) {
    case Space::shared:
      if (!aligned || address > shared_.size() || address + bytes > shared_.size())
        throw_window_fault(slot.warp, bad, shared_.size());
      return shared_.data() + address;
    case Space::local:
      return local_memory(slot, access, lane);
    default: {
      const MemoryMap::Region* region = emulator_.map_.find(address);
      if (!aligned || region == nullptr || address + bytes > region->end ||
          (access.kind != AccessKind::load && !region->writable) || !grid_->reach.reaches(*region))
        throw_global_fault(slot.warp, bad, emulator_.map_);
      return emulator_.memory_.host(address);
    }
  }
}

void EmulatedCta::serve(WarpSlot& slot, const MemoryAccess& access) {
  if (access.kind == AccessKind::prefetch) return;  // a hint: bad addresses are no faults
  const unsigned stride = access.stride;
  alignas(64) std::array<std::uint8_t, base::max_lanes * max_access_bytes> values;
  bool changed = access.kind == AccessKind::store;
  base::for_each_lane(access.lanes, [&](unsigned lane) {
    std::uint8_t* const at = locate(slot, access, lane);
    std::uint8_t* const value = values.data() + lane * stride;
    switch (access.kind) {
      case AccessKind::load:
        std::memcpy(value, at, stride);
        break;
      case AccessKind::store:
        if (access.skipped == 0) {
          std::memcpy(at, access.data.data() + lane * stride, stride);
          break;
        }
        for (unsigned e = 0; e < access.elements; ++e)
          if ((access.skipped >> e & 1U) == 0)
            std::memcpy(at + e * access.element_bytes, access.data.data() + lane * stride + e * access.element_bytes,
                        access.element_bytes);
        break;
      default:
        for (unsigned e = 0; e < access.elements; ++e) {
          const unsigned offset = e * access.element_bytes;
          update_atomic(access.atomic, access.type, access.ftz, at + offset,
                        access.data.data() + lane * stride + offset,
                        access.compare.data() + lane * MemoryAccess::compare_bytes, value + offset);
          changed = changed || std::memcmp(at + offset, value + offset, access.element_bytes) != 0;
        }
        break;
    }
  });
  if (changed && access.space == Space::local)
    slot.spin.restart();  // what the program keeps there is part of what decides how it goes on
  else if (changed)
    ++emulator_.effects_;
  if (access.kind == AccessKind::load || access.kind == AccessKind::atomic)
    slot.warp.write_back(access, access.lanes, values.data());
}

bool EmulatedCta::read(unsigned lane, std::uint64_t address, void* to, std::size_t bytes) {
  const Space space = space_of(address);
  const std::uint64_t at = address - window_base(space);
  switch (space) {
    case Space::shared:
      if (at + bytes > shared_.size()) return false;
      std::memcpy(to, shared_.data() + at, bytes);
      return true;
    case Space::local:
      if (at + bytes > running_->warp.local_top(running_->warp.host_frame())) return false;
      if (at + bytes <= running_->local_stride) {
        std::memcpy(to, running_->local.data() + lane * running_->local_stride + at, bytes);
        return true;
      }
      // What no thread has come to was never written.
      std::memset(to, 0, bytes);
      if (at < running_->local_stride)
        std::memcpy(to, running_->local.data() + lane * running_->local_stride + at, running_->local_stride - at);
      return true;
    case Space::param:
      if (at + bytes > grid_->parameters.size()) return false;
      std::memcpy(to, grid_->parameters.data() + at, bytes);
      return true;
    default: {
      const MemoryMap::Region* region = emulator_.map_.find(address);
      if (region == nullptr || address + bytes > region->end || !grid_->reach.reaches(*region)) return false;
      std::memcpy(to, emulator_.memory_.host(address), bytes);
      return true;
    }
  }
}

}  // namespace syncline::isa
