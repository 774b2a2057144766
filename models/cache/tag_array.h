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
    const std::uint64_t mark = each_byte * mark_of(line);
    for (Index group = 0; group < mark_words_; ++group) {
      for (std::uint64_t same = zero_bytes(marks(set, group) ^ mark); same != 0; same &= same - 1) {
        const Index i = frame_at(set, group, same);
        if (tags_[i] == line.value()) return i;
      }
    }
    return nowhere;
  }
  Index find_free(std::uint32_t set) const {
    for (Index group = 0; group < mark_words_; ++group) {
      if (const std::uint64_t free = zero_bytes(marks(set, group)); free != 0) return frame_at(set, group, free);
    }
    return nowhere;
  }
  /// The `rank`-th best victim of a full set (0 .. ways-1). Each rank names another frame as long as nothing is
  /// touched.
  Index victim(std::uint32_t set, std::uint32_t rank);

  void claim(Index frame, base::LineAddress line);
  void release(Index frame) {
    tags_[frame] = free_tag;
    mark(frame, free_mark);
  }
  void touch(Index frame) {
    if (replacement_ == Replacement::lru) stamps_[frame] = ++clock_;
  }

  /// Lets the host fetch what a look-up reads of a set, of a frame, of its data.
  void prefetch(std::uint32_t set) const {
    __builtin_prefetch(&marks_[set * mark_words_]);
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
  static constexpr std::uint64_t each_byte = 0x0101010101010101;
  static constexpr std::uint8_t free_mark = 0, no_frame = 255;  // marks of lines are neither

  static std::uint8_t mark_of(base::LineAddress line) {
    const std::uint64_t mixed = (line.value() * 0x9e3779b97f4a7c15) >> 32;
    return static_cast<std::uint8_t>(1 + (mixed * 254 >> 32));
  }
  /// The highest bit of each byte that is 0.
  static std::uint64_t zero_bytes(std::uint64_t word) {
    constexpr std::uint64_t low = each_byte * 0x7f;
    return ~(((word & low) + low) | word | low);
  }
  std::uint64_t marks(std::uint32_t set, Index group) const { return marks_[set * mark_words_ + group]; }
  Index frame_at(std::uint32_t set, Index group, std::uint64_t bits) const {
    return set * ways_ + group * 8 + static_cast<Index>(__builtin_ctzll(bits)) / 8;
  }
  void mark(Index frame, std::uint8_t mark) {
    const Index set = frame / ways_, way = frame % ways_, shift = way % 8 * 8;
    std::uint64_t& word = marks_[set * mark_words_ + way / 8];
    word = (word & ~(std::uint64_t{0xff} << shift)) | std::uint64_t{mark} << shift;
  }

  std::uint32_t sets_, ways_;
  bool pow2_;
  Replacement replacement_;
  base::Random random_;
  std::uint64_t clock_ = 0;
  /// The tags of eight ways fill a line of the host's cache, and lie in one.
  using PerFrame = std::vector<std::uint64_t, boost::alignment::aligned_allocator<std::uint64_t, 64>>;
  PerFrame tags_;
  /// A byte for each tag, eight ways in a word, by which nearly all others are told from the one that is looked for.
  Index mark_words_;  ///< of a set
  PerFrame marks_;
  PerFrame stamps_;  ///< order of last use (lru) or of arrival (fifo)
  std::vector<Frame> frames_;
  std::vector<base::LineData> data_;
  std::vector<Index> order_;  ///< scratch of victim()
};

}  // namespace syncline::models
