// The CPU side of barnes_hut against sums over all pairs, and its reading of what a device left.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "workloads/barnes_hut/reference.h"
#include "workloads/common/inputs.h"

namespace syncline::workloads::barnes_hut {
namespace {

std::vector<Float4> random_bodies(std::uint32_t count) {
  const std::vector<float> values = random_reals(3, "test.bodies", 4 * std::size_t{count}, -1, 1);
  std::vector<Float4> bodies;
  for (std::size_t i = 0; i < values.size(); i += 4)
    bodies.push_back({values[i], values[i + 1], values[i + 2], 1.5F + values[i + 3]});
  return bodies;
}

/// Bodies and behind them the cells, each with its centre of mass.
std::vector<Float4> nodes_of(const Octree& tree, const std::vector<Float4>& bodies) {
  std::vector<Float4> nodes = bodies;
  nodes.resize(bodies.size() + tree.cells.size());
  for (std::size_t cell = tree.cells.size(); cell-- > 0;) {
    const Summary s = summarize(tree.cells[cell], nodes);
    nodes[bodies.size() + cell] = {static_cast<float>(s.centre.x), static_cast<float>(s.centre.y),
                                   static_cast<float>(s.centre.z), static_cast<float>(s.mass)};
  }
  return nodes;
}

Vector over_all_pairs(std::uint32_t body, const std::vector<Float4>& bodies, double softening_squared) {
  Vector sum;
  for (const Float4& other : bodies) {
    const double x = double{other.x} - bodies[body].x, y = double{other.y} - bodies[body].y,
                 z = double{other.z} - bodies[body].z;
    const double factor = other.w * std::pow(x * x + y * y + z * z + softening_squared, -1.5);
    sum.x += factor * x, sum.y += factor * y, sum.z += factor * z;
  }
  return sum;
}

/// Largest difference to the sum over all pairs, relative to the largest acceleration.
double error(const std::vector<Float4>& bodies, const Opening& opening, std::size_t group_size) {
  const Octree tree = octree_of(bodies);
  const std::vector<Float4> nodes = nodes_of(tree, bodies);
  double largest = 0, difference = 0;
  for (std::uint32_t first = 0; first < bodies.size(); first += static_cast<std::uint32_t>(group_size)) {
    std::vector<std::uint32_t> group;
    for (std::size_t i = 0; i < group_size; ++i) group.push_back(first + static_cast<std::uint32_t>(i));
    const std::vector<Acceleration> got = accelerations_of(group, tree, nodes, opening);
    for (std::size_t i = 0; i < group_size; ++i) {
      const Vector a = got[i].value, b = over_all_pairs(group[i], bodies, opening.softening_squared);
      difference = std::max(difference, std::hypot(a.x - b.x, a.y - b.y, a.z - b.z));
      largest = std::max(largest, std::hypot(b.x, b.y, b.z));
    }
  }
  return difference / largest;
}

TEST(BarnesHut, SumsOverAllPairsWhenEveryCellIsOpened) {
  EXPECT_LT(error(random_bodies(64), {0, 0.0025F}, 1), 1e-12);
}

TEST(BarnesHut, ErrsLittleWhenFarCellsAreOneBodyAndLessWhenGroupsOpenThem) {
  const std::vector<Float4> bodies = random_bodies(512);
  const double alone = error(bodies, {}, 1), together = error(bodies, {}, 32);
  EXPECT_GT(alone, 1e-6);
  EXPECT_LT(alone, 0.02);
  EXPECT_LT(together, alone);
}

TEST(BarnesHut, PartsBodiesUntilTheyAreAlone) {
  // Around the origin in a root of width 4: two in the last octant, which part two levels further down.
  const std::vector<Float4> bodies{{1.1F, 1.1F, 1.1F, 1}, {1.6F, 1.1F, 1.1F, 1}, {-1, 1, 1, 1}};
  const Octree tree = octree_of(bodies);
  EXPECT_EQ(tree.width, 4);
  const Cell root{empty, empty, empty, empty, empty, empty, 2, 4},
      middle{empty, empty, empty, empty, empty, empty, empty, 5}, last{0, 1, empty, empty, empty, empty, empty, empty};
  EXPECT_EQ(tree.cells, (std::vector<Cell>{root, middle, last}));
  EXPECT_EQ(leaves(tree), (std::vector<std::uint32_t>{2, 0, 1}));
}

TEST(BarnesHut, RenumbersCellsThatWereAllocatedInAnyOrder) {
  const std::vector<Float4> bodies = random_bodies(100);
  const Octree tree = octree_of(bodies);
  const auto count = static_cast<std::uint32_t>(tree.cells.size());
  std::vector<std::uint32_t> number = random_permutation(5, "test.cells", count);
  std::swap(number[0], *std::find(number.begin(), number.end(), 0U));  // the root stays the first
  std::vector<std::uint32_t> children(std::size_t{8} * count);
  for (std::uint32_t cell = 0; cell < count; ++cell)
    for (std::size_t octant = 0; octant < 8; ++octant) {
      const std::uint32_t child = tree.cells[cell][octant];
      children[8 * number[cell] + octant] = child < 100 || child == empty ? child : 100 + number[child - 100];
    }
  const Renumbered got = renumber(children, 100);
  EXPECT_EQ(got.cells, tree.cells);
  EXPECT_EQ(got.old_numbers, number);
}

TEST(BarnesHut, ReadsNoTreeOutOfLoopsAndWildPointers) {
  std::vector<std::uint32_t> children(16, empty);
  for (const std::uint32_t wild : {2U, 9U, 0xFFFF'FFFEU}) {  // the root as its own child, no cell, locked
    children[3] = wild;
    const Renumbered got = renumber(children, 2);
    ASSERT_EQ(got.cells.size(), 1U);
    EXPECT_EQ(got.cells[0][3], 2U);
  }
}

}  // namespace
}  // namespace syncline::workloads::barnes_hut
