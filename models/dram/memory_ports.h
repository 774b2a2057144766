// Where a memory meets the L2 slice before it, and what a factory of memories is asked for (models/block/made.h).
// Spoken is the plain TLM-2.0 base protocol, so any target of it stands there.
#pragma once

#include <tlm>

#include "base/ids.h"
#include "models/block/block.h"
#include "models/block/made.h"
#include "models/dram/dram_spec.h"
#include "models/perturbation/perturbation_spec.h"

namespace syncline::models {

/// The slice's end of the socket: `link.bind(memory.socket)`.
using MemoryLink = tlm::tlm_initiator_socket<32>;

struct MemoryPorts {
  /// Addresses are the partition's own, from 0. It answers debug transport, and at first holds zeros.
  tlm::tlm_target_socket<32>* socket = nullptr;
};

struct MemorySite {
  PlatformContext& context;
  ClockDomain& clock;
  const DramSpec& spec;  ///< the capacity is what the partition needs, at least
  base::PartitionId partition;
  const PerturbationSpec& perturbation;
};
using MakeMemory = Factory<MemoryPorts, MemorySite>;

Made<MemoryPorts> make_dram(const sc_core::sc_module_name& name, const MemorySite& site);

}  // namespace syncline::models
