// A stretch of bytes, line by line: for readers and writers that take no time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/ids.h"

namespace syncline::models {

/// Calls `part(line, offset, position, count)` for each line that [address, address + bytes) touches, until one fails.
template <class Part>
bool by_lines(std::uint64_t address, std::size_t bytes, unsigned line_bytes, Part&& part) {
  for (std::size_t position = 0; position < bytes;) {
    const auto offset = static_cast<unsigned>((address + position) % line_bytes);
    const auto count = static_cast<unsigned>(std::min<std::size_t>(line_bytes - offset, bytes - position));
    if (!part(base::LineAddress(address + position - offset), offset, position, count)) return false;
    position += count;
  }
  return true;
}

}  // namespace syncline::models
