#include "models/work_distributor/module_dealer.h"

namespace syncline::models {

std::optional<CtaDealer::Deal> ModuleDealer::next(const GridLaunch& grid, std::uint64_t, const SmList& sms) {
  const std::uint64_t ctas = grid.context.grid.count();
  const unsigned each = sms.count() / modules_;
  const unsigned first_module = grid.sms.first / each, modules = grid.sms.count == 0 ? modules_ : grid.sms.count / each;
  unsigned& turn = turns_[first_module];
  std::vector<std::uint64_t>& placed = placed_[grid.id.value()];
  placed.resize(modules);
  for (unsigned i = 0; i < modules; ++i) {
    const unsigned part = (turn + i) % modules;
    const std::uint64_t first = ctas * part / modules, end = ctas * (part + 1) / modules;
    if (first + placed[part] == end) continue;
    const auto sm = sm_with_room(first_module + part, grid, sms);
    if (!sm) continue;
    turn = (part + 1) % modules;
    return Deal{first + placed[part]++, *sm};
  }
  return std::nullopt;
}

std::optional<unsigned> ModuleDealer::sm_with_room(unsigned module, const GridLaunch& grid, const SmList& sms) {
  const unsigned each = sms.count() / modules_;
  for (unsigned i = 0; i < each; ++i) {
    const unsigned in_module = (next_sm_[module] + i) % each;
    if (!sms.has_room(module * each + in_module, grid)) continue;
    next_sm_[module] = (in_module + 1) % each;
    return module * each + in_module;
  }
  return std::nullopt;
}

bool ModuleDealer::may_complete(const GridLaunch& grid) {
  // The last that is heard of the grid.
  placed_.erase(grid.id.value());
  return true;
}

}  // namespace syncline::models
