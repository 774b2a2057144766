// Parameters of the work distributor.
#pragma once

#include <cstdint>

#include "base/fields.h"
#include "models/work_distributor/placement.h"

namespace syncline::models {

struct WorkDistributorSpec {
  PlacementPolicy placement = PlacementPolicy::first_free;
  std::uint32_t concurrent_grids = 16;
  std::uint32_t launch_overhead = 700;
  std::uint32_t ctas_per_cycle = 1;
  std::uint32_t allocation_period = 1;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice("placement", placement, placement_policies(), param::text("SM on which a CTA starts"));
    v.field(
        "concurrent_grids", concurrent_grids,
        param::count("grids in flight at once", "CUDA C Programming Guide 4.2, 3.2.5.3: 16 on 2.x").between(1, 1024));
    v.field("launch_overhead", launch_overhead,
            param::latency("core", "from the launch until the first CTA is placed",
                           "choice: half a microsecond at 1.4 GHz"));
    v.field("ctas_per_cycle", ctas_per_cycle, param::count("CTAs placed in a cycle", "choice").between(1, 1024));
    v.field("allocation_period", allocation_period,
            param::cycles("core",
                          "between two looks at which CTAs have ended: for the room that they have left, and whether "
                          "their grid is over",
                          "choice")
                .between(1, 65536));
  }
};

}  // namespace syncline::models
