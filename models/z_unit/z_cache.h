// The cache of depths, whose blocks can be locked.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/line_data.h"
#include "models/cache/tag_array.h"

namespace syncline::models {

/// Set-associative, LRU, write-back. A block is locked from the probe of a request to its comparison: nobody else reads
/// it, and it is never evicted (GPUDet thesis 4.4.3).
class ZCache {
 public:
  ZCache(std::uint32_t sets, std::uint32_t ways);

  enum class Probe : std::uint8_t { hit, locked, miss };
  struct Found {
    Probe probe;
    Index block;  ///< nowhere on a miss
  };
  /// `number`: of the line in its partition; chooses the set.
  Found probe(base::LineAddress line, std::uint64_t number) const;
  bool same_set(std::uint64_t number, std::uint64_t other) const { return tags_.set_of(number) == tags_.set_of(other); }

  struct Victim {
    base::LineAddress line;
    const base::LineData* data;  ///< until the block's data is written
  };
  struct Allocated {
    Index block;                         ///< locked; nowhere when all blocks of the set are locked
    std::optional<Victim> write_back{};  ///< what left for it and has changed
  };
  /// A block for `line`, which is not cached.
  Allocated allocate(base::LineAddress line, std::uint64_t number);

  void lock(Index block);
  void unlock(Index block);
  base::LineData& data(Index block) { return tags_.data(block); }
  void mark_dirty(Index block) { dirty_[block] = true; }
  /// Forgets all blocks, changed or not. None may be locked.
  void clear();

  unsigned locked() const { return locked_count_; }

 private:
  TagArray tags_;
  std::vector<bool> locked_, dirty_;
  unsigned locked_count_ = 0;
};

}  // namespace syncline::models
