#include "isa/exec/memory_map.h"

#include <fmt/format.h>

#include <iterator>

#include "base/error.h"

namespace syncline::isa {
void MemoryMap::insert(Region region) {
  const auto next = regions_.upper_bound(region.begin);
  if ((next != regions_.end() && next->second.begin < region.end) ||
      (next != regions_.begin() && std::prev(next)->second.end > region.begin))
    throw base::ModelError(fmt::format("{} at {:#x} overlaps another region", region.label, region.begin));
  const std::uint64_t begin = region.begin;
  regions_.emplace_hint(next, begin, std::move(region));
  ++version_;
}

void MemoryMap::erase(std::uint64_t begin) {
  if (regions_.erase(begin) == 0) throw base::ModelError(fmt::format("no region begins at {:#x}", begin));
  ++version_;
}

const MemoryMap::Region* MemoryMap::find(std::uint64_t address) const {
  const auto next = regions_.upper_bound(address);
  if (next == regions_.begin()) return nullptr;
  const Region& region = std::prev(next)->second;
  return address < region.end ? &region : nullptr;
}

std::string MemoryMap::nearest(std::uint64_t address) const {
  const Region* best = nullptr;
  std::uint64_t best_distance = ~std::uint64_t{0};
  for (const auto& [begin, r] : regions_) {
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
