#include <algorithm>

#include "base/random.h"
#include "workloads/barnes_hut/reference.h"
#include "workloads/common/compare.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

using namespace barnes_hut;

constexpr float time_step = 0.025F;

/// As it lies in memory; before a step the root is the only cell.
struct Tree {
  std::uint32_t extent = 0;
  std::uint32_t cells = 1;
  std::uint32_t overflow = 0;
};

/// Plummer's sphere (Aarseth, Henon and Wielen 1974, appendix), cut where a tenth of a percent of it lies outside.
std::vector<Float4> plummer_sphere(std::uint64_t seed, std::uint32_t count) {
  base::Random random(seed, "barnes_hut.bodies");
  std::vector<Float4> bodies;
  for (std::uint32_t i = 0; i < count; ++i) {
    const double radius = 1 / std::sqrt(std::pow(0.999 * random.unit() + 1e-9, -2.0 / 3) - 1);
    const double z = 2 * random.unit() - 1, angle = 6.283185307179586 * random.unit();
    const double across = radius * std::sqrt(1 - z * z);
    const double mass = (0.5 + random.unit()) / count;
    bodies.push_back({static_cast<float>(across * std::cos(angle)), static_cast<float>(across * std::sin(angle)),
                      static_cast<float>(radius * z), static_cast<float>(mass)});
  }
  return bodies;
}

std::vector<Float4> random_velocities(std::uint64_t seed, std::uint32_t count) {
  base::Random random(seed, "barnes_hut.velocities");
  std::vector<Float4> velocities(count);
  for (Float4& v : velocities)
    for (float* component : {&v.x, &v.y, &v.z}) *component = static_cast<float>(random.unit() - 0.5);
  return velocities;
}

/// What a step left in memory, and what it began with.
struct Step {
  Tree tree;
  std::vector<std::uint32_t> children;
  std::vector<std::uint32_t> order;
  std::vector<Float4> nodes;  ///< as the forces saw them
  std::vector<Float4> accelerations;
  std::vector<Float4> velocities_before, velocities_after, positions_after;
};

std::vector<float> coordinates(const std::vector<Float4>& vectors) {
  std::vector<float> all;
  for (const Float4& v : vectors) all.insert(all.end(), {v.x, v.y, v.z});
  return all;
}

/// Cells that transactions took and did not need: those that are their own children alone.
std::uint32_t spare_cells(const std::vector<std::uint32_t>& children, std::uint32_t bodies) {
  std::uint32_t spare = 0;
  for (std::uint32_t cell = 0; cell < children.size() / 8; ++cell) {
    const auto first = children.begin() + std::ptrdiff_t{8} * cell;
    spare += static_cast<std::uint32_t>(std::count(first, first + 8, bodies + cell) == 8);
  }
  return spare;
}

/// The tree pointer by pointer, whatever the numbers of its cells.
Verdict check_tree(const Step& step, const Octree& expected, const Renumbered& got) {
  const std::uint32_t used = step.tree.cells - spare_cells(step.children, expected.bodies);
  if (Verdict same = compare_exact<std::uint32_t>("overflow, cells", {step.tree.overflow, used},
                                                  {0, static_cast<std::uint32_t>(expected.cells.size())});
      !same.verified)
    return same;
  const auto flat = [](const std::vector<Cell>& cells) {
    std::vector<std::uint32_t> all;
    for (const Cell& cell : cells) all.insert(all.end(), cell.begin(), cell.end());
    return all;
  };
  return compare_exact("tree", flat(got.cells), flat(expected.cells));
}

/// Each stage is compared with what the CPU makes of the stage's input, so that tolerances do not pile up.
Verdict check(const Step& step, std::uint32_t n, std::uint32_t lanes) {
  const Octree expected = octree_of({step.nodes.begin(), step.nodes.begin() + n});
  const Renumbered got = renumber(step.children, n);
  Verdict same_tree = check_tree(step, expected, got);
  if (!same_tree.verified) return same_tree;
  Verdict same_order = compare_exact("order", step.order, leaves(expected));
  if (!same_order.verified) return same_order;

  // From here on in the reference's numbers.
  std::vector<Float4> nodes(step.nodes.begin(), step.nodes.begin() + n);
  for (const std::uint32_t cell : got.old_numbers) nodes.push_back(step.nodes[n + cell]);
  std::vector<double> summaries, summary_tolerances;
  std::vector<float> got_summaries;
  for (std::size_t cell = 0; cell < expected.cells.size(); ++cell) {
    const Summary summary = summarize(expected.cells[cell], nodes);
    const Float4& node = nodes[n + cell];
    got_summaries.insert(got_summaries.end(), {node.w, node.x, node.y, node.z});
    summaries.insert(summaries.end(), {summary.mass, summary.centre.x, summary.centre.y, summary.centre.z});
    // One rounding per child in each sum; a coordinate has those of the mass too, a reciprocal and a product.
    const double roundings = f32_roundoff * (2.0 * summary.children + 3);
    for (const double magnitude : {summary.mass, summary.magnitude.x, summary.magnitude.y, summary.magnitude.z})
      summary_tolerances.push_back(roundings * magnitude);
  }

  // A warp's lanes open cells together; a PTX warp is at most 32 of them.
  std::vector<double> accelerations(std::size_t{3} * n), acceleration_tolerances(std::size_t{3} * n);
  for (std::uint32_t first = 0; first < n; first += lanes) {
    const std::vector<std::uint32_t> group(step.order.begin() + first, step.order.begin() + std::min(n, first + lanes));
    const std::vector<Acceleration> of_group = accelerations_of(group, expected, nodes, {});
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Vector& a = of_group[i].value;
      const std::size_t at = std::size_t{3} * group[i];
      accelerations[at] = a.x, accelerations[at + 1] = a.y, accelerations[at + 2] = a.z;
      std::fill_n(acceleration_tolerances.begin() + static_cast<std::ptrdiff_t>(at), 3, of_group[i].tolerance);
    }
  }

  std::vector<float> velocities, positions;
  for (std::uint32_t body = 0; body < n; ++body) {
    const Float4 &pull = step.accelerations[body], &before = step.velocities_before[body], &at = nodes[body];
    const auto move = [&](float acceleration, float velocity, float position) {
      velocities.push_back(std::fma(acceleration, time_step, velocity));
      positions.push_back(std::fma(velocities.back(), time_step, position));
    };
    move(pull.x, before.x, at.x), move(pull.y, before.y, at.y), move(pull.z, before.z, at.z);
  }
  return all_of({same_tree, same_order,
                 compare_close("centres of mass", got_summaries, summaries,
                               [&](std::size_t i) {
                                 return Tolerance{summary_tolerances[i], 0};
                               }),
                 compare_close("accelerations", coordinates(step.accelerations), accelerations,
                               [&](std::size_t i) {
                                 return Tolerance{acceleration_tolerances[i], 0};
                               }),
                 compare_exact("velocities", coordinates(step.velocities_after), velocities),
                 compare_exact("positions", coordinates(step.positions_after), positions)});
}

}  // namespace

Verdict run_barnes_hut(const Context& context) {
  const std::uint32_t n = by_size(context.size, 256U, 2'000U, 15'000U, 30'000U);
  const std::uint32_t steps = by_size(context.size, 1U, 2U, 3U, 1U);
  // What chapter 4 of Ren's thesis runs (table 4.3). Of the rest of a step nearly all time goes to the forces, whose
  // CTAs share nothing.
  const bool only_build = context.size == Size::paper;
  const std::uint32_t threads = by_size(context.size, 64U, 64U, 64U, 160U);  // of a CTA
  const std::uint32_t capacity = 2 * n;
  const std::vector<Float4> bodies = plummer_sphere(context.seed, n);
  Program program(context);
  const DevicePointer nodes = program.allocate<Float4>(n + capacity);
  context.device.memcpy_htod(nodes, bodies.data(), n * sizeof(Float4));
  const DevicePointer velocities = program.upload(random_velocities(context.seed, n));
  const DevicePointer accelerations = program.allocate<Float4>(n);
  const DevicePointer children = program.allocate<std::uint32_t>(std::size_t{8} * capacity);
  const DevicePointer parents = program.allocate<std::uint32_t>(capacity);
  const DevicePointer counts = program.allocate<std::uint32_t>(capacity);
  const DevicePointer links = program.allocate<Float4>(n + capacity);
  const DevicePointer order = program.allocate<std::uint32_t>(n);
  const DevicePointer arrived = program.allocate<std::uint32_t>(capacity);
  const DevicePointer tree = program.upload(std::vector<Tree>(1));
  const Launch per_body = covering(n, threads), per_cell = covering(capacity, threads);
  const Opening opening;

  Verdict verdict;
  for (std::uint32_t index = 0; index < steps; ++index) {
    Step step;
    step.velocities_before = program.download<Float4>(velocities, n);
    program.write(tree, Tree{});
    program.launch("bh_prepare", covering(n, std::max(threads, 128U)), nodes, children, arrived, tree, n, capacity);
    program.launch(context.choice("sync") == "tx" ? "bh_build_transactional" : "bh_build", per_body, nodes, children,
                   parents, tree, n, capacity);
    if (only_build) {
      step.tree = program.read<Tree>(tree);
      step.children = program.download<std::uint32_t>(children, std::size_t{8} * std::min(step.tree.cells, capacity));
      return check_tree(step, octree_of(bodies), renumber(step.children, n));
    }
    program.launch("bh_summarize", per_cell, nodes, counts, children, parents, arrived, tree, n);
    program.launch("bh_arrange", per_cell, counts, children, parents, tree, links, order, n);
    program.launch("bh_force", per_body, nodes, links, order, accelerations, n, opening.theta_squared,
                   opening.softening_squared);
    step.tree = program.read<Tree>(tree);
    step.nodes = program.download<Float4>(nodes, n + capacity);
    step.children = program.download<std::uint32_t>(children, std::size_t{8} * std::min(step.tree.cells, capacity));
    step.order = program.download<std::uint32_t>(order, n);
    step.accelerations = program.download<Float4>(accelerations, n);
    program.launch("bh_integrate", per_body, nodes, velocities, accelerations, n, time_step);
    step.velocities_after = program.download<Float4>(velocities, n);
    step.positions_after = program.download<Float4>(nodes, n);
    verdict = check(step, n, std::min(context.device.ptx_warp_size(), context.device.warp_size()));
    if (!verdict.verified) break;
  }
  return verdict;
}

}  // namespace syncline::workloads
