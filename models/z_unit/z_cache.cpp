#include "models/z_unit/z_cache.h"

#include "base/error.h"

namespace syncline::models {

ZCache::ZCache(std::uint32_t sets, std::uint32_t ways)
    : tags_(sets, ways, Replacement::lru, base::Random(0), TagArray::Holds::data_only),
      locked_(tags_.size()),
      dirty_(tags_.size()) {}

ZCache::Found ZCache::probe(base::LineAddress line, std::uint64_t number) const {
  const Index block = tags_.find(tags_.set_of(number), line);
  if (block == nowhere) return {Probe::miss, nowhere};
  return {locked_[block] ? Probe::locked : Probe::hit, block};
}

ZCache::Allocated ZCache::allocate(base::LineAddress line, std::uint64_t number) {
  const std::uint32_t set = tags_.set_of(number);
  Allocated allocated{tags_.find_free(set)};
  for (std::uint32_t rank = 0; allocated.block == nowhere && rank < tags_.ways(); ++rank) {
    const Index victim = tags_.victim(set, rank);
    if (locked_[victim]) continue;
    if (dirty_[victim]) allocated.write_back = Victim{tags_.line(victim), &tags_.data(victim)};
    tags_.release(victim);
    allocated.block = victim;
  }
  if (allocated.block == nowhere) return allocated;
  tags_.claim(allocated.block, line);
  dirty_[allocated.block] = false;
  lock(allocated.block);
  return allocated;
}

void ZCache::lock(Index block) {
  if (locked_[block]) throw base::ModelError("a block of a Z-cache is locked twice");
  locked_[block] = true;
  ++locked_count_;
  tags_.touch(block);
}

void ZCache::unlock(Index block) {
  if (!locked_[block]) throw base::ModelError("a block of a Z-cache is unlocked that is not locked");
  locked_[block] = false;
  --locked_count_;
}

void ZCache::clear() {
  if (locked_count_ != 0) throw base::ModelError("a Z-cache is cleared while comparisons are under way");
  for (Index block = 0; block < tags_.size(); ++block) {
    if (tags_.used(block)) tags_.release(block);
  }
}

}  // namespace syncline::models
