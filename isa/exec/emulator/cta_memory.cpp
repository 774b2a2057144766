// Memory of the emulator: full warps that touch plain memory go straight to the host's, everything else lane by lane.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "isa/exec/address_kernels.h"
#include "isa/exec/emulator/cta.h"
#include "isa/exec/emulator/lane_addresses.h"
#include "isa/exec/memory_fault.h"
#include "isa/lanes/atomic_value.h"

namespace syncline::isa {
namespace {

constexpr std::uint32_t full = 0xFFFF'FFFF;

template <unsigned Bytes>
void copy_lanes(std::uint8_t* to, const std::uint8_t* host, const std::uint64_t* address, std::uint32_t mask) {
  if (mask == full) {
    for (unsigned lane = 0; lane < kernel_lanes; ++lane) std::memcpy(to + lane * Bytes, host + address[lane], Bytes);
    return;
  }
  base::for_each_lane(mask, [&](unsigned lane) { std::memcpy(to + lane * Bytes, host + address[lane], Bytes); });
}

template <unsigned Bytes>
void spread_lanes(std::uint8_t* host, const std::uint8_t* from, const std::uint64_t* address, std::uint32_t mask) {
  base::for_each_lane(mask, [&](unsigned lane) { std::memcpy(host + address[lane], from + lane * Bytes, Bytes); });
}

template <unsigned Bytes>
void repeat(std::uint8_t* to, const std::uint8_t* value) {
  std::uint8_t v[Bytes];
  std::memcpy(v, value, Bytes);
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) std::memcpy(to + lane * Bytes, v, Bytes);
}

}  // namespace

bool EmulatedCta::window(const WarpSlot&, const MemoryForm& form, const std::uint64_t* address, std::uint32_t mask,
                         Window& w) {
  switch (form.space) {
    case Space::shared:
      w = {shared_.data(), 0, shared_.size()};
      return true;
    case Space::generic: case Space::global: case Space::const_: {
      const std::uint64_t a = address[base::first_lane(mask)];
      if (form.space == Space::generic && space_of(a) != Space::global) return false;
      if (region_version_ != emulator_.map_.version() || a < region_.begin || a >= region_.end) {
        const MemoryMap::Region* region = emulator_.map_.find(a);
        if (region == nullptr) return false;
        region_.begin = region->begin;
        region_.end = region->end;
        region_.writable = region->writable;
        region_version_ = emulator_.map_.version();
      }
      if (form.kind != AccessKind::load && !region_.writable) return false;
      w = {emulator_.memory_.host(0), region_.begin, region_.end};
      return true;
    }
    default: return false;
  }
}

bool EmulatedCta::fast_load(WarpSlot& slot, const Op& op) {
  const MemoryForm& form = *op.memory;
  Warp& w = slot.warp;
  if (form.elements != 1 || form.element_bytes != form.register_bytes || form.sinks != 0) return false;
  if (form.element_bytes != 4 && form.element_bytes != 8) return false;
  if (WarpExecutor::halves(w) != 1) return false;
  const std::uint32_t mask = WarpExecutor::half_lanes(w, op, 0);
  if (mask == 0) return true;
  alignas(64) std::uint64_t address[kernel_lanes];
  WarpExecutor::addresses(w, form, 0, address);
  Window window_of;
  if (!window(slot, form, address, mask, window_of)) return false;
  std::uint8_t* const to = WarpExecutor::at(w, 0, form.data[0]);
  const unsigned bytes = form.element_bytes;
  if (mask == full) {
    const AddressShape shape = shape_of(address, bytes);
    const std::uint64_t span = shape.contiguous ? bytes * kernel_lanes : bytes;
    if ((shape.contiguous || shape.uniform) && address[0] % bytes == 0 && address[0] >= window_of.begin &&
        address[0] + span <= window_of.end && address[0] + span >= span) {
      const std::uint8_t* const from = window_of.host + address[0];
      if (shape.contiguous) std::memcpy(to, from, span);
      else if (bytes == 4) repeat<4>(to, from);
      else repeat<8>(to, from);
      return true;
    }
  }
  if ((bad_lanes(address, window_of.begin, window_of.end, bytes) & mask) != 0) return false;
  if (bytes == 4) copy_lanes<4>(to, window_of.host, address, mask);
  else copy_lanes<8>(to, window_of.host, address, mask);
  return true;
}

bool EmulatedCta::fast_store(WarpSlot& slot, const Op& op) {
  const MemoryForm& form = *op.memory;
  Warp& w = slot.warp;
  if (form.elements != 1 || form.element_bytes != form.register_bytes) return false;
  if (form.element_bytes != 4 && form.element_bytes != 8) return false;
  if (WarpExecutor::halves(w) != 1) return false;
  const std::uint32_t mask = WarpExecutor::half_lanes(w, op, 0);
  if (mask == 0) return true;
  alignas(64) std::uint64_t address[kernel_lanes];
  WarpExecutor::addresses(w, form, 0, address);
  Window window_of;
  if (!window(slot, form, address, mask, window_of)) return false;
  const std::uint8_t* const from = WarpExecutor::at(w, 0, form.data[0]);
  const unsigned bytes = form.element_bytes;
  if ((bad_lanes(address, window_of.begin, window_of.end, bytes) & mask) != 0) return false;
  if (bytes == 4) spread_lanes<4>(window_of.host, from, address, mask);
  else spread_lanes<8>(window_of.host, from, address, mask);
  return true;
}

std::uint8_t* EmulatedCta::local_memory(WarpSlot& slot, unsigned lane, std::uint64_t address, unsigned bytes,
                                        const Op& op) {
  const std::uint64_t limit = slot.warp.local_top();
  if (address > limit || address + bytes > limit || (bytes & (bytes - 1)) != 0 || address % bytes != 0)
    throw_window_fault(slot.warp, {&op, Space::local, lane, address, bytes}, limit);
  if (limit > slot.local_stride) {
    if (limit > emulator_.config_.local_limit)
      throw base::ProgramFault(fmt::format("{} needs {} bytes of local memory in kernel `{}`, the limit is {}: {}",
                                           thread_name(slot.warp, lane), limit, grid_->program->kernel().name,
                                           emulator_.config_.local_limit, grid_->program->where(op)));
    const std::uint64_t stride = std::min(std::max(limit, 2 * slot.local_stride), std::max(limit, emulator_.config_.local_limit));
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
    case Space::local: return local_memory(slot, lane, address, bytes, *access.op);
    default: {
      const MemoryMap::Region* region = emulator_.map_.find(address);
      if (!aligned || region == nullptr || address + bytes > region->end ||
          (access.kind != AccessKind::load && !region->writable))
        throw_global_fault(slot.warp, bad, emulator_.map_);
      return emulator_.memory_.host(address);
    }
  }
}

void EmulatedCta::serve(WarpSlot& slot, const MemoryAccess& access) {
  if (access.kind == AccessKind::prefetch) return;  // a hint: bad addresses are no faults
  const unsigned stride = access.stride;
  alignas(64) std::array<std::uint8_t, base::max_lanes * max_access_bytes> values;
  base::for_each_lane(access.lanes, [&](unsigned lane) {
    std::uint8_t* const at = locate(slot, access, lane);
    std::uint8_t* const value = values.data() + lane * stride;
    switch (access.kind) {
      case AccessKind::load: std::memcpy(value, at, stride); break;
      case AccessKind::store: std::memcpy(at, access.data.data() + lane * stride, stride); break;
      default:
        std::memcpy(value, at, stride);
        for (unsigned e = 0; e < access.elements; ++e) {
          const unsigned bytes = access.element_bytes;
          std::uint64_t old = 0, b = 0, c = 0;
          std::memcpy(&old, at + e * bytes, bytes);
          std::memcpy(&b, access.data.data() + lane * stride + e * bytes, bytes);
          std::memcpy(&c, access.compare.data() + lane * 8, 8);
          const std::uint64_t fresh = apply_atomic(access.atomic, access.type, access.flush, old, b, c);
          std::memcpy(at + e * bytes, &fresh, bytes);
        }
        break;
    }
  });
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
      if (at + bytes > running_->local_stride) return false;
      std::memcpy(to, running_->local.data() + lane * running_->local_stride + at, bytes);
      return true;
    case Space::param:
      if (at + bytes > grid_->parameters.size()) return false;
      std::memcpy(to, grid_->parameters.data() + at, bytes);
      return true;
    default: {
      const MemoryMap::Region* region = emulator_.map_.find(address);
      if (region == nullptr || address + bytes > region->end) return false;
      std::memcpy(to, emulator_.memory_.host(address), bytes);
      return true;
    }
  }
}

}  // namespace syncline::isa
