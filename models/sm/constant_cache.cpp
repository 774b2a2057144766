#include "models/sm/constant_cache.h"

#include <algorithm>

namespace syncline::models {

ConstantCache::ConstantCache(std::uint64_t bytes, unsigned ways, unsigned line_bytes)
    : line_bytes_(line_bytes),
      ways_(static_cast<unsigned>(std::min<std::uint64_t>(ways, std::max<std::uint64_t>(1, bytes / line_bytes)))),
      sets_(static_cast<unsigned>(std::max<std::uint64_t>(1, bytes / line_bytes / ways_))),
      storage_(std::size_t{ways_} * sets_) {}

ConstantCache::Way* ConstantCache::set_of(base::LineAddress line) {
  return &storage_[line.value() / line_bytes_ % sets_ * ways_];
}

const base::LineData* ConstantCache::find(base::LineAddress line) {
  Way* const set = set_of(line);
  for (unsigned way = 0; way < ways_; ++way) {
    if (set[way].used != 0 && set[way].line == line) {
      set[way].used = ++uses_;
      return &set[way].data;
    }
  }
  return nullptr;
}

void ConstantCache::fill(base::LineAddress line, const base::LineData& data) {
  Way* const set = set_of(line);
  Way* victim = set;
  for (unsigned way = 0; way < ways_; ++way) {
    if (set[way].used != 0 && set[way].line == line) {
      victim = &set[way];
      break;
    }
    if (set[way].used < victim->used) victim = &set[way];
  }
  *victim = {line, ++uses_, data};
}

void ConstantCache::invalidate() {
  for (Way& way : storage_) way.used = 0;
}

}  // namespace syncline::models
