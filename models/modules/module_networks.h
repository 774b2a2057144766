// Both directions of the interconnect of a device that consists of modules: crossbars in each module, a network between
// the modules of each GPU, and links and switches between GPUs.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "models/crossbar/crossbar.h"
#include "models/crossbar/network_ports.h"
#include "models/modules/module_map.h"
#include "models/nvlink/link_time.h"
#include "models/nvlink/nvlink_port.h"
#include "models/nvlink/nvlink_room.h"

namespace syncline::models {

struct ModuleNetworksSite {
  PlatformContext& context;
  ClockDomain& clock;
  std::string name;  ///< of the device, with a dot behind it, for its tiles
  const ModulesSpec& modules;
  CrossbarSpec crossbar;  ///< of those in a module, with the virtual networks that the platform needs
  const ModuleMap& map;
  unsigned l1s, homes;
  bool peers;  ///< L1s send to L1s, by the way down
  bool l2s;    ///< L2s send to L2s: what they ask goes up, all else down
  bool ideal;  ///< there are messages to which networks and links are no way at all
  const PerturbationSpec& perturbation;
};

/// Everybody is joined with everybody, as by one crossbar a direction; what differs is time. (Where no links join GPUs,
/// nobody may send to another one: that ends in the ModelError of a crossbar that has no port for it.) Each direction
/// has networks of its own, and both share the wires of links. Names: gpm3_up, gpm3_down (within a module, numbered
/// over all GPUs), gpu1_up, gpu1_down (between its modules), nvlink1_out, nvlink1_in (between GPU and switch),
/// nvlink1_to2 (between GPUs; all_to_all and ring), nvlink_switch0_up, nvlink_spine_up, spine_link0_out, ...; the
/// receiving end of a link has its name with _room behind it.
///
/// Messages of one source, destination and virtual network keep their order: there is one way from node to node, on
/// which each block keeps it. Neither directions nor virtual networks share queues or credits, and no way goes in a
/// circle, so what is free of deadlock over one crossbar a direction is free of it here. In a ring the links themselves
/// are a circle; there each link has two lanes, which share its wire and neither queues nor credits (Dally and Seitz
/// 1987): a message is in the first one as long as it has the link between the last GPU and GPU 0 before it, and in the
/// second one then. Neither lane is a circle, and nothing goes from the second to the first.
class ModuleNetworks {
 public:
  explicit ModuleNetworks(const ModuleNetworksSite& site);

  /// By the numbers of nodes, as of the crossbar of a device without modules; where L2s send to each other, too, up has
  /// inputs for homes behind those for L1s, and down such outputs.
  const NetworkPorts& ports(Direction direction) const { return ports_[number(direction)]; }

 private:
  static constexpr unsigned directions = 2, ring_lanes = 2;
  static unsigned number(Direction direction) { return direction == Direction::up ? 0 : 1; }
  static std::string_view name(unsigned direction) { return direction == 0 ? "up" : "down"; }
  /// A network of each direction, with the numbers of its inputs and outputs that are bound already.
  struct Junction {
    std::array<Crossbar*, directions> crossbars{};
    unsigned inputs = 0, outputs = 0;
  };
  /// To whom a direction leads.
  ModuleMap::Nodes receivers(unsigned direction, ModuleMap::Modules of) const {
    if (direction == 0) return site_.map.homes(of);
    return site_.l2s ? site_.map.nodes(of) : site_.map.l1s(of);
  }
  ModuleMap::Nodes senders(unsigned direction, ModuleMap::Modules of) const;
  ModuleMap::Nodes receivers_outside(unsigned direction, ModuleMap::Modules of) const;

  Crossbar& make_crossbar(const std::string& name, const CrossbarSpec& spec, unsigned inputs, const Router& outputs,
                          TickRank rank);
  void make_module(unsigned module);
  void bind_nodes(unsigned module, const Junction& junction);
  void make_gpu(unsigned gpu);
  using Way = std::vector<ModuleMap::Modules>;  ///< all that an output leads to
  /// A junction whose outputs lead each one of `ways`, and the last one to all others if there is a way up.
  Junction make_junction(const std::string& name, const JunctionSpec& spec, const std::vector<Way>& ways, bool way_up,
                         TickRank rank);
  TileScope tile(const std::string& name, ModuleMap::Modules between) const;
  /// The two ends of a link hear of each other late enough that they may be of tiles that run side by side.
  bool links_are_apart() const;
  /// No two GPUs touch the same network or end of a link.
  bool gpus_are_apart() const;
  static void set_approach(const Junction& junction, base::Cycle cycles) {
    for (Crossbar* const crossbar : junction.crossbars) crossbar->set_approach(cycles);
  }
  /// From a GPU to those that are reached by its next neighbour in a ring, or by the one before; in a lane.
  Way ring_way(unsigned gpu, bool clockwise, unsigned lane) const;
  void join_by_switches();
  void join_all_to_all();
  void join_in_a_ring();
  /// What a link joins, and in which tile (`tile`) that end of it is.
  struct End {
    Junction& junction;
    std::string tile;
    ModuleMap::Modules between;
  };
  End end_at_gpu(unsigned gpu);
  /// `from`'s next outputs, over the lanes of a link, to `to`'s next inputs.
  void join(const End& from, const End& to, const std::string& link, unsigned lanes = 1,
            TickRank rank = TickRank::link);
  void join_to_switch(unsigned gpu, const End& nvlink_switch);

  const ModuleNetworksSite site_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Junction> modules_, gpus_;
  std::array<NetworkPorts, directions> ports_;
};

}  // namespace syncline::models
