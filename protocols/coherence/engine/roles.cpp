#include "protocols/coherence/engine/policy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::protocols {

void DirectoryGeometry::check() const {
  if (sets == 0 || ways == 0) throw base::ModelError("a directory has no entries");
  if (lines == 0 || (lines & (lines - 1)) != 0)
    throw base::ModelError(fmt::format("an entry of a directory is of {} lines, which is no power of two", lines));
}

std::size_t CoherencePolicy::find(const Role& role) const {
  const auto found = std::find_if(roles.begin(), roles.end(), [&](const RoleMachine& one) { return one.role == role; });
  return static_cast<std::size_t>(found - roles.begin());
}

std::size_t CoherencePolicy::place_of(const Role& role) const {
  const std::size_t place = find(role);
  if (place < roles.size()) return place;
  std::string names;
  for (const RoleMachine& one : roles) names += fmt::format("{}`{}`", names.empty() ? "" : ", ", one.role.name);
  throw base::ModelError(fmt::format("policy `{}` has no machine for the role `{}`; it has {}", name, role.name,
                                     names.empty() ? "none" : "some for " + names));
}

std::unique_ptr<Machine> CoherencePolicy::make(const Role& role) const {
  const RoleMachine& found = at(role);
  return found.make(found.table);
}

RowCounts CoherencePolicy::no_rows() const {
  RowCounts counts;
  counts.reserve(roles.size());
  for (const RoleMachine& one : roles) counts.emplace_back(one.table->transitions().size());
  return counts;
}

}  // namespace syncline::protocols
