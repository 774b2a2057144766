// Where an L1 meets its SM and the networks, and what a factory of L1s is asked for (models/block/made.h).
#pragma once

#include <cstdint>
#include <functional>

#include "base/ids.h"
#include "models/block/block.h"
#include "models/block/made.h"
#include "models/l1_cache/l1_spec.h"
#include "models/partition/home_map.h"
#include "models/transport/message_port.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::models {

class L1Cache;

/// The side towards the networks. All that a foreign initiator needs which speaks the policy's messages by itself.
struct NetworkEnd {
  OutSocket* to_network = nullptr;
  InSocket* from_network = nullptr;
  OutSocket* to_peers = nullptr;  ///< given where the policy has messages between L1s, and only there
};

struct L1Ports {
  InSocket* from_sm = nullptr;  ///< contract: models/sm/l1_interface.h
  OutSocket* to_sm = nullptr;
  NetworkEnd network;
  /// L1Cache::debug_overlay. Null: the homes have all that it was given.
  std::function<void(base::ByteAddress address, std::uint8_t* data, std::size_t bytes)> debug_overlay;
};

struct L1Site {
  PlatformContext& context;
  ClockDomain& clock;
  const L1Spec& spec;
  const protocols::CoherencePolicy& policy;
  base::SmId sm;
  const HomeMap& homes;
  GpuPlace place;
};
using MakeL1 = Factory<L1Ports, L1Site>;

L1Ports ports_of(L1Cache& l1);
Made<L1Ports> make_l1_cache(const sc_core::sc_module_name& name, const L1Site& site);

}  // namespace syncline::models
