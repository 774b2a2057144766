#include "isa/exec/memory_fault.h"

#include <fmt/format.h>

namespace syncline::isa {
namespace {

std::string_view verb(const Op& op) {
  switch (op.memory->kind) {
    case AccessKind::load:
      return "load";
    case AccessKind::store:
      return "store";
    case AccessKind::prefetch:
      return "prefetch";
    default:
      return "atomic";
  }
}

std::string begin(const Warp& warp, const BadAccess& bad, std::string_view what) {
  return fmt::format("{} {} {} of {} bytes at {:#x} by {} in kernel `{}`: {}", what, name(bad.space), verb(*bad.op),
                     bad.bytes, bad.address, thread_name(warp, bad.lane), warp.program().kernel().name,
                     warp.program().where(*bad.op));
}

void check_alignment(const Warp& warp, const BadAccess& bad) {
  if (bad.bytes != 0 && bad.address % bad.bytes != 0)
    throw AddressFault(begin(warp, bad, "misaligned") +
                       fmt::format("; the address must be a multiple of {}", bad.bytes));
}

std::string no_access(const Reach& reach, const MemoryMap::Region& region) {
  const std::string whose =
      region.device == all_devices ? "all devices together" : fmt::format("device {}", region.device);
  const std::string what =
      fmt::format("device {} has no access to memory of {} ({})", reach.device, whose, region.label);
  if (!reach.linked)
    return what + ": no link leads there (`modules.topology` is `none`); memcpy_peer copies it, over the host";
  return what + fmt::format("; enable_peer_access({}) of device {} gives it", region.device, reach.device);
}

}  // namespace

std::string thread_name(const Warp& warp, unsigned lane) {
  const base::Dim3 block = warp.grid().block, cta = warp.cta();
  const std::uint64_t thread = std::uint64_t{warp.index()} * warp.lanes() + lane;
  return fmt::format("thread ({}, {}, {}) (warp {}, lane {}) of CTA ({}, {}, {})", thread % block.x,
                     thread / block.x % block.y, thread / (std::uint64_t{block.x} * block.y), warp.index(), lane, cta.x,
                     cta.y, cta.z);
}

void throw_global_fault(const Warp& warp, const BadAccess& bad, const MemoryMap& map) {
  check_alignment(warp, bad);
  const MemoryMap::Region* region = map.find(bad.address);
  if (region != nullptr && !region->writable && bad.op->memory->kind != AccessKind::load)
    throw AddressFault(begin(warp, bad, "forbidden") + "; " + region->label + " is constant");
  if (region != nullptr && !warp.grid().reach.reaches(*region))
    throw AddressFault(begin(warp, bad, "forbidden") + "; " + no_access(warp.grid().reach, *region));
  throw AddressFault(begin(warp, bad, "out-of-bounds") + map.nearest(bad.address));
}

void throw_window_fault(const Warp& warp, const BadAccess& bad, std::uint64_t limit) {
  check_alignment(warp, bad);
  throw AddressFault(begin(warp, bad, "out-of-bounds") +
                     fmt::format("; {} memory of this {} has {} bytes", name(bad.space),
                                 bad.space == Space::shared ? "CTA" : "thread", limit));
}

}  // namespace syncline::isa
