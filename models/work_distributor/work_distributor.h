// The work distributor: deals the CTAs of grids to the SMs as room becomes free; which and where says its dealer
// (cta_dealer.h), by default in order.
//
// Several grids are in flight at once. CTAs are placed strictly in the order of launches: the CTAs of a later grid
// start when all of the earlier ones have been placed. Grids for different SMs (GridLaunch::sms: of different devices)
// know nothing of each other: each such part of the machine has its order, its places for grids and its CTAs a cycle.
// What may not overlap (launches of one stream) the host launches one after the other, on completion.
#pragma once

#include <systemc>

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "models/block/block.h"
#include "models/sm/cta_sink.h"
#include "models/work_distributor/cta_dealer.h"
#include "models/work_distributor/distributor_ports.h"
#include "models/work_distributor/grid_sink.h"
#include "models/work_distributor/work_distributor_spec.h"

namespace syncline::models {

class WorkDistributor : public Block,
                        public Ticked,
                        public CtaListener,
                        public GridSink,
                        private SmList,
                        private DealControl {
 public:
  WorkDistributor(const sc_core::sc_module_name& name, const DistributorSite& site);

  sc_core::sc_port<CtaSink, 0> sms;  ///< bound in the order of the SM numbers
  sc_core::sc_export<CtaListener> done;

  bool idle() const { return waiting_.empty() && running_.empty(); }

  // GridSink: a grid starts launch_overhead cycles from now
  void launch(std::shared_ptr<const GridLaunch> grid, Completion completed) override;
  std::uint64_t ctas_ended() const override { return ctas_ended_; }
  bool end_all() override;

  base::Cycle tick(base::Cycle now) override;
  base::Cycle woken_by_tiles_in() const override { return base::never; }
  WakingEnds woken_by_ends() const override;
  base::Cycle looks_every() const override { return spec_.allocation_period; }
  std::vector<std::string> check_end_of_run() const override;
  std::vector<std::string> describe_waiting() const override;

  // CtaListener
  void cta_ended(base::SmId sm, const GridLaunch& grid, base::Dim3 cta) override;
  void grid_ended(base::SmId sm, base::GridId grid) override;

 private:
  struct Grid {
    std::shared_ptr<const GridLaunch> launch;
    Completion completed;
    base::Cycle ready_at = 0, launched_at = 0;
    std::uint64_t placed = 0, ended = 0;  ///< CTAs
    std::size_t ending = 0;               ///< SMs whose answer to CtaSink::end_grid is awaited
    base::Cycle last_end = 0;             ///< of a CTA, and of what those SMs do then: the latest
    bool asked = false;                   ///< these
    bool cut = false;                     ///< no CTA is placed any more
    std::uint64_t total() const { return cut ? placed : launch->context.grid.count(); }
  };

  // SmList
  unsigned count() const override { return static_cast<unsigned>(sms.size()); }
  bool has_room(unsigned sm, const GridLaunch& grid) const override {
    return sms[static_cast<int>(sm)]->has_room(grid);
  }
  SmResources resources() const override { return sms[0]->resources(); }

  // DealControl
  void deal() override { wake(clock()->now()); }

  void note_end(Grid& grid) const;
  /// The cycle in which it looks for what an end in `cycle` has left.
  base::Cycle look_behind(base::Cycle cycle) const;
  /// There are CTAs that may get the place of one that ends.
  bool has_to_place() const;
  void retire(base::Cycle now);
  bool is_over(Grid& grid);
  bool place_one(Grid& grid);
  void admit();
  /// Places a CTA of each grid that has some to place and comes first on its SMs. Returns when there is more to do.
  base::Cycle deal_one_each(base::Cycle now);
  bool is_taken(const SmRange& range) const;

  WorkDistributorSpec spec_;
  std::shared_ptr<CtaDealer> dealer_;
  const std::vector<unsigned> ends_grids_;
  std::deque<Grid> waiting_;    ///< beyond the number of concurrent grids
  std::list<Grid> running_;     ///< in the order of launches
  std::vector<SmRange> taken_;  ///< in a round: SMs whose turn is over
  base::Counter grids_, ctas_;
  std::uint64_t ctas_ended_ = 0;
  base::Distribution grid_cycles_;
};

}  // namespace syncline::models
