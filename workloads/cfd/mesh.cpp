#include "workloads/cfd/mesh.h"

#include <array>
#include <cmath>

#include "workloads/common/inputs.h"

namespace syncline::workloads::cfd {
namespace {

struct Point {
  double x, y;
};

/// The plane of the sheet: two orthogonal directions of length 1 in space.
constexpr std::array<double, 3> along{0.8, 0.0, 0.6};
constexpr std::array<double, 3> across{0.36, 0.8, -0.48};

}  // namespace

Mesh random_mesh(std::uint64_t seed, std::uint32_t columns, std::uint32_t rows) {
  base::Random random(seed, "cfd.corners");
  std::vector<Point> corners;
  for (std::uint32_t row = 0; row <= rows; ++row)
    for (std::uint32_t column = 0; column <= columns; ++column)
      corners.push_back({column + 0.3 * (random.unit() - 0.5), row + 0.3 * (random.unit() - 0.5)});
  const auto corner = [&](std::uint32_t column, std::uint32_t row) { return corners[row * (columns + 1) + column]; };

  Mesh mesh;
  mesh.cells = columns * rows;
  mesh.areas.resize(mesh.cells);
  mesh.neighbours.resize(std::size_t{faces} * mesh.cells);
  mesh.normals.resize(std::size_t{3} * faces * mesh.cells);
  const std::vector<std::uint32_t> number = random_permutation(seed, "cfd.numbering", mesh.cells);
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t column = 0; column < columns; ++column) {
      const std::uint32_t cell = number[row * columns + column];
      const auto cell_at = [&](std::uint32_t x, std::uint32_t y) {
        return static_cast<std::int32_t>(number[y * columns + x]);
      };
      // Counter-clockwise from the lower left corner: faces below, right, above, left.
      const std::array<Point, 4> ring{corner(column, row), corner(column + 1, row), corner(column + 1, row + 1),
                                      corner(column, row + 1)};
      const std::array<std::int32_t, 4> beside{
          row > 0 ? cell_at(column, row - 1) : wall, column + 1 < columns ? cell_at(column + 1, row) : open_air,
          row + 1 < rows ? cell_at(column, row + 1) : open_air, column > 0 ? cell_at(column - 1, row) : open_air};
      double twice_area = 0;
      for (std::uint32_t face = 0; face < faces; ++face) {
        const Point from = ring[face];
        const Point to = ring[(face + 1) % 4];
        twice_area += from.x * to.y - to.x * from.y;
        mesh.neighbours[face * mesh.cells + cell] = beside[face];
        for (std::uint32_t axis = 0; axis < 3; ++axis)
          mesh.normals[(face * 3 + axis) * mesh.cells + cell] =
              static_cast<float>((to.y - from.y) * along[axis] - (to.x - from.x) * across[axis]);
      }
      mesh.areas[cell] = static_cast<float>(twice_area / 2);
    }
  return mesh;
}

}  // namespace syncline::workloads::cfd
