// Where an atomic unit that is made by a factory stands, and its port.
#pragma once

#include "models/atomic_unit/atomic_unit_spec.h"
#include "models/atomic_unit/atomic_work.h"
#include "models/block/made.h"

namespace syncline::models {

struct AtomicUnitPorts {
  tlm::tlm_target_socket<32, AtomicProtocol>* socket = nullptr;
};

struct AtomicUnitSite {
  PlatformContext& context;
  ClockDomain& clock;  ///< of the L2
  const AtomicUnitSpec& spec;
};
using AtomicUnitFactory = Factory<AtomicUnitPorts, AtomicUnitSite>;

/// The library's in C++.
Made<AtomicUnitPorts> make_atomic_unit(const sc_core::sc_module_name& name, const AtomicUnitSite& site);

}  // namespace syncline::models
