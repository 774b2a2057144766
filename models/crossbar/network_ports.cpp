#include "models/crossbar/network_ports.h"

#include "models/crossbar/crossbar.h"

namespace syncline::models {

Made<NetworkPorts> make_crossbar(const sc_core::sc_module_name& name, const NetworkSite& site) {
  auto crossbar = std::make_unique<Crossbar>(name, site.context, site.clock, site.spec, site.inputs, site.outputs,
                                             site.perturbation);
  if (site.ideal) crossbar->expect_ideal();
  NetworkPorts ports;
  ports.inputs.reserve(crossbar->inputs());
  ports.outputs.reserve(crossbar->outputs());
  for (unsigned i = 0; i < crossbar->inputs(); ++i) ports.inputs.push_back(&crossbar->input(i).socket);
  for (unsigned i = 0; i < crossbar->outputs(); ++i) ports.outputs.push_back(&crossbar->output(i).socket);
  return {std::move(crossbar), std::move(ports)};
}

}  // namespace syncline::models
