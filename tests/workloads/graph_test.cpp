#include "workloads/common/graph.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "workloads/cfd/mesh.h"
#include "workloads/common/inputs.h"

namespace syncline::workloads {
namespace {

/// Bellman and Ford's relaxation until nothing changes: no queue, no order.
std::vector<std::int32_t> distances_by_relaxation(const CsrGraph& graph, std::uint32_t source) {
  constexpr std::int32_t far = 1 << 28;
  std::vector<std::int32_t> distance(graph.nodes(), far);
  distance[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t node = 0; node < graph.nodes(); ++node)
      for (std::uint32_t edge = graph.row_start[node]; edge < graph.row_start[node + 1]; ++edge)
        if (distance[node] + 1 < distance[graph.neighbours[edge]])
          distance[graph.neighbours[edge]] = distance[node] + 1, changed = true;
  }
  for (auto& d : distance)
    if (d == far) d = -1;
  return distance;
}

RC_GTEST_PROP(Graph, DistancesAgreeWithRelaxation, ()) {
  const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 80);
  const CsrGraph graph = random_graph(*rc::gen::arbitrary<std::uint64_t>(), "graph", nodes, 3);
  const auto source = *rc::gen::inRange<std::uint32_t>(0, nodes);
  RC_ASSERT(shortest_distances(graph, source) == distances_by_relaxation(graph, source));
}

RC_GTEST_PROP(Graph, HasTheDegreesAskedFor, ()) {
  const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 200);
  const auto most = *rc::gen::inRange<std::uint32_t>(1, 12);
  const CsrGraph graph = random_graph(*rc::gen::arbitrary<std::uint64_t>(), "graph", nodes, most);
  RC_ASSERT(graph.nodes() == nodes);
  RC_ASSERT(graph.row_start.back() == graph.neighbours.size());
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const std::uint32_t degree = graph.row_start[node + 1] - graph.row_start[node];
    RC_ASSERT(degree >= 1U && degree <= most);
  }
  for (const std::uint32_t neighbour : graph.neighbours) RC_ASSERT(neighbour < nodes);
}

RC_GTEST_PROP(Graph, RoadsLeadBothWays, ()) {
  const auto rows = *rc::gen::inRange<std::uint32_t>(1, 12);
  const auto columns = *rc::gen::inRange<std::uint32_t>(1, 12);
  const std::vector<Road> roads = road_map(*rc::gen::arbitrary<std::uint64_t>(), "roads", rows, columns);
  const RoadGraph map = both_ways(rows * columns, roads);
  RC_ASSERT(map.graph.nodes() == rows * columns);
  RC_ASSERT(map.graph.row_start.back() == 2 * roads.size());
  using Way = std::array<std::uint32_t, 3>;  // from, to, length
  std::vector<Way> asked;
  for (const Road& road : roads) {
    RC_ASSERT(road.from < map.graph.nodes() && road.to < map.graph.nodes() && road.from != road.to);
    RC_ASSERT(road.length >= 1U && road.length <= 1000U);
    asked.push_back({road.from, road.to, road.length});
    asked.push_back({road.to, road.from, road.length});
  }
  std::vector<Way> found;
  for (std::uint32_t node = 0; node < map.graph.nodes(); ++node)
    for (std::uint32_t edge = map.graph.row_start[node]; edge < map.graph.row_start[node + 1]; ++edge)
      found.push_back({node, map.graph.neighbours[edge], map.lengths[edge]});
  std::sort(asked.begin(), asked.end());
  std::sort(found.begin(), found.end());
  RC_ASSERT(found == asked);
}

RC_GTEST_PROP(Inputs, PermutationsHoldEveryNumberOnce, ()) {
  const auto count = *rc::gen::inRange<std::uint32_t>(0, 500);
  std::vector<std::uint32_t> order = random_permutation(*rc::gen::arbitrary<std::uint64_t>(), "order", count);
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> expected(count);
  std::iota(expected.begin(), expected.end(), 0U);
  RC_ASSERT(order == expected);
}

TEST(Inputs, StayInTheirRangeAndFollowSeedAndStream) {
  const std::vector<float> reals = random_reals(3, "a", 1000, -2, 5);
  EXPECT_GE(*std::min_element(reals.begin(), reals.end()), -2);
  EXPECT_LE(*std::max_element(reals.begin(), reals.end()), 5);
  EXPECT_EQ(reals, random_reals(3, "a", 1000, -2, 5));
  EXPECT_NE(reals, random_reals(4, "a", 1000, -2, 5));
  EXPECT_NE(reals, random_reals(3, "b", 1000, -2, 5));
  const std::vector<int> integers = random_integers<int>(3, "a", 1000, 7);
  EXPECT_EQ(*std::min_element(integers.begin(), integers.end()), 0);
  EXPECT_EQ(*std::max_element(integers.begin(), integers.end()), 6);
}

TEST(Mesh, CellsAreClosedAndNeighboursAgreeOnTheirFace) {
  const cfd::Mesh mesh = cfd::random_mesh(5, 9, 7);
  const auto normal = [&](std::uint32_t cell, std::uint32_t face, std::uint32_t axis) {
    return mesh.normals[(face * 3 + axis) * mesh.cells + cell];
  };
  std::size_t walls = 0;
  std::size_t open = 0;
  for (std::uint32_t cell = 0; cell < mesh.cells; ++cell) {
    EXPECT_GT(mesh.areas[cell], 0);
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(normal(cell, 0, axis) + normal(cell, 1, axis) + normal(cell, 2, axis) + normal(cell, 3, axis), 0,
                  1e-6);
    for (std::uint32_t face = 0; face < cfd::faces; ++face) {
      const std::int32_t beside = mesh.neighbours[face * mesh.cells + cell];
      walls += beside == cfd::wall;
      open += beside == cfd::open_air;
      if (beside < 0) continue;
      const std::uint32_t opposite = (face + 2) % 4;
      EXPECT_EQ(mesh.neighbours[opposite * mesh.cells + static_cast<std::uint32_t>(beside)],
                static_cast<std::int32_t>(cell));
      for (std::uint32_t axis = 0; axis < 3; ++axis)
        EXPECT_FLOAT_EQ(normal(cell, face, axis), -normal(static_cast<std::uint32_t>(beside), opposite, axis));
    }
  }
  EXPECT_EQ(walls, 9U);
  EXPECT_EQ(open, 9U + 7 + 7);
}

}  // namespace
}  // namespace syncline::workloads
