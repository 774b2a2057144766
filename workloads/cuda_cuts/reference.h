// Minimum cuts of grids on the CPU, by Boost's maximum flow.
#pragma once

#include <cstdint>
#include <vector>

namespace syncline::workloads::cuda_cuts {

constexpr unsigned directions = 4;  ///< left, right, up, down; an odd one is opposite to the one before it

/// A graph of pixels in rows between a source and a sink. Room of edges: whole numbers that are not negative.
struct Grid {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::int32_t> from_source;  ///< by pixel
  std::vector<std::int32_t> to_sink;      ///< by pixel
  std::vector<std::int32_t> room;  ///< of edges to neighbours: all to the left by pixel, then all to the right, ...

  std::uint32_t pixels() const { return width * height; }
  std::size_t edge(std::uint32_t pixel, unsigned direction) const { return std::size_t{direction} * pixels() + pixel; }
  /// Whether the pixel has a neighbour there.
  bool has(std::uint32_t pixel, unsigned direction) const;
  std::uint32_t neighbour(std::uint32_t pixel, unsigned direction) const;
};

struct Cut {
  std::int64_t flow = 0;  ///< the greatest, and the least room of edges that part source and sink
  /// By pixel, 1 where it is on the source's side of the minimum cut with the smallest sink's side; that is one of all.
  std::vector<std::uint32_t> object;
};
Cut minimum_cut(const Grid& grid);

}  // namespace syncline::workloads::cuda_cuts
