// Where an SM meets its L1, the work distributor and the host, and what a factory of SMs is asked for
// (models/block/made.h).
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/block/block.h"
#include "models/block/made.h"
#include "models/perturbation/perturbation_spec.h"
#include "models/sm/cta_sink.h"
#include "models/sm/sm_spec.h"
#include "models/transport/message_port.h"

namespace syncline::isa {
class MemoryMap;
}

namespace syncline::models {

class SmHost;
struct SmPlace;
struct SmSeams;

/// Executed so far.
struct InstructionCounts {
  std::uint64_t warps = 0, threads = 0;
};

struct SmPorts {
  OutSocket* to_l1 = nullptr;  ///< contract: models/sm/l1_interface.h
  InSocket* from_l1 = nullptr;
  CtaSink* ctas = nullptr;
  sc_core::sc_port_b<CtaListener>* done = nullptr;
  /// Sm::serve. Null: it makes no system calls and checks no addresses.
  std::function<void(SmHost& host, const isa::MemoryMap& memory)> serve;
  std::function<InstructionCounts()> instructions;  ///< null: it counts none
};

struct SmSite {
  PlatformContext& context;
  ClockDomain& clock;
  const SmSpec& spec;
  const SmPlace& place;
  const SmSeams& seams;  ///< the parts of the platform's policies
  const PerturbationSpec& perturbation;
};
using MakeSm = Factory<SmPorts, SmSite>;

Made<SmPorts> make_sm(const sc_core::sc_module_name& name, const SmSite& site);

}  // namespace syncline::models
