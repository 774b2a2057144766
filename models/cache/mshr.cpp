#include "models/cache/mshr.h"

#include <algorithm>

#include "base/error.h"

namespace syncline::models {

MshrTable::MshrTable(std::uint32_t entries, std::uint32_t merges)
    : merges_(merges), entries_(entries), chains_(entries), used_(entries) {
  placeless_.reserve(entries);
  for (Index i = entries; i > 0; --i) free_.push_back(i - 1);
}

Index MshrTable::allocate(base::LineAddress line, Index place, base::Cycle now) {
  if (free_.empty()) throw base::ModelError("a line became transient without a miss register");
  const Index entry = free_.back();
  free_.pop_back();
  used_[entry] = true;
  MissRegister& e = entries_[entry];
  e.line = line;
  e.told_by = ~std::uint64_t{0};
  e.meta = {};
  e.place = place;
  e.since = now;
  e.parked = 0;
  e.timed = false;
  e.refetch = false;
  e.valid = {};
  e.dirty = {};
  if (place == nowhere) placeless_.push_back({line, e.told_by, entry});
  return entry;
}

void MshrTable::release(Index entry) {
  MissRegister& e = entries_[entry];
  if (e.parked != 0) throw base::ModelError("a line became stable while accesses still wait for it");
  if (e.place == nowhere) forget_placeless(entry);
  used_[entry] = false;
  free_.push_back(entry);
}

Index MshrTable::find_placeless(base::LineAddress line, std::uint64_t bits) const {
  for (const Placeless& one : placeless_) {
    if (((one.line.value() ^ line.value()) & one.told_by & bits) == 0) return one.entry;
  }
  return nowhere;
}

void MshrTable::forget_placeless(Index entry) {
  const auto found =
      std::find_if(placeless_.begin(), placeless_.end(), [entry](const Placeless& one) { return one.entry == entry; });
  *found = placeless_.back();
  placeless_.pop_back();
}

void MshrTable::lose_place(Index entry) {
  entries_[entry].place = nowhere;
  placeless_.push_back({entries_[entry].line, entries_[entry].told_by, entry});
}

void MshrTable::gain_place(Index entry, Index place) {
  entries_[entry].place = place;
  forget_placeless(entry);
}

void MshrTable::park(Index entry, Message& message, base::Cycle now, std::uint64_t now_ps) {
  if (free_nodes_.empty()) {
    free_nodes_.push_back(static_cast<Index>(nodes_.size()));
    nodes_.emplace_back();
  }
  const Index node = free_nodes_.back();
  free_nodes_.pop_back();
  nodes_[node] = {&message, now, now_ps, nowhere};
  Chain& chain = chains_[entry];
  if (entries_[entry].parked++ == 0)
    chain.head = node;
  else
    nodes_[chain.tail].next = node;
  chain.tail = node;
}

MshrTable::Parked MshrTable::take_parked(Index entry, std::uint64_t until_ps) {
  MissRegister& e = entries_[entry];
  if (e.parked == 0 || nodes_[chains_[entry].head].since_ps > until_ps) return {nullptr, 0, 0, nowhere};
  --e.parked;
  const Index node = chains_[entry].head;
  chains_[entry].head = nodes_[node].next;
  free_nodes_.push_back(node);
  return nodes_[node];
}

}  // namespace syncline::models
