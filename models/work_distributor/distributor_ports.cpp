#include "models/work_distributor/distributor_ports.h"

#include "models/work_distributor/work_distributor.h"

namespace syncline::models {

Made<DistributorPorts> make_work_distributor(const sc_core::sc_module_name& name, const DistributorSite& site) {
  auto made = std::make_unique<WorkDistributor>(name, site);
  WorkDistributor& distributor = *made;
  return {std::move(made), {&distributor.sms, &distributor, &distributor}};
}

}  // namespace syncline::models
