#include "workloads/barnes_hut/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "workloads/common/compare.h"

namespace syncline::workloads::barnes_hut {
namespace {

/// Divides sets of bodies until they are single.
class Divider {
 public:
  Divider(const std::vector<Float4>& bodies, Octree& tree) : bodies_(bodies), tree_(tree) {}

  /// Appends the cell of `members`, which lie around `centre`, and all cells below; its number.
  std::uint32_t divide(const std::vector<std::uint32_t>& members, const Vector& centre, double half) {
    std::array<std::vector<std::uint32_t>, 8> parts;
    for (const std::uint32_t body : members) {
      const Float4& at = bodies_[body];
      parts[(at.x < centre.x ? 0 : 1) + (at.y < centre.y ? 0 : 2) + (at.z < centre.z ? 0 : 4)].push_back(body);
    }
    const auto cell = static_cast<std::uint32_t>(tree_.cells.size());
    tree_.cells.emplace_back();
    for (unsigned octant = 0; octant < 8; ++octant) {
      const auto& part = parts[octant];
      std::uint32_t child = part.empty() ? empty : part.front();
      if (part.size() > 1) {
        const auto side = [&](unsigned bit) { return (octant & bit) != 0 ? half / 2 : -half / 2; };
        child = tree_.bodies + divide(part, {centre.x + side(1), centre.y + side(2), centre.z + side(4)}, half / 2);
      }
      tree_.cells[cell][octant] = child;
    }
    return cell;
  }

 private:
  const std::vector<Float4>& bodies_;
  Octree& tree_;
};

/// Sum over the nodes that a body sees.
struct Pull {
  Vector sum;
  double magnitude = 0;  ///< of the terms together
  double doubt = 0;      ///< what the sum would change by if cells on the verge of opening were treated the other way
  unsigned terms = 0;

  void operator+=(const Pull& other) {
    sum = {sum.x + other.sum.x, sum.y + other.sum.y, sum.z + other.sum.z};
    magnitude += other.magnitude;
    doubt += other.doubt;
    terms += other.terms;
  }
};

/// The sums of all bodies of a group, which open the same cells.
class Traversal {
 public:
  Traversal(const Octree& tree, const std::vector<Float4>& nodes, const Opening& opening,
            const std::vector<std::uint32_t>& group)
      : tree_(tree), nodes_(nodes), opening_(opening), group_(group) {}

  std::vector<Pull> of_cell(std::uint32_t cell, double width) const {
    std::vector<Pull> pulls(group_.size());
    add_cell(cell, width, pulls);
    return pulls;
  }

 private:
  void add_cell(std::uint32_t cell, double width, std::vector<Pull>& pulls) const {
    for (const std::uint32_t child : tree_.cells[cell])
      if (child != empty) add_child(child, width / 2, pulls);
  }

  void add_child(std::uint32_t child, double width, std::vector<Pull>& pulls) const {
    if (child < tree_.bodies) return add_point(child, pulls);
    double nearest = std::numeric_limits<double>::max();
    for (const std::uint32_t body : group_) nearest = std::min(nearest, distance_squared(body, child));
    const double reach = opening_.theta_squared * nearest, size = width * width;
    // The kernel's side of the comparison carries seven roundings: three differences, three of a sum, a product.
    const bool close_call = std::fabs(size - reach) <= 8 * f32_roundoff * size;
    if (!close_call) return size <= reach ? add_point(child, pulls) : add_cell(child - tree_.bodies, width, pulls);
    const std::vector<Pull> opened = of_cell(child - tree_.bodies, width);
    std::vector<Pull> whole(group_.size());
    add_point(child, whole);
    for (std::size_t i = 0; i < group_.size(); ++i) {
      const Vector &a = opened[i].sum, &b = whole[i].sum;
      pulls[i] += opened[i];
      pulls[i].doubt += std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
    }
  }

  void add_point(std::uint32_t node, std::vector<Pull>& pulls) const {
    for (std::size_t i = 0; i < group_.size(); ++i) {
      const Vector d = difference(group_[i], node);
      const double squared = distance_squared(group_[i], node), softened = squared + opening_.softening_squared;
      const double factor = nodes_[node].w / (softened * std::sqrt(softened));
      pulls[i] += {{factor * d.x, factor * d.y, factor * d.z}, factor * std::sqrt(squared), 0, 1};
    }
  }

  Vector difference(std::uint32_t body, std::uint32_t node) const {
    const Float4 &from = nodes_[body], &to = nodes_[node];
    return {double{to.x} - from.x, double{to.y} - from.y, double{to.z} - from.z};
  }
  double distance_squared(std::uint32_t body, std::uint32_t node) const {
    const Vector d = difference(body, node);
    return d.x * d.x + d.y * d.y + d.z * d.z;
  }

  const Octree& tree_;
  const std::vector<Float4>& nodes_;
  const Opening& opening_;
  const std::vector<std::uint32_t>& group_;
};

}  // namespace

Octree octree_of(const std::vector<Float4>& bodies) {
  float largest = 0;
  for (const Float4& at : bodies) largest = std::max({largest, std::fabs(at.x), std::fabs(at.y), std::fabs(at.z)});
  int exponent = 0;
  std::frexp(largest, &exponent);
  Octree tree;
  tree.bodies = static_cast<std::uint32_t>(bodies.size());
  tree.width = std::ldexp(2.0, exponent);
  std::vector<std::uint32_t> all(bodies.size());
  std::iota(all.begin(), all.end(), 0U);
  Divider(bodies, tree).divide(all, {}, tree.width / 2);
  return tree;
}

std::vector<std::uint32_t> leaves(const Octree& tree) {
  std::vector<std::uint32_t> found, stack{tree.bodies};
  while (!stack.empty()) {
    const std::uint32_t node = stack.back();
    stack.pop_back();
    if (node == empty) continue;
    if (node < tree.bodies) {
      found.push_back(node);
    } else {
      const Cell& cell = tree.cells[node - tree.bodies];
      stack.insert(stack.end(), cell.rbegin(), cell.rend());
    }
  }
  return found;
}

Renumbered renumber(const std::vector<std::uint32_t>& children, std::uint32_t bodies) {
  Renumbered result;
  const auto count = static_cast<std::uint32_t>(children.size() / 8);
  std::vector<bool> seen(count);
  struct Pending {
    std::uint32_t number;
    unsigned octant;
  };
  std::vector<Pending> stack;
  const auto enter = [&](std::uint32_t old_number) {
    seen[old_number] = true;
    stack.push_back({static_cast<std::uint32_t>(result.cells.size()), 0});
    result.old_numbers.push_back(old_number);
    result.cells.emplace_back().fill(empty);
  };
  if (count != 0) enter(0);
  while (!stack.empty()) {
    auto& [number, octant] = stack.back();
    if (octant == 8) {
      stack.pop_back();
      continue;
    }
    const unsigned at = octant++;
    const std::uint32_t parent = number, child = children[std::size_t{8} * result.old_numbers[parent] + at];
    if (child < bodies || child == empty) {
      result.cells[parent][at] = child;
    } else if (child - bodies >= count || seen[child - bodies]) {
      result.cells[parent][at] = bodies;  // the root, which is nobody's child
    } else {
      result.cells[parent][at] = bodies + static_cast<std::uint32_t>(result.cells.size());
      enter(child - bodies);
    }
  }
  return result;
}

Summary summarize(const Cell& cell, const std::vector<Float4>& nodes) {
  Summary summary;
  for (const std::uint32_t child : cell) {
    if (child == empty) continue;
    const Float4& node = nodes[child];
    const double mass = node.w;
    summary.mass += mass;
    summary.centre.x += mass * node.x, summary.magnitude.x += mass * std::fabs(node.x);
    summary.centre.y += mass * node.y, summary.magnitude.y += mass * std::fabs(node.y);
    summary.centre.z += mass * node.z, summary.magnitude.z += mass * std::fabs(node.z);
    ++summary.children;
  }
  for (double* sum : {&summary.centre.x, &summary.centre.y, &summary.centre.z, &summary.magnitude.x,
                      &summary.magnitude.y, &summary.magnitude.z})
    *sum /= summary.mass;
  return summary;
}

std::vector<Acceleration> accelerations_of(const std::vector<std::uint32_t>& group, const Octree& tree,
                                           const std::vector<Float4>& nodes, const Opening& opening) {
  std::vector<Acceleration> accelerations;
  // A term: its differences (1 rounding), the softened square (5, of which the root keeps half), the .approx root
  // (2^-22.9, PTX ISA), both three times; four products. That is below 24; each addition rounds what is there by then.
  for (const Pull& pull : Traversal(tree, nodes, opening, group).of_cell(0, tree.width))
    accelerations.push_back({pull.sum, (24.0 + pull.terms) * f32_roundoff * pull.magnitude + pull.doubt});
  return accelerations;
}

}  // namespace syncline::workloads::barnes_hut
