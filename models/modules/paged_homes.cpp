#include "models/modules/paged_homes.h"

#include <algorithm>

#include "base/random.h"

namespace syncline::models {
namespace {

InterleavingSpec of_a_module(InterleavingSpec memory, unsigned modules) {
  memory.partitions /= modules;
  return memory;
}

}  // namespace

const base::ChoiceTable<PagePlacement>& page_placements() {
  static const base::ChoiceTable<PagePlacement> table = {{"first_touch", PagePlacement::first_touch},
                                                         {"interleaved", PagePlacement::interleaved},
                                                         {"hash", PagePlacement::hash},
                                                         {"fixed", PagePlacement::fixed}};
  return table;
}

PagedHomes::PagedHomes(const PagesSpec& pages, const InterleavingSpec& memory, const ModuleMap& map, GpuPlace place)
    : placement_(pages.placement),
      page_bits_(static_cast<unsigned>(__builtin_ctzll(pages.bytes))),
      fixed_(pages.module),
      map_(map),
      place_(place),
      within_(of_a_module(memory, map.modules()), place) {}

void PagedHomes::give(std::uint64_t begin, std::uint64_t end, unsigned gpu) {
  given_.emplace((end - 1) >> page_bits_, std::pair(begin >> page_bits_, gpu));
}

ModuleMap::Modules PagedHomes::modules_of(std::uint64_t page) const {
  const auto given = given_.lower_bound(page);
  if (given == given_.end() || page < given->second.first) return {0, map_.modules()};
  return map_.gpu(given->second.second);
}

unsigned PagedHomes::module(std::uint64_t address) const {
  const std::uint64_t page = address >> page_bits_;
  const ModuleMap::Modules of = modules_of(page);
  const unsigned count = of.last - of.first;
  switch (placement_) {
    case PagePlacement::interleaved:
      return of.first + static_cast<unsigned>(page % count);
    case PagePlacement::hash:
      return of.first + static_cast<unsigned>(base::mix64(page) % count);
    case PagePlacement::fixed:
      return of.first + fixed_ % count;
    case PagePlacement::first_touch:
      break;
  }
  const auto known = placed_.find(page);
  return known == placed_.end() ? of.first : known->second;
}

unsigned PagedHomes::place(std::uint64_t page, const NodeId& asker) const {
  const auto known = placed_.find(page);
  if (known != placed_.end()) return known->second;
  const ModuleMap::Modules of = modules_of(page);
  const unsigned its = map_.module_of_l1(asker.index);
  const unsigned count = of.last - of.first;
  const bool of_a_gpu = count < map_.modules();
  const bool near = of.first <= its && its < of.last && (map_.is_sm(asker.index) || !of_a_gpu);
  const unsigned to = near ? its : of.first + static_cast<unsigned>(page % count);
  placed_.emplace(page, to);
  if (to != of.first && move_) move_(page << page_bits_, of.first, to);
  return to;
}

NodeId PagedHomes::home(base::LineAddress line, isa::Scope, const NodeId& asker) const {
  const std::uint64_t address = line.value();
  const unsigned of = placement_ == PagePlacement::first_touch && asker.kind == NodeKind::l1
                          ? place(address >> page_bits_, asker)
                          : module(address);
  return home_node(base::PartitionId(static_cast<std::uint16_t>(partition_in(of, address))), place_);
}

std::uint64_t PagedHomes::global(const NodeId& home, std::uint64_t local) const {
  return within_.global(base::PartitionId(static_cast<std::uint16_t>(home.index % within_.partitions())), local);
}

std::uint64_t PagedHomes::together(std::uint64_t address) const {
  return std::min(within_.together(address), page_bytes() - address % page_bytes());
}

}  // namespace syncline::models
