// Where the caches of the model checker stand: L1s and homes beside each other or, under a policy of several modules,
// L1s and an L2 in each module of a grid, every line with a home in one of them and, if the policy has such, a home in
// each GPU. Line 0 lies in module 0; line 1 beside it or, with two homes, in the last module. The home of a line in
// another GPU is the module there with the number that its home has in its own.
#pragma once

#include <array>
#include <cstddef>

#include "protocols/coherence/engine/policy.h"
#include "protocols/coherence/explore/program.h"

namespace syncline::protocols::explore {

/// L1s are nodes 0 .. max_l1s-1; homes, or the L2s of modules, stand behind them.
inline constexpr unsigned max_homes = 2, max_l2s = 4, max_nodes = max_l1s + max_l2s;
/// The grid that programs are placed on.
inline constexpr ModuleGrid small_grid{2, 2};

class Places {
 public:
  /// ModelError for a grid or a role that the checker does not have. `homes`: to which lines are dealt.
  Places(const CoherencePolicy& policy, const Program& program, unsigned homes, unsigned entry_lines);

  static bool is_l1(unsigned node) { return node < max_l1s; }
  unsigned l2s() const { return l2s_; }
  unsigned home_of(unsigned line) const { return home_of_[line]; }
  /// Place in CoherencePolicy::roles of what the node is to the line.
  std::size_t role(unsigned node, unsigned line) const { return role_[node][line]; }
  bool is_home(unsigned node, unsigned line) const { return home_of_[line] == node; }
  /// Of a node, where there are modules.
  unsigned module_of(unsigned node) const { return is_l1(node) ? module_of_l1_[node] : node - max_l1s; }
  /// Whom the node asks for the line.
  unsigned below(unsigned node, unsigned line) const { return below_[node][line]; }
  /// Who has asked the node on behalf of that L1.
  unsigned above(unsigned node, unsigned line, unsigned l1) const;
  /// Networks are apart by how far they reach: 0 within a module, and where there are no modules; 1 within a GPU; 2.
  unsigned span(unsigned a, unsigned b) const;
  static constexpr unsigned spans = 3;

 private:
  bool of_modules_;
  ModuleGrid grid_;
  unsigned l2s_;
  std::array<std::uint8_t, max_l1s> module_of_l1_{};
  std::array<unsigned, max_lines> home_of_{};
  std::array<std::array<unsigned, max_lines>, max_nodes> below_{};
  std::array<std::array<std::size_t, max_lines>, max_nodes> role_{};
};

}  // namespace syncline::protocols::explore
