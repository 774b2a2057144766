// Where an L2 slice meets the networks and what is behind it, and what a factory of L2s is asked for
// (models/block/made.h).
#pragma once

#include <cstdint>
#include <functional>
#include <tlm>

#include "base/ids.h"
#include "models/atomic_unit/atomic_work.h"
#include "models/block/block.h"
#include "models/block/made.h"
#include "models/dram/memory_ports.h"
#include "models/l2_slice/l2_spec.h"
#include "models/partition/home_map.h"
#include "models/transport/message_port.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::models {

class L2Slice;

/// Debug transport with device addresses; any number of initiators are bound to it.
using DebugSocket = tlm::tlm_base_target_socket_b<32>;

struct L2Ports {
  InSocket* requests = nullptr;
  OutSocket* replies = nullptr;
  /// To and from the L2s of other modules; given where the policy is of several modules, and only there.
  OutSocket* to_network = nullptr;
  InSocket* from_network = nullptr;
  /// The ring of homes; given where the policy has one, and only there.
  OutSocket* to_next = nullptr;
  InSocket* from_previous = nullptr;
  MemoryLink* memory = nullptr;   ///< null: it needs no memory behind it, and none is made
  AtomicLink* atomics = nullptr;  ///< null: it performs atomics itself, and no unit is made
  DebugSocket* debug = nullptr;   ///< null: it has none, and foreign initiators cannot look into this partition
  /// L2Slice::debug_read and debug_write: device memory, without time. False: some bytes are not in this partition.
  std::function<bool(base::ByteAddress address, std::uint8_t* data, std::size_t bytes)> debug_read;
  std::function<bool(base::ByteAddress address, const std::uint8_t* data, std::size_t bytes)> debug_write;
  /// L2Slice::debug_write_copies; null: it has no lines of other modules.
  std::function<void(base::ByteAddress address, const std::uint8_t* data, std::size_t bytes)> debug_write_copies;
  /// L2Slice::debug_write_back and debug_refresh; null: nothing is kept here that memory lacks.
  std::function<bool(base::ByteAddress address, std::size_t bytes)> debug_write_back, debug_refresh;
};

struct L2Site {
  PlatformContext& context;
  ClockDomain& clock;
  const L2Spec& spec;
  const protocols::CoherencePolicy& policy;
  base::PartitionId partition;
  const HomeMap& homes;
  GpuPlace place;
};
using MakeL2 = Factory<L2Ports, L2Site>;

Made<L2Ports> make_l2_slice(const sc_core::sc_module_name& name, const L2Site& site);

}  // namespace syncline::models
