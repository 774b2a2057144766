// What a work distributor and an SM say to each other: SystemC interfaces, bound by sc_port and sc_export.
#pragma once

#include <systemc>

#include <memory>

#include "base/dim3.h"
#include "base/ids.h"
#include "isa/exec/cta_barriers.h"
#include "isa/exec/warp.h"
#include "models/sm/occupancy.h"

namespace syncline::models {

/// Neighbouring SMs. A `count` of 0: all.
struct SmRange {
  unsigned first = 0, count = 0;

  bool overlaps(const SmRange& other) const {
    return count == 0 || other.count == 0 || (first < other.first + other.count && other.first < first + count);
  }
};

/// How a policy executes a grid, decided when it is launched: the policy's business.
class GridPlan {
 public:
  virtual ~GridPlan() = default;
};

/// One kernel launch as the SMs need it. Immutable; shared by all CTAs of the grid.
struct GridLaunch {
  base::GridId id;
  isa::GridContext context;
  CtaDemand demand;                      ///< of one CTA
  std::size_t register_numbers = 0;      ///< of the scoreboard
  SmRange sms;                           ///< its CTAs run there
  std::shared_ptr<const GridPlan> plan;  ///< null: no policy has one
};

/// Computes what follows from the context.
std::shared_ptr<GridLaunch> make_grid_launch(base::GridId id, isa::GridContext context, SmRange sms = {});

/// An SM, for who distributes CTAs.
class CtaSink : public virtual sc_core::sc_interface {
 public:
  /// A CTA of the grid fits now.
  virtual bool has_room(const GridLaunch& grid) const = 0;
  /// CTA `cta` of the grid starts here; only when it fits. The grid lives until CtaListener hears of its last CTA.
  virtual void take(const GridLaunch& grid, base::Dim3 cta) = 0;
  virtual unsigned resident_ctas() const = 0;
  virtual SmResources resources() const = 0;
  /// All CTAs are to end where they are, as soon as what they asked of memory is answered: what has issued is
  /// performed, and nothing more issues. CtaListener hears of each. False: this SM cannot do that.
  virtual bool end_all() { return false; }
  /// Of a grid whose CTAs have ended: what this SM knows to be performed is to be so for the whole system; CtaListener
  /// hears when it is. ModelError: this SM cannot do that.
  virtual void end_grid(base::GridId grid);
};

/// A work distributor, for the SMs.
class CtaListener : public virtual sc_core::sc_interface {
 public:
  /// All warps of the CTA have ended, everything that they wrote is performed, and its place is free.
  virtual void cta_ended(base::SmId sm, const GridLaunch& grid, base::Dim3 cta) = 0;
  /// Answers CtaSink::end_grid.
  virtual void grid_ended(base::SmId sm, base::GridId grid);
};

}  // namespace syncline::models
