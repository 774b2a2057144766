// Who has copies of lines, where all else about a line is kept beside its data.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/random.h"
#include "models/cache/tag_array.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::models {

/// A directory whose geometry says `of_sharers` (protocols::DirectoryGeometry): a line may be here without an entry,
/// and have an entry without being here. An entry may be of several lines, neighbours in the address space, which have
/// one set of sharers.
class SharerDirectory {
 public:
  SharerDirectory(const protocols::DirectoryGeometry& geometry, unsigned line_bytes, Replacement replacement,
                  base::Random random)
      : tags_(geometry.sets, geometry.ways, replacement, random, TagArray::Holds::tags_only),
        sharers_(tags_.size()),
        lines_(geometry.lines),
        line_bytes_(line_bytes) {}

  std::uint32_t lines() const { return lines_; }
  base::LineAddress first(base::LineAddress line) const {
    return base::LineAddress(line.value() & ~(std::uint64_t{lines_} * line_bytes_ - 1));
  }
  base::LineAddress line(base::LineAddress first, std::uint32_t place) const {
    return base::LineAddress(first.value() + std::uint64_t{place} * line_bytes_);
  }

  /// `number`: of the line among those of this cache, without gaps.
  std::uint32_t set_of(std::uint64_t number) const { return tags_.set_of(number / lines_); }
  Index find(std::uint64_t number, base::LineAddress line) const { return tags_.find(set_of(number), first(line)); }
  /// There has to be room in its set.
  Index claim(std::uint64_t number, base::LineAddress line) {
    const Index entry = tags_.find_free(set_of(number));
    tags_.claim(entry, first(line));
    sharers_[entry].clear();
    return entry;
  }
  void release(Index entry) {
    tags_.release(entry);
    sharers_[entry].clear();
  }
  protocols::NodeSet& sharers(Index entry) { return sharers_[entry]; }
  const protocols::NodeSet& sharers(Index entry) const { return sharers_[entry]; }
  TagArray& tags() { return tags_; }
  const TagArray& tags() const { return tags_; }

 private:
  TagArray tags_;
  std::vector<protocols::NodeSet> sharers_;  ///< by entry
  std::uint32_t lines_;
  unsigned line_bytes_;
};

}  // namespace syncline::models
