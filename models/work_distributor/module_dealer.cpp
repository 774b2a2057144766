#include "models/work_distributor/module_dealer.h"

namespace syncline::models {

std::optional<CtaDealer::Deal> ModuleDealer::next(const GridLaunch& grid, std::uint64_t, const SmList& sms) {
  const std::uint64_t ctas = grid.context.grid.count();
  std::vector<std::uint64_t>& placed = placed_[grid.id.value()];
  placed.resize(modules_);
  for (unsigned i = 0; i < modules_; ++i) {
    const unsigned module = (turn_ + i) % modules_;
    const std::uint64_t first = ctas * module / modules_, end = ctas * (module + 1) / modules_;
    if (first + placed[module] == end) continue;
    const auto sm = sm_with_room(module, grid, sms);
    if (!sm) continue;
    turn_ = (module + 1) % modules_;
    return Deal{first + placed[module]++, *sm};
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
