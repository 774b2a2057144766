// What a cache can be to a line.
#pragma once

#include <string_view>

namespace syncline::protocols {

/// A policy in which a cache may be more than an L1 or a home names roles of its own.
struct Role {
  std::string_view name;  ///< for people, and Vocabulary::machine of who plays it
  static const Role l1, home;
  /// Of several modules: an L2 that has lines of other modules, and one that does so for all modules of its GPU.
  static const Role gpm, gpu_home;
  friend constexpr bool operator==(const Role& a, const Role& b) { return a.name == b.name; }
  friend constexpr bool operator!=(const Role& a, const Role& b) { return !(a == b); }
};
inline constexpr Role Role::l1{"L1"}, Role::home{"home"}, Role::gpm{"GPM"}, Role::gpu_home{"GPU home"};

}  // namespace syncline::protocols
