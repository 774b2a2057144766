#include "protocols/coherence/explore/places.h"

#include <fmt/format.h>

#include "base/error.h"

namespace syncline::protocols::explore {

Places::Places(const CoherencePolicy& policy, const Program& program, unsigned homes, unsigned entry_lines)
    : of_modules_(policy.of_modules), grid_(policy.grid), l2s_(of_modules_ ? grid_.modules() : homes) {
  for (const RoleMachine& one : policy.roles) {
    const bool of_modules = one.role == Role::gpm || one.role == Role::gpu_home;
    if (one.role == Role::l1 || one.role == Role::home || (of_modules_ && of_modules)) continue;
    throw base::ModelError(fmt::format("the checker has caches that are `{}` and `{}`, policy `{}` has `{}` too",
                                       Role::l1.name, Role::home.name, policy.name, one.role.name));
  }
  if (of_modules_ && (l2s_ < 2 || l2s_ > max_l2s))
    throw base::ModelError(
        fmt::format("the checker has 2 to {} modules, policy `{}` was made for {}", max_l2s, policy.name, l2s_));
  const bool hierarchical = policy.has(Role::gpu_home);
  for (const Thread& thread : program.threads)
    module_of_l1_[thread.l1] = static_cast<std::uint8_t>(thread.gpu * grid_.modules_of_gpu + thread.module);
  for (unsigned line = 0; line < max_lines; ++line) {
    const unsigned number = line / entry_lines % homes;
    const unsigned home = !of_modules_ ? number : number == 0 ? 0 : l2s_ - 1;
    home_of_[line] = max_l1s + home;
    for (unsigned node = 0; node < max_nodes; ++node) {
      role_[node][line] = policy.place_of(is_l1(node) ? Role::l1 : Role::home);
      below_[node][line] = home_of_[line];
      if (!of_modules_) continue;
      if (is_l1(node)) {
        below_[node][line] = max_l1s + module_of_l1_[node];
        continue;
      }
      const unsigned module = node - max_l1s;
      if (module == home) continue;
      const unsigned gpu_home = grid_.gpu_of(module) * grid_.modules_of_gpu + home % grid_.modules_of_gpu;
      const bool is_gpu_home = hierarchical && module == gpu_home;
      role_[node][line] = policy.place_of(is_gpu_home ? Role::gpu_home : Role::gpm);
      if (hierarchical && !is_gpu_home) below_[node][line] = max_l1s + gpu_home;
    }
  }
}

unsigned Places::above(unsigned node, unsigned line, unsigned l1) const {
  unsigned above = l1;
  for (unsigned next = below(l1, line); next != node; next = below(next, line)) {
    if (above == next) throw base::ModelError("an answer goes by a node that it was not asked by");
    above = next;
  }
  return above;
}

unsigned Places::span(unsigned a, unsigned b) const {
  if (!of_modules_) return 0;
  const unsigned from = module_of(a), to = module_of(b);
  return from == to ? 0 : grid_.gpu_of(from) == grid_.gpu_of(to) ? 1 : 2;
}

}  // namespace syncline::protocols::explore
