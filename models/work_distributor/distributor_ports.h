// Where a work distributor meets the SMs and the host, and what a factory of distributors is asked for
// (models/block/made.h).
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "models/block/block.h"
#include "models/block/made.h"
#include "models/perturbation/perturbation_spec.h"
#include "models/sm/cta_sink.h"
#include "models/work_distributor/grid_sink.h"
#include "models/work_distributor/work_distributor_spec.h"

namespace syncline::models {

class CtaDealer;

struct DistributorPorts {
  sc_core::sc_port_b<CtaSink>* sms = nullptr;  ///< a port for several, which are bound in the order of their numbers
  CtaListener* done = nullptr;
  GridSink* grids = nullptr;
};

struct DistributorSite {
  PlatformContext& context;
  ClockDomain& clock;
  const WorkDistributorSpec& spec;
  std::shared_ptr<CtaDealer> dealer;  ///< of the platform's policies; null: where the spec's placement says
  const PerturbationSpec& perturbation;
  /// SMs that are asked, when all CTAs of a grid have ended, to make what the grid has done visible to the whole system
  /// (CtaSink::end_grid). Empty: to have ended says that already.
  std::vector<unsigned> ends_grids = {};
};
using MakeDistributor = Factory<DistributorPorts, DistributorSite>;

Made<DistributorPorts> make_work_distributor(const sc_core::sc_module_name& name, const DistributorSite& site);

}  // namespace syncline::models
