#include "models/work_distributor/cta_dealer.h"

namespace syncline::models {
namespace {

/// Some of the SMs, counted from 0.
class RangeOfSms final : public SmList {
 public:
  RangeOfSms(const SmList& all, SmRange range) : all_(all), range_(range) {}
  unsigned count() const override { return range_.count == 0 ? all_.count() : range_.count; }
  bool has_room(unsigned sm, const GridLaunch& grid) const override { return all_.has_room(range_.first + sm, grid); }
  SmResources resources() const override { return all_.resources(); }

 private:
  const SmList& all_;
  SmRange range_;
};

}  // namespace

std::optional<CtaDealer::Deal> InOrderDealer::next(const GridLaunch& grid, std::uint64_t placed, const SmList& sms) {
  std::unique_ptr<Placement>& placement = placements_[{grid.sms.first, grid.sms.count}];
  if (placement == nullptr) placement = make_placement(placement_, start_);
  const auto sm = placement->choose(grid, placed, RangeOfSms(sms, grid.sms));
  return sm ? std::optional<Deal>({placed, grid.sms.first + *sm}) : std::nullopt;
}

}  // namespace syncline::models
