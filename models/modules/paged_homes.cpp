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
      homes_(memory.partitions),
      place_(place),
      within_(of_a_module(memory, map.modules()), place) {}

unsigned PagedHomes::module(std::uint64_t address) const {
  const std::uint64_t page = address >> page_bits_;
  switch (placement_) {
    case PagePlacement::interleaved:
      return static_cast<unsigned>(page % map_.modules());
    case PagePlacement::hash:
      return static_cast<unsigned>(base::mix64(page) % map_.modules());
    case PagePlacement::fixed:
      return fixed_;
    case PagePlacement::first_touch:
      break;
  }
  const auto known = placed_.find(page);
  return known == placed_.end() ? 0 : known->second;
}

unsigned PagedHomes::place(std::uint64_t page, const NodeId& asker) const {
  const auto known = placed_.find(page);
  if (known != placed_.end()) return known->second;
  const unsigned to = map_.module_of_l1(asker.index);
  placed_.emplace(page, to);
  if (to != 0 && move_) move_(page << page_bits_, to);
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
