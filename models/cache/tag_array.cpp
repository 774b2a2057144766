#include "models/cache/tag_array.h"

#include <algorithm>

namespace syncline::models {

TagArray::TagArray(std::uint32_t sets, std::uint32_t ways, Replacement replacement, base::Random random, Holds holds)
    : sets_(sets),
      ways_(ways),
      pow2_((sets & (sets - 1)) == 0),
      replacement_(replacement),
      random_(random),
      tags_(std::size_t{sets} * ways, free_tag),
      mark_words_((ways + 7) / 8),
      marks_(std::size_t{sets} * mark_words_),
      stamps_(tags_.size()),
      frames_(holds == Holds::all || holds == Holds::metadata_only ? tags_.size() : 0),
      data_(holds == Holds::all || holds == Holds::data_only ? tags_.size() : 0),
      order_(ways) {
  for (std::uint32_t set = 0; set < sets; ++set) {
    for (Index way = ways; way < mark_words_ * 8; ++way)
      marks_[set * mark_words_ + way / 8] |= std::uint64_t{no_frame} << way % 8 * 8;
  }
}

Index TagArray::victim(std::uint32_t set, std::uint32_t rank) {
  const Index first = set * ways_;
  if (rank == 0) {
    if (replacement_ != Replacement::random) {  // the common case needs no sort
      Index best = first;
      for (Index i = first + 1; i < first + ways_; ++i) {
        if (stamps_[i] < stamps_[best]) best = i;
      }
      return best;
    }
    for (Index i = 0; i < ways_; ++i) order_[i] = first + i;
    for (Index i = ways_; i > 1; --i) std::swap(order_[i - 1], order_[random_.below(i)]);
    return order_[0];
  }
  if (replacement_ != Replacement::random && rank == 1) {
    for (Index i = 0; i < ways_; ++i) order_[i] = first + i;
    std::sort(order_.begin(), order_.end(), [this](Index a, Index b) { return stamps_[a] < stamps_[b]; });
  }
  return order_[rank];
}

void TagArray::claim(Index frame, base::LineAddress line) {
  tags_[frame] = line.value();
  mark(frame, mark_of(line));
  stamps_[frame] = ++clock_;
  if (frames_.empty()) return;
  Frame& f = frames_[frame];
  f.meta = {};
  f.valid = {};
  f.dirty = {};
  f.entry = nowhere;
}

}  // namespace syncline::models
