#include "models/dram/memory_ports.h"

#include "models/dram/dram.h"

namespace syncline::models {

Made<MemoryPorts> make_dram(const sc_core::sc_module_name& name, const MemorySite& site) {
  auto dram = std::make_unique<Dram>(name, site.context, site.clock, site.spec, site.perturbation);
  const MemoryPorts ports{&dram->socket};
  return {std::move(dram), ports};
}

}  // namespace syncline::models
