// Tags, data and replacement of a set-associative cache, or of a directory, which has no data. Knows nothing of
// coherence: a frame carries the machine's metadata as it would carry any other bits. A cache without metadata has
// none.
#pragma once

#include <boost/align/aligned_allocator.hpp>
#include <cstdint>
#include <vector>

#include "base/fields.h"
#include "base/ids.h"
#include "base/line_data.h"
#include "base/random.h"
#include "protocols/coherence/engine/meta.h"

namespace syncline::models {

enum class Replacement { lru, fifo, random };

inline const base::ChoiceTable<Replacement>& replacement_names() {
  static const base::ChoiceTable<Replacement> names{
      {"lru", Replacement::lru}, {"fifo", Replacement::fifo}, {"random", Replacement::random}};
  return names;
}

/// Index of a frame, miss register or handle; `nowhere` for none.
using Index = std::uint32_t;
inline constexpr Index nowhere = ~Index{0};

/// What each access reads stands in the first 64 bytes.
struct alignas(64) Frame {
  Index entry = nowhere;     ///< the line's miss register
  base::ByteMask valid;      ///< bytes of the line that the frame holds
  base::ByteMask dirty;      ///< bytes that the next level lacks
  protocols::LineMeta meta;  ///< while the line has no miss register (which keeps it otherwise)
};

class TagArray {
 public:
  enum class Holds : std::uint8_t { all, metadata_only, data_only, tags_only };
  /// `sets` need not be a power of two.
  TagArray(std::uint32_t sets, std::uint32_t ways, Replacement replacement, base::Random random,
           Holds holds = Holds::all);

  std::uint32_t set_of(std::uint64_t line_number) const {
    return static_cast<std::uint32_t>(pow2_ ? line_number & (sets_ - 1) : line_number % sets_);
  }
  Index find(std::uint32_t set, base::LineAddress line) const {
    const Index first = set * ways_;
    for (Index i = first; i < first + ways_; ++i) {
      if (tags_[i] == line.value()) return i;
    }
    return nowhere;
  }
  Index find_free(std::uint32_t set) const {
    const Index first = set * ways_;
    for (Index i = first; i < first + ways_; ++i) {
      if (tags_[i] == free_tag) return i;
    }
    return nowhere;
  }
  /// The `rank`-th best victim of a full set (0 .. ways-1). Each rank names another frame as long as nothing is
  /// touched.
  Index victim(std::uint32_t set, std::uint32_t rank);

  void claim(Index frame, base::LineAddress line);
  void release(Index frame) { tags_[frame] = free_tag; }
  void touch(Index frame) {
    if (replacement_ == Replacement::lru) stamps_[frame] = ++clock_;
  }

  /// Lets the host fetch what a look-up reads of a set, of a frame, of its data.
  void prefetch(std::uint32_t set) const {
    __builtin_prefetch(&tags_[set * ways_]);
    __builtin_prefetch(&stamps_[set * ways_]);
  }
  void prefetch_frame(Index frame) const { __builtin_prefetch(&frames_[frame]); }
  void prefetch_data(Index frame) const {
    __builtin_prefetch(data_[frame].data());
    __builtin_prefetch(data_[frame].data() + 64);
  }

  bool used(Index frame) const { return tags_[frame] != free_tag; }
  base::LineAddress line(Index frame) const { return base::LineAddress(tags_[frame]); }
  Frame& frame(Index index) { return frames_[index]; }
  const Frame& frame(Index index) const { return frames_[index]; }
  base::LineData& data(Index index) { return data_[index]; }
  const base::LineData& data(Index index) const { return data_[index]; }
  Index size() const { return static_cast<Index>(tags_.size()); }
  std::uint32_t ways() const { return ways_; }

 private:
  static constexpr std::uint64_t free_tag = ~std::uint64_t{0};  // no line address: lines are aligned
  std::uint32_t sets_, ways_;
  bool pow2_;
  Replacement replacement_;
  base::Random random_;
  std::uint64_t clock_ = 0;
  /// The tags of eight ways fill a line of the host's cache, and lie in one.
  using PerFrame = std::vector<std::uint64_t, boost::alignment::aligned_allocator<std::uint64_t, 64>>;
  PerFrame tags_;
  PerFrame stamps_;  ///< order of last use (lru) or of arrival (fifo)
  std::vector<Frame> frames_;
  std::vector<base::LineData> data_;
  std::vector<Index> order_;  ///< scratch of victim()
};

}  // namespace syncline::models
