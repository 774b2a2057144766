// Barnes and Hut's octree on the CPU, built from the top by dividing sets of bodies, and what is computed over it in
// double precision.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace syncline::workloads::barnes_hut {

struct Float4 {
  float x = 0, y = 0, z = 0;
  float w = 0;  ///< of a node: mass
};

struct Vector {
  double x = 0, y = 0, z = 0;
};

constexpr std::uint32_t empty = 0xFFFF'FFFF;

/// Children by octant (bit 0: x, bit 1: y, bit 2: z not below the centre): a body's number, the number of bodies plus a
/// cell's, or `empty`.
using Cell = std::array<std::uint32_t, 8>;

/// The octree whose root is the cube around the origin with half a width of the next power of two above the largest
/// coordinate, and whose leaves hold one body. The bodies differ in position.
struct Octree {
  std::uint32_t bodies = 0;
  double width = 0;         ///< of the root
  std::vector<Cell> cells;  ///< each before its children, these in the order of octants
};
Octree octree_of(const std::vector<Float4>& bodies);

/// The bodies in the order in which a walk through the octants meets them.
std::vector<std::uint32_t> leaves(const Octree& tree);

/// The cells of a tree that is reached from cell 0, renumbered in the order of `Octree::cells`. Where `children`, eight
/// a cell, is no tree, what is returned equals no octree.
struct Renumbered {
  std::vector<Cell> cells;
  std::vector<std::uint32_t> old_numbers;
};
Renumbered renumber(const std::vector<std::uint32_t>& children, std::uint32_t bodies);

/// Mass and centre of mass of a cell from its children's, and for each coordinate the sum of the magnitudes that it
/// adds up, divided by the mass.
struct Summary {
  double mass = 0;
  Vector centre;
  Vector magnitude;
  unsigned children = 0;
};
Summary summarize(const Cell& cell, const std::vector<Float4>& nodes);

/// When a cell is seen as one body, and how forces are softened.
struct Opening {
  float theta_squared = 0.25F;
  float softening_squared = 0.0025F;
};

/// Acceleration of a body. `tolerance` bounds the difference to a computation in single precision with an .approx
/// reciprocal square root, for each coordinate.
struct Acceleration {
  Vector value;
  double tolerance = 0;
};
/// Accelerations of a group of bodies in `tree`, whose nodes are the bodies and behind them the cells. A cell is opened
/// for all of the group when it is for one.
std::vector<Acceleration> accelerations_of(const std::vector<std::uint32_t>& group, const Octree& tree,
                                           const std::vector<Float4>& nodes, const Opening& opening);

}  // namespace syncline::workloads::barnes_hut
