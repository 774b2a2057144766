#include <algorithm>
#include <cmath>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

/// One V-cycle from `level` to the coarsest one, on the device or the CPU.
template <class Machine>
void v_cycle(Machine& machine, std::size_t level) {
  for (int step = 0; step < 2; ++step) machine.smooth(level);
  if (level + 1 < machine.levels()) {
    machine.coarsen(level);
    v_cycle(machine, level + 1);
    machine.refine(level);
  }
  for (int step = 0; step < 2; ++step) machine.smooth(level);
}

std::size_t with_border(std::size_t side) {
  return (side + 2) * (side + 2) * (side + 2);
}

/// On the CPU: cells give to others instead of gathering; seen from a cell that receives, the order is the kernel's.
class Host {
 public:
  struct Grid {
    std::size_t side;
    std::vector<float> u;
    std::vector<float> f;
    /// Calls `visit(x, y, z)` for the cells inside the border, x first.
    template <class Visit>
    void each(Visit visit) const {
      for (std::size_t z = 1; z <= side; ++z)
        for (std::size_t y = 1; y <= side; ++y)
          for (std::size_t x = 1; x <= side; ++x) visit(x, y, z);
    }
    std::size_t at(std::size_t x, std::size_t y, std::size_t z) const { return (z * (side + 2) + y) * (side + 2) + x; }
    std::vector<float> residual() const {
      std::vector<float> left(u.size());
      const std::size_t row = side + 2;
      each([&](std::size_t x, std::size_t y, std::size_t z) {
        const std::size_t i = at(x, y, z);
        const float around =
            ((u[i - 1] + u[i + 1]) + (u[i - row] + u[i + row])) + (u[i - row * row] + u[i + row * row]);
        left[i] = std::fma(-6.0F, u[i], around + f[i]);
      });
      return left;
    }
  };

  explicit Host(std::size_t side) {
    for (; side > 0; side /= 2) grids_.push_back({side, std::vector<float>(with_border(side)), {}});
  }
  std::size_t levels() const { return grids_.size(); }
  Grid& finest() { return grids_.front(); }
  void smooth(std::size_t level) {
    Grid& grid = grids_[level];
    const std::vector<float> left = grid.residual();
    for (std::size_t i = 0; i < left.size(); ++i) grid.u[i] = std::fma(1.0F / 7, left[i], grid.u[i]);
  }
  void coarsen(std::size_t level) {
    const std::vector<float> left = grids_[level].residual();
    Grid& coarse = grids_[level + 1];
    coarse.u.assign(coarse.u.size(), 0);
    coarse.f.assign(coarse.u.size(), 0);
    pairs(level, [&](std::size_t fine, std::size_t to, float weight) {
      coarse.f[to] = std::fma(weight / 2, left[fine], coarse.f[to]);
    });
  }
  void refine(std::size_t level) {
    Grid& grid = grids_[level];
    pairs(level, [&](std::size_t fine, std::size_t from, float weight) {
      grid.u[fine] = std::fma(weight, grids_[level + 1].u[from], grid.u[fine]);
    });
  }

 private:
  /// Calls `visit(fine, coarse, weight)` for the cells of two levels that have to do with each other: fine cells in
  /// order, and the coarse ones of each. Sums of a coarse cell see its fine cells in order, too.
  template <class Visit>
  void pairs(std::size_t level, Visit visit) const {
    const Grid& coarse = grids_[level + 1];
    grids_[level].each([&](std::size_t x, std::size_t y, std::size_t z) {
      const std::size_t fine = grids_[level].at(x, y, z);
      const float weight = std::ldexp(1.0F, -static_cast<int>(x % 2 + y % 2 + z % 2));
      for (std::size_t to_z = z / 2; 2 * to_z <= z + 1; ++to_z)
        for (std::size_t to_y = y / 2; 2 * to_y <= y + 1; ++to_y)
          for (std::size_t to_x = x / 2; 2 * to_x <= x + 1; ++to_x)
            if (std::min({to_x, to_y, to_z}) > 0 && std::max({to_x, to_y, to_z}) <= coarse.side)
              visit(fine, coarse.at(to_x, to_y, to_z), weight);
    });
  }

  std::vector<Grid> grids_;
};

class Gpu {
 public:
  Gpu(const Context& context, std::uint32_t side, const std::vector<float>& f) : program_(context) {
    for (; side > 0; side /= 2) {
      const auto make = [&] { return program_.allocate<float>(with_border(side)); };
      grids_.push_back({side, make(), make(), grids_.empty() ? program_.upload(f) : make()});
    }
  }
  std::size_t levels() const { return grids_.size(); }
  void smooth(std::size_t level) {
    Grid& grid = grids_[level];
    program_.launch("multigrid_smooth", extents(grid), grid.u, grid.f, grid.spare, grid.side);
    std::swap(grid.u, grid.spare);
  }
  void coarsen(std::size_t level) {
    const Grid& fine = grids_[level];
    const Grid& coarse = grids_[level + 1];
    program_.launch("multigrid_residual", extents(fine), fine.u, fine.f, fine.spare, fine.side);
    program_.launch("multigrid_restrict", extents(coarse), fine.spare, coarse.f, coarse.u, fine.side, coarse.side);
  }
  void refine(std::size_t level) {
    const Grid& fine = grids_[level];
    program_.launch("multigrid_prolong", extents(fine), grids_[level + 1].u, fine.u, grids_[level + 1].side, fine.side);
  }
  std::vector<float> solution() { return program_.download<float>(grids_[0].u, with_border(grids_[0].side)); }

 private:
  struct Grid {
    std::uint32_t side;
    DevicePointer u;
    DevicePointer spare;
    DevicePointer f;
  };
  static Launch extents(const Grid& grid) { return covering(std::size_t{grid.side} * grid.side * grid.side, 128); }

  Program program_;
  std::vector<Grid> grids_;
};

}  // namespace

Verdict run_multigrid(const Context& context) {
  const std::uint32_t side = by_size(context.size, 15U, 63U, 127U);
  constexpr int cycles = 2;
  Host host(side);
  const std::vector<float> right =
      random_reals(context.seed, "multigrid.right", std::size_t{side} * side * side, -1, 1);
  host.finest().f.resize(with_border(side));
  auto next = right.begin();
  host.finest().each(
      [&](std::size_t x, std::size_t y, std::size_t z) { host.finest().f[host.finest().at(x, y, z)] = *next++; });

  Gpu gpu(context, side, host.finest().f);
  for (int cycle = 0; cycle < cycles; ++cycle) {
    v_cycle(gpu, 0);
    v_cycle(host, 0);
  }
  // What both do is a multigrid method: damping alone would leave most of it.
  const auto largest = [](const std::vector<float>& values) {
    return std::fabs(
        *std::max_element(values.begin(), values.end(), [](float a, float b) { return std::fabs(a) < std::fabs(b); }));
  };
  const float part = largest(host.finest().residual()) / largest(right);
  std::string detail = "the residual is " + std::to_string(part) + " of what it was";
  return all_of({compare_exact("u", gpu.solution(), host.finest().u), {part < 0.1F, std::move(detail)}});
}

}  // namespace syncline::workloads
