// An unstructured mesh of quadrilaterals for the Euler solver: a bent sheet in space whose cells are numbered at
// random.
#pragma once

#include <cstdint>
#include <vector>

namespace syncline::workloads::cfd {

constexpr std::uint32_t faces = 4;
/// Neighbours that are no cell.
constexpr std::int32_t wall = -1;
constexpr std::int32_t open_air = -2;

/// Arrays as the kernels read them: element [face * cells + cell], normals [(face * 3 + axis) * cells + cell]. A normal
/// points out of its cell and is as long as the face; the four normals of a cell sum to zero.
struct Mesh {
  std::uint32_t cells = 0;
  std::vector<float> areas;
  std::vector<std::int32_t> neighbours;
  std::vector<float> normals;
};

/// `columns` x `rows` cells with shifted corners; the lowest row stands on a wall, the other edges face open air.
Mesh random_mesh(std::uint64_t seed, std::uint32_t columns, std::uint32_t rows);

}  // namespace syncline::workloads::cfd
