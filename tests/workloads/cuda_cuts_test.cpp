// The CPU's minimum cuts of the segmentation against all cuts of small grids.
#include "workloads/cuda_cuts/reference.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace syncline::workloads::cuda_cuts {
namespace {

/// What the edges from the source's side (`object`: a set of bits) to the sink's side hold.
std::int64_t weight(const Grid& grid, std::uint32_t object) {
  std::int64_t sum = 0;
  const auto inside = [object](std::uint32_t pixel) { return (object >> pixel & 1U) != 0; };
  for (std::uint32_t pixel = 0; pixel < grid.pixels(); ++pixel) {
    sum += inside(pixel) ? grid.to_sink[pixel] : grid.from_source[pixel];
    for (unsigned direction = 0; direction < directions; ++direction)
      if (inside(pixel) && grid.has(pixel, direction) && !inside(grid.neighbour(pixel, direction)))
        sum += grid.room[grid.edge(pixel, direction)];
  }
  return sum;
}

Grid random_grid() {
  Grid grid;
  grid.width = *rc::gen::inRange(1U, 5U);
  grid.height = *rc::gen::inRange(1U, 4U);
  const auto some = [](std::size_t count) {
    return *rc::gen::container<std::vector<std::int32_t>>(count, rc::gen::inRange(0, 8));
  };
  grid.from_source = some(grid.pixels());
  grid.to_sink = some(grid.pixels());
  grid.room = some(std::size_t{directions} * grid.pixels());
  return grid;
}

RC_GTEST_PROP(CudaCuts, CutsWhereTheLeastIsHeldAndTheObjectIsLargest, ()) {
  const Grid grid = random_grid();
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::uint32_t largest = 0;  // the union of all minimum cuts' objects, which is that of one
  for (std::uint32_t object = 0; object < 1U << grid.pixels(); ++object) {
    const std::int64_t held = weight(grid, object);
    if (held < least) largest = 0;
    if (held <= least) largest |= object;
    least = std::min(least, held);
  }
  const Cut cut = minimum_cut(grid);
  RC_ASSERT(cut.flow == least);
  for (std::uint32_t pixel = 0; pixel < grid.pixels(); ++pixel) RC_ASSERT(cut.object[pixel] == (largest >> pixel & 1U));
}

TEST(CudaCuts, KnowsTheNeighboursOfPixels) {
  const Grid grid{3, 2, {}, {}, {}};
  const auto around = [&grid](std::uint32_t pixel) {
    std::vector<std::uint32_t> found;
    for (unsigned direction = 0; direction < directions; ++direction)
      if (grid.has(pixel, direction)) found.push_back(grid.neighbour(pixel, direction));
    return found;
  };
  EXPECT_EQ(around(0), (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(around(4), (std::vector<std::uint32_t>{3, 5, 1}));
  EXPECT_EQ(around(2), (std::vector<std::uint32_t>{1, 5}));
}

}  // namespace
}  // namespace syncline::workloads::cuda_cuts
