#include "models/sm/sm_ports.h"

#include "models/sm/sm.h"

namespace syncline::models {

Made<SmPorts> make_sm(const sc_core::sc_module_name& name, const SmSite& site) {
  auto made =
      std::make_unique<Sm>(name, site.context, site.clock, site.spec, site.place, site.seams, site.perturbation);
  Sm& sm = *made;
  SmPorts ports;
  ports.to_l1 = &sm.to_l1.socket;
  ports.from_l1 = &sm.from_l1.socket;
  ports.ctas = &sm;
  ports.done = &sm.done;
  ports.serve = [&sm](SmHost& host, const isa::MemoryMap& memory) { sm.serve(host, memory); };
  ports.instructions = [&sm] {
    return InstructionCounts{sm.counters().warp_instructions.value(), sm.counters().thread_instructions.value()};
  };
  return {std::move(made), std::move(ports)};
}

}  // namespace syncline::models
