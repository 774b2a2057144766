#include "models/z_unit/depth_lines.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"

namespace syncline::models {

DepthLines::DepthLines(const HomeMap& homes, const NodeId& home, unsigned line_bytes, unsigned granule,
                       std::uint64_t base)
    : homes_(homes), home_(home), line_bytes_(line_bytes), granule_(granule), base_(base) {
  if (granule != 1 && granule != 2 && granule != depth_bytes)
    throw base::UserError(fmt::format("`granule` must be 1, 2 or 4 bytes, not {}", granule));
  if (base % line_bytes != 0)
    throw base::UserError(
        fmt::format("depth memory begins at {:#x}, which is not a multiple of the line of {} B", base, line_bytes));
}

base::LineAddress DepthLines::address(base::LineAddress line, unsigned part) const {
  const std::uint64_t first = base_ + homes_.local(line.value()) * parts();
  return base::LineAddress(homes_.global(home_, first + std::uint64_t{part} * line_bytes_));
}

unsigned DepthLines::touched(const base::ByteMask& mask) const {
  const unsigned bytes = line_bytes_ / parts();
  unsigned touched = 0;
  for (unsigned part = 0; part < parts(); ++part) {
    if (base::ByteMask::range(part * bytes, bytes).overlaps(mask)) touched |= 1U << part;
  }
  return touched;
}

DepthLines::Outcome DepthLines::compare(unsigned part, const base::ByteMask& mask, std::uint32_t depth,
                                        base::LineData& depths) const {
  Outcome outcome;
  const unsigned first = part * (line_bytes_ / parts());
  const std::uint64_t lowest = (std::uint64_t{1} << granule_) - 1;
  for (unsigned n = 0; n < line_bytes_ / depth_bytes; ++n) {
    const unsigned byte = first + n * granule_;
    if ((mask.word(byte / 64) >> byte % 64 & lowest) == 0) continue;
    const base::ByteMask granule = base::ByteMask::range(byte, granule_) & mask;
    std::uint32_t stored = 0;
    std::memcpy(&stored, depths.data() + std::size_t{n} * depth_bytes, depth_bytes);
    if (depth > stored) {
      ++outcome.lost;
      continue;
    }
    std::memcpy(depths.data() + std::size_t{n} * depth_bytes, &depth, depth_bytes);
    outcome.written |= granule;
    ++outcome.won;
  }
  return outcome;
}

}  // namespace syncline::models
