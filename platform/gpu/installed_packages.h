// The packages of a specification in one GPU, and what they put at the seams of its SMs and of its work distributor.
#pragma once

#include <memory>
#include <vector>

#include "models/sm/sm.h"
#include "models/work_distributor/cta_dealer.h"
#include "platform/gpu/gpu_plan.h"

namespace syncline::platform {

/// Walks the packages that the specification chooses, and knows none of them by name. UserError where two take a part
/// of which there is one.
class InstalledPackages {
 public:
  explicit InstalledPackages(const GpuPlan& plan);

  /// Null: the distributor's own.
  std::shared_ptr<models::CtaDealer> dealer();
  /// Of an SM: what the coherence policy asks for, `listeners`, and then the parts of the packages.
  models::SmSeams seams(unsigned sm, const std::vector<std::shared_ptr<models::WarpEvents>>& listeners);

 private:
  struct Installed {
    ChosenPackage package;
    std::unique_ptr<PolicyParts> parts;  ///< null: it has none
  };
  const GpuPlan& plan_;
  std::vector<Installed> packages_;
};

}  // namespace syncline::platform
