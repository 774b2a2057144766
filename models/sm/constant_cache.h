// The constant cache of an SM: read-only lines of .const variables (and of the lines that hold them), with their bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/line_data.h"

namespace syncline::models {

class ConstantCache {
 public:
  ConstantCache(std::uint64_t bytes, unsigned ways, unsigned line_bytes);

  /// The bytes of a line, which becomes the most recently used of its set; null when it is not there.
  const base::LineData* find(base::LineAddress line);
  void fill(base::LineAddress line, const base::LineData& data);  ///< replaces the least recently used line of the set
  void invalidate();

 private:
  struct Way {
    base::LineAddress line;
    std::uint64_t used = 0;  ///< 0: empty
    base::LineData data{};
  };
  Way* set_of(base::LineAddress line);
  unsigned line_bytes_, ways_, sets_;
  std::vector<Way> storage_;
  std::uint64_t uses_ = 0;
};

}  // namespace syncline::models
