// Seam: which CTA of a grid starts next, and on which SM.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "models/work_distributor/placement.h"

namespace syncline::models {

/// How a dealer has itself asked again. The work distributor implements it.
class DealControl {
 public:
  virtual ~DealControl() = default;
  /// The dealer may answer otherwise now, to `next` or to `may_complete`.
  virtual void deal() = 0;
};

class CtaDealer {
 public:
  struct Deal {
    std::uint64_t cta = 0;  ///< number in the grid, x fastest
    unsigned sm = 0;        ///< one that has room
  };

  virtual ~CtaDealer() = default;
  /// Called once, before simulation starts.
  virtual void attach(DealControl& control) { (void)control; }
  /// The next CTA of `grid`, of which `placed` have started; it starts at once. Nothing when it has to wait: the dealer
  /// is asked again when a CTA has ended, and after DealControl::deal.
  virtual std::optional<Deal> next(const GridLaunch& grid, std::uint64_t placed, const SmList& sms) = 0;
  /// All CTAs of `grid` have ended: may the host hear of it?
  virtual bool may_complete(const GridLaunch& grid) {
    (void)grid;
    return true;
  }
};

/// `none`: in order, each where a placement says; each range of SMs for which there are grids has one of its own.
class InOrderDealer final : public CtaDealer {
 public:
  /// `start`: where a placement that takes turns begins.
  explicit InOrderDealer(PlacementPolicy placement, unsigned start = 0) : placement_(placement), start_(start) {}
  std::optional<Deal> next(const GridLaunch& grid, std::uint64_t placed, const SmList& sms) override;

 private:
  PlacementPolicy placement_;
  unsigned start_;
  std::map<std::pair<unsigned, unsigned>, std::unique_ptr<Placement>> placements_;  ///< by first SM and count
};

}  // namespace syncline::models
