// CTAs of a device of several modules: each module has a part of the grid, of neighbouring CTAs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "models/work_distributor/cta_dealer.h"

namespace syncline::models {

/// The grid is cut into as many equal parts as there are modules; modules take turns, and so do the SMs of a module. No
/// module takes from the part of another one (Ren 2018, 5.6; MCM-GPU's distributed scheduling). A grid for the SMs of
/// some modules is cut into parts for these.
class ModuleDealer final : public CtaDealer {
 public:
  /// `modules` divides the number of SMs.
  explicit ModuleDealer(unsigned modules) : modules_(modules), next_sm_(modules) {}

  std::optional<Deal> next(const GridLaunch& grid, std::uint64_t placed, const SmList& sms) override;
  bool may_complete(const GridLaunch& grid) override;

 private:
  std::optional<unsigned> sm_with_room(unsigned module, const GridLaunch& grid, const SmList& sms);

  unsigned modules_;
  std::map<unsigned, unsigned> turns_;                          ///< by first module of a grid: which is asked first
  std::vector<unsigned> next_sm_;                               ///< of each module, the SM that is asked first
  std::map<std::uint64_t, std::vector<std::uint64_t>> placed_;  ///< by grid: of each module's part
};

}  // namespace syncline::models
