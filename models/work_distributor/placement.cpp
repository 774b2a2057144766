#include "models/work_distributor/placement.h"

#include <algorithm>

#include "base/error.h"

namespace syncline::models {

const base::ChoiceTable<PlacementPolicy>& placement_policies() {
  static const base::ChoiceTable<PlacementPolicy> table = {{"first_free", PlacementPolicy::first_free},
                                                           {"pack", PlacementPolicy::pack},
                                                           {"contiguous", PlacementPolicy::contiguous}};
  return table;
}

std::optional<unsigned> FirstFree::choose(const GridLaunch& grid, std::uint64_t, const SmList& sms) {
  for (unsigned i = 0; i < sms.count(); ++i) {
    const unsigned sm = (next_ + i) % sms.count();
    if (!sms.has_room(sm, grid)) continue;
    next_ = (sm + 1) % sms.count();
    return sm;
  }
  return std::nullopt;
}

std::optional<unsigned> Pack::choose(const GridLaunch& grid, std::uint64_t, const SmList& sms) {
  for (unsigned sm = 0; sm < sms.count(); ++sm) {
    if (sms.has_room(sm, grid)) return sm;
  }
  return std::nullopt;
}

std::optional<unsigned> Contiguous::choose(const GridLaunch& grid, std::uint64_t cta, const SmList& sms) {
  const std::uint64_t part = (grid.context.grid.count() + sms.count() - 1) / sms.count();
  const auto sm = static_cast<unsigned>(cta / part);
  return sms.has_room(sm, grid) ? std::optional<unsigned>(sm) : std::nullopt;
}

std::unique_ptr<Placement> make_placement(PlacementPolicy policy, unsigned start) {
  switch (policy) {
    case PlacementPolicy::first_free:
      return std::make_unique<FirstFree>(start);
    case PlacementPolicy::pack:
      return std::make_unique<Pack>();
    case PlacementPolicy::contiguous:
      return std::make_unique<Contiguous>();
  }
  throw base::ModelError("unknown placement policy");
}

}  // namespace syncline::models
