#include "models/modules/paged_homes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "models/clock/lane.h"

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

void PagedHomes::limit(std::uint64_t pages, std::uint64_t end) {
  const std::uint64_t end_page = (end + page_bytes() - 1) >> page_bits_;
  room_ = Room{pages, end_page, std::vector<std::uint64_t>(map_.modules()), std::vector<std::uint64_t>(map_.gpus()),
               std::vector<std::uint64_t>(map_.gpus())};
}

void PagedHomes::give(std::uint64_t begin, std::uint64_t end, unsigned gpu) {
  const std::uint64_t first = begin >> page_bits_, last = (end - 1) >> page_bits_;
  given_.emplace(last, std::pair(first, gpu));
  if (takes_room(first)) room_->given[gpu] += last - first + 1;
}

ModuleMap::Modules PagedHomes::modules_of(std::uint64_t page) const {
  const auto given = given_.lower_bound(page);
  if (given == given_.end() || page < given->second.first) return {0, map_.modules()};
  return map_.gpu(given->second.second);
}

unsigned PagedHomes::in_turn(std::uint64_t page, ModuleMap::Modules of) const {
  const unsigned count = of.last - of.first;
  if (placement_ == PagePlacement::fixed) return of.first + fixed_ % count;
  return of.first + static_cast<unsigned>((placement_ == PagePlacement::hash ? base::mix64(page) : page) % count);
}

unsigned PagedHomes::module(std::uint64_t address) const {
  const std::uint64_t page = address >> page_bits_;
  const ModuleMap::Modules of = modules_of(page);
  if (!is_placed(page)) return in_turn(page, of);
  const auto known = placed_.find(page);
  return known == placed_.end() ? of.first : known->second;
}

unsigned PagedHomes::wanted(std::uint64_t page, ModuleMap::Modules of, const NodeId& asker) const {
  if (placement_ != PagePlacement::first_touch) return in_turn(page, of);
  const unsigned its = map_.module_of_l1(asker.index);
  const bool near = of.first <= its && its < of.last && (map_.is_sm(asker.index) || !is_of_a_gpu(of));
  return near ? its : in_turn(page, of);
}

unsigned PagedHomes::with_room(unsigned wanted, ModuleMap::Modules of) const {
  const unsigned gpus = map_.gpus(), gpms = map_.gpms();
  const bool of_a_gpu = is_of_a_gpu(of);
  for (unsigned i = 0; i < (of_a_gpu ? 1 : gpus); ++i) {
    const unsigned gpu = (map_.gpu_of(wanted) + i) % gpus;
    // What is memory of that GPU alone has its room there even before it is placed.
    const bool has_room = of_a_gpu || room_->given[gpu] + room_->guests[gpu] < room_->pages * gpms;
    for (unsigned k = 0; has_room && k < gpms; ++k) {
      const unsigned module = gpu * gpms + (wanted + k) % gpms;
      if (room_->placed[module] < room_->pages) return module;
    }
  }
  throw base::ModelError(fmt::format("no module from {} to {} has room for a page", of.first, of.last - 1));
}

unsigned PagedHomes::place(std::uint64_t page, const NodeId& asker) const {
  const auto known = placed_.find(page);
  if (known != placed_.end()) return known->second;
  const ModuleMap::Modules of = modules_of(page);
  unsigned to = wanted(page, of, asker);
  if (takes_room(page)) {
    to = with_room(to, of);
    ++room_->placed[to];
    if (!is_of_a_gpu(of)) ++room_->guests[map_.gpu_of(to)];
  }
  placed_.emplace(page, to);
  if (to != of.first && move_) move_(page << page_bits_, of.first, to);
  return to;
}

void PagedHomes::touch(base::LineAddress line, const NodeId& l1) const {
  const std::uint64_t page = line.value() >> page_bits_;
  if (!is_placed(page) || placed_.count(page) != 0) return;
  in_turn_order([this, page, l1] { place(page, l1); });
}

NodeId PagedHomes::home(base::LineAddress line, isa::Scope, const NodeId& asker) const {
  const std::uint64_t address = line.value();
  const unsigned of = asker.kind == NodeKind::l1 && is_placed(address >> page_bits_)
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
