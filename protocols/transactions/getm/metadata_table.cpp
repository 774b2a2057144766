#include "protocols/transactions/getm/metadata_table.h"

#include <algorithm>
#include <utility>

namespace syncline::protocols::getm {
namespace {

std::size_t rows(std::uint32_t entries, std::uint32_t ways, unsigned partitions) {
  return std::max<std::size_t>(1, entries / partitions / ways);
}

}  // namespace

MetadataTable::MetadataTable(const GetmSpec& spec, unsigned partitions)
    : ways_(spec.precise_ways),
      probes_(spec.insertion_probes),
      rows_(rows(spec.precise_entries, spec.precise_ways, partitions)),
      stash_entries_(spec.stash_entries),
      slots_(ways_ * rows_),
      approximate_(spec.approximate_ways, rows(spec.approximate_entries, spec.approximate_ways, partitions)) {
  base::Random random(0, "getm.precise");
  hashes_ = std::make_shared<const std::vector<transactions::H3>>(transactions::hash_functions(random, ways_));
}

MetadataTable::Place MetadataTable::look_up(Granule granule) {
  for (unsigned way = 0; way < ways_; ++way) {
    if (Metadata& entry = slot(way, granule); entry.granule == granule) return {&entry};
  }
  for (Metadata& entry : stash_) {
    if (entry.granule == granule) return {&entry};
  }
  Place place;
  for (Metadata& entry : overflow_) {
    ++place.overflow;
    if (entry.granule != granule) continue;
    place.entry = &entry;
    break;
  }
  return place;
}

Metadata& MetadataTable::at(Granule granule, TableCost& cost) {
  Place place = look_up(granule);
  cost.overflow = static_cast<std::uint16_t>(cost.overflow + place.overflow);
  if (place.entry == nullptr) {
    const Times times = approximate_.bound(granule);
    Metadata entry;
    entry.granule = granule;
    entry.wts = times.wts;
    entry.rts = times.rts;
    entry.reader = times.reader;
    insert(entry, cost);
    place = look_up(granule);
  }
  return *place.entry;
}

void MetadataTable::insert(Metadata entry, TableCost& cost) {
  const Granule keep = entry.granule;
  for (unsigned probe = 0; !settle(entry, keep, cost); ++probe) {
    if (probe == probes_) return keep_aside(entry, cost);
    std::swap(entry, slot(probe % ways_, entry.granule));
    ++cost.probes;
  }
}

/// Finds `entry` one of its own places, if it needs not move an entry that is reserved, nor that of `keep`.
bool MetadataTable::settle(const Metadata& entry, Granule keep, TableCost& cost) {
  Metadata* victim = nullptr;
  for (unsigned way = 0; way < ways_; ++way) {
    Metadata& place = slot(way, entry.granule);
    if (place.granule == no_granule) {
      place = entry;
      return true;
    }
    if (place.reserved || place.granule == keep) continue;
    if (victim == nullptr || place.latest() < victim->latest()) victim = &place;  // whose bounds do the least harm
  }
  if (victim == nullptr) return false;
  approximate(*victim);
  ++cost.evicted;
  *victim = entry;
  return true;
}

void MetadataTable::keep_aside(const Metadata& entry, TableCost& cost) {
  if (stash_.size() < stash_entries_) {
    stash_.push_back(entry);
    return;
  }
  for (Metadata& place : stash_) {
    if (place.reserved) continue;
    approximate(place);
    ++cost.evicted;
    place = entry;
    return;
  }
  overflow_.push_back(entry);
  ++cost.overflow;
}

void MetadataTable::tidy() {
  if (overflow_.empty()) return;
  const auto left =
      std::stable_partition(overflow_.begin(), overflow_.end(), [](const Metadata& entry) { return entry.reserved; });
  std::for_each(left, overflow_.end(), [this](const Metadata& entry) { approximate(entry); });
  overflow_.erase(left, overflow_.end());
}

void MetadataTable::clear() {
  std::fill(slots_.begin(), slots_.end(), Metadata{});
  stash_.clear();
  overflow_.clear();
  approximate_.clear();
}

void MetadataTable::encode(TimeEncoder& to) const {
  for (const Metadata& entry : slots_) to.metadata(entry);
  for (const auto* part : {&stash_, &overflow_}) {
    to.put(part->size());
    for (const Metadata& entry : *part) to.metadata(entry);
  }
  approximate_.encode(to);
}

}  // namespace syncline::protocols::getm
