// Where a network meets what it joins, and what a factory of networks is asked for (models/block/made.h).
#pragma once

#include <vector>

#include "models/block/block.h"
#include "models/block/made.h"
#include "models/crossbar/crossbar_spec.h"
#include "models/perturbation/perturbation_spec.h"
#include "models/transport/message_port.h"
#include "models/transport/router.h"

namespace syncline::models {

enum class Direction {
  up,   ///< from the L1s to the homes
  down  ///< from the homes to the L1s, and from L1 to L1 where the policy has such messages
};

/// One direction of the interconnect. Messages of one input, output and virtual network keep their order.
struct NetworkPorts {
  std::vector<InSocket*> inputs;
  std::vector<OutSocket*> outputs;
};

struct NetworkSite {
  PlatformContext& context;
  ClockDomain& clock;
  const CrossbarSpec& spec;  ///< with the virtual networks that the platform needs
  Direction direction;
  unsigned inputs;        ///< of up: L1s by their numbers; of down: homes by theirs; behind them the others that send
  const Router& outputs;  ///< which output port leads to `Message::destination`
  const PerturbationSpec& perturbation;
  bool ideal = false;  ///< there are messages to which the network is no way at all (protocols::MessageKind::ideal)
};
using MakeNetwork = Factory<NetworkPorts, NetworkSite>;

Made<NetworkPorts> make_crossbar(const sc_core::sc_module_name& name, const NetworkSite& site);

}  // namespace syncline::models
