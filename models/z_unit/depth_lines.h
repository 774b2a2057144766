// Where the depths of a line of data lie, and what a comparison does to them.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/line_data.h"
#include "models/partition/home_map.h"

namespace syncline::models {

/// A depth is 32 bits and belongs to a granule of 1, 2 or 4 bytes of data. The depths of a partition's data lie in the
/// same partition (GPUDet thesis 4.4.2, "co-locates both depth and data"), bound by address alone (4.4.3): from the
/// local address `base` on, in the order of the data. A line of data has 4 / granule lines of depths, its parts.
///
/// The farthest depth has all bits set.
class DepthLines {
 public:
  static constexpr unsigned depth_bytes = 4;
  static constexpr std::uint8_t farthest_byte = 0xff;  ///< each byte of the farthest depth

  /// `base`: address within the partition (HomeMap::local), a multiple of `line_bytes`.
  DepthLines(const HomeMap& homes, const NodeId& home, unsigned line_bytes, unsigned granule, std::uint64_t base);

  unsigned parts() const { return depth_bytes / granule_; }
  unsigned line_bytes() const { return line_bytes_; }
  /// Bytes of depths for each byte of data.
  static constexpr std::uint64_t expansion(unsigned granule) { return depth_bytes / granule; }

  /// Device address of the line of depths of part `part` of `line`, and its number within the partition.
  base::LineAddress address(base::LineAddress line, unsigned part) const;
  std::uint64_t number(base::LineAddress depth_line) const { return homes_.local(depth_line.value()) / line_bytes_; }
  /// Which of the lines of depths it is, from 0.
  std::uint64_t place(base::LineAddress depth_line) const { return number(depth_line) - base_ / line_bytes_; }
  /// Bit n: part n has bytes of `mask`.
  unsigned touched(const base::ByteMask& mask) const;

  struct Outcome {
    base::ByteMask written;      ///< bytes of data that are to be written
    unsigned won = 0, lost = 0;  ///< granules
  };
  /// One operation of the comparator: a granule that `mask` touches is written, as far as `mask` covers it, where
  /// `depth` is at most its depth in `depths`, which becomes `depth`. Nothing else changes.
  Outcome compare(unsigned part, const base::ByteMask& mask, std::uint32_t depth, base::LineData& depths) const;

 private:
  const HomeMap& homes_;
  NodeId home_;
  unsigned line_bytes_, granule_;
  std::uint64_t base_;
};

}  // namespace syncline::models
