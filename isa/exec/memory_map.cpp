#include "isa/exec/memory_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::isa {
namespace {

bool begins_after(std::uint64_t address, const MemoryMap::Region& region) {
  return address < region.begin;
}

}  // namespace

void MemoryMap::insert(Region region) {
  const auto next = std::upper_bound(regions_.begin(), regions_.end(), region.begin, begins_after);
  if ((next != regions_.end() && next->begin < region.end) ||
      (next != regions_.begin() && std::prev(next)->end > region.begin))
    throw base::ModelError(fmt::format("{} at {:#x} overlaps another region", region.label, region.begin));
  regions_.insert(next, std::move(region));
  ++version_;
}

void MemoryMap::erase(std::uint64_t begin) {
  const auto next = std::upper_bound(regions_.begin(), regions_.end(), begin, begins_after);
  if (next == regions_.begin() || std::prev(next)->begin != begin)
    throw base::ModelError(fmt::format("no region begins at {:#x}", begin));
  regions_.erase(std::prev(next));
  ++version_;
}

const MemoryMap::Region* MemoryMap::find(std::uint64_t address) const {
  const auto next = std::upper_bound(regions_.begin(), regions_.end(), address, begins_after);
  if (next == regions_.begin()) return nullptr;
  const Region& region = *std::prev(next);
  return address < region.end ? &region : nullptr;
}

std::string MemoryMap::nearest(std::uint64_t address) const {
  const Region* best = nullptr;
  std::uint64_t best_distance = ~std::uint64_t{0};
  for (const Region& r : regions_) {
    const std::uint64_t distance = address < r.begin ? r.begin - address : address >= r.end ? address - r.end + 1 : 0;
    if (distance < best_distance) {
      best = &r;
      best_distance = distance;
    }
  }
  if (best == nullptr) return "; nothing is allocated";
  const std::string span = fmt::format("; nearest is {} [{:#x}, {:#x})", best->label, best->begin, best->end);
  if (address < best->begin) return span + fmt::format(", which begins {} bytes behind", best->begin - address);
  if (address >= best->end) return span + fmt::format(", which ends {} bytes before", address - best->end);
  return span + ", which holds the first byte";
}

}  // namespace syncline::isa
