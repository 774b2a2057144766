#include "models/modules/module_networks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace syncline::models {
namespace {

unsigned count(const ModuleMap::Nodes& nodes) {
  unsigned sum = 0;
  for (const Router::Nodes& some : nodes) sum += some.count;
  return sum;
}

Router a_port_each(const ModuleMap::Nodes& nodes) {
  Router router;
  for (const Router::Nodes& some : nodes) router.add(some);
  return router;
}

}  // namespace

const base::ChoiceTable<Topology>& topologies() {
  static const base::ChoiceTable<Topology> table = {{"switch", Topology::switched},
                                                    {"all_to_all", Topology::all_to_all},
                                                    {"ring", Topology::ring},
                                                    {"none", Topology::none}};
  return table;
}

const base::ChoiceTable<CtaParts>& cta_parts() {
  static const base::ChoiceTable<CtaParts> table = {{"contiguous", CtaParts::contiguous}, {"none", CtaParts::none}};
  return table;
}

ModuleNetworks::ModuleNetworks(const ModuleNetworksSite& site) : site_(site) {
  NetworkPorts& up = ports_[number(Direction::up)];
  NetworkPorts& down = ports_[number(Direction::down)];
  up.inputs.resize(site.l1s + (site.l2s ? site.homes : 0));
  up.outputs.resize(site.homes);
  down.inputs.resize(site.homes + (site.peers ? site.l1s : 0));
  down.outputs.resize(site.l1s + (site.l2s ? site.homes : 0));
  for (unsigned module = 0; module < site.map.modules(); ++module) make_module(module);
  for (unsigned gpu = 0; gpu < site.map.gpus(); ++gpu) make_gpu(gpu);
  if (site.map.gpus() == 1) return;
  switch (site.modules.topology) {
    case Topology::switched:
      join_by_switches();
      break;
    case Topology::all_to_all:
      join_all_to_all();
      break;
    case Topology::ring:
      join_in_a_ring();
      break;
    case Topology::none:
      break;
  }
}

ModuleMap::Nodes ModuleNetworks::receivers_outside(unsigned direction, ModuleMap::Modules of) const {
  if (direction == 0) return site_.map.homes_outside(of);
  return site_.l2s ? site_.map.nodes_outside(of) : site_.map.l1s_outside(of);
}

/// In the order of their inputs.
ModuleMap::Nodes ModuleNetworks::senders(unsigned direction, ModuleMap::Modules of) const {
  if (direction == 0) return site_.l2s ? site_.map.nodes(of) : site_.map.l1s(of);
  return site_.peers ? ModuleMap::sum(site_.map.homes(of), site_.map.l1s(of)) : site_.map.homes(of);
}

bool ModuleNetworks::links_are_apart() const {
  return !site_.ideal && LinkTime(site_.modules.link, site_.clock).apart_ps != 0;
}

bool ModuleNetworks::gpus_are_apart() const {
  const Topology topology = site_.modules.topology;
  return site_.map.gpus() == 1 || links_are_apart() || topology == Topology::switched || topology == Topology::none;
}

/// Of a network or an end of a link that tiles of those modules alone touch; of none: what stands between GPUs. A
/// foreign initiator touches whatever it likes.
TileScope ModuleNetworks::tile(const std::string& name, ModuleMap::Modules between) const {
  TileKind kind = TileKind::sequential;
  if (!site_.map.has_foreign_l1s()) {
    if (between.first != between.last)
      kind = TileKind::joins;
    else if (links_are_apart())
      kind = TileKind::far;
  }
  return {site_.context.tiles, site_.name + name, {between.first, between.last}, kind};
}

Crossbar& ModuleNetworks::make_crossbar(const std::string& name, const CrossbarSpec& spec, unsigned inputs,
                                        const Router& outputs, TickRank rank) {
  auto crossbar = std::make_unique<Crossbar>(name.c_str(), site_.context, site_.clock, spec, inputs, outputs,
                                             site_.perturbation, rank);
  Crossbar& made = *crossbar;
  if (site_.ideal) made.expect_ideal();
  blocks_.push_back(std::move(crossbar));
  return made;
}

/// Its own nodes have the first ports, in the order of their numbers; behind them is the network between modules.
void ModuleNetworks::make_module(unsigned module) {
  const ModuleMap::Modules own = ModuleMap::module(module);
  const TileScope of_module = tile(fmt::format("gpm{}", module), own);
  Junction junction;
  for (unsigned i = 0; i < directions; ++i) {
    junction.crossbars[i] =
        &make_crossbar(fmt::format("gpm{}_{}", module, name(i)), site_.crossbar, count(senders(i, own)) + 1,
                       a_port_each(receivers(i, own)).add_way(receivers_outside(i, own)), TickRank::crossbar);
  }
  modules_.push_back(junction);
  bind_nodes(module, junction);
}

void ModuleNetworks::bind_nodes(unsigned module, const Junction& junction) {
  const ModuleMap::Modules own = ModuleMap::module(module);
  for (unsigned i = 0; i < directions; ++i) {
    Crossbar& crossbar = *junction.crossbars[i];
    unsigned input = 0, output = 0;
    // Nodes of the kind that comes second stand behind all of the first.
    const auto for_each = [&](const ModuleMap::Nodes& nodes, NodeKind first, unsigned of_first, auto&& use) {
      for (const Router::Nodes& some : nodes) {
        const unsigned before = some.kind == first ? 0 : of_first;
        for (unsigned node = some.first; node < some.first + some.count; ++node) use(before + node);
      }
    };
    const bool up = i == number(Direction::up);
    for_each(receivers(i, own), up ? NodeKind::home : NodeKind::l1, up ? site_.homes : site_.l1s,
             [&](unsigned node) { ports_[i].outputs[node] = &crossbar.output(output++).socket; });
    for_each(senders(i, own), up ? NodeKind::l1 : NodeKind::home, up ? site_.l1s : site_.homes,
             [&](unsigned node) { ports_[i].inputs[node] = &crossbar.input(input++).socket; });
  }
}

ModuleNetworks::Junction ModuleNetworks::make_junction(const std::string& junction_name, const JunctionSpec& spec,
                                                       const std::vector<Way>& ways, bool way_up, TickRank rank) {
  Junction junction;
  for (unsigned i = 0; i < directions; ++i) {
    Router outputs;
    for (const Way& way : ways) {
      ModuleMap::Nodes nodes;
      for (const ModuleMap::Modules& of : way) nodes = ModuleMap::sum(std::move(nodes), receivers(i, of));
      outputs.add_way(nodes);
    }
    if (way_up) outputs.add_way(receivers_outside(i, {ways.front().front().first, ways.back().back().last}));
    junction.crossbars[i] =
        &make_crossbar(fmt::format("{}_{}", junction_name, name(i)), spec.crossbar(site_.crossbar.virtual_networks),
                       outputs.ports(), outputs, rank);
  }
  return junction;
}

ModuleNetworks::Way ModuleNetworks::ring_way(unsigned gpu, bool clockwise, unsigned lane) const {
  const unsigned gpus = site_.map.gpus();
  Way way;
  for (unsigned to = 0; to < gpus; ++to) {
    const unsigned distance = (to + gpus - gpu) % gpus;  // clockwise
    if (to == gpu || (distance <= gpus - distance) != clockwise) continue;
    const bool comes_to_the_end = clockwise ? to < gpu : to > gpu;
    if ((lane == 0) == comes_to_the_end) way.push_back(site_.map.gpu(to));
  }
  return way;
}

/// Its modules have the first ports; behind them come the links.
void ModuleNetworks::make_gpu(unsigned gpu) {
  const ModuleMap& map = site_.map;
  const ModuleMap::Modules own = map.gpu(gpu);
  std::vector<Way> ways;
  for (unsigned module = own.first; module < own.last; ++module) ways.push_back({ModuleMap::module(module)});
  const bool way_up = map.gpus() > 1 && site_.modules.topology == Topology::switched;
  if (site_.modules.topology == Topology::all_to_all) {
    for (unsigned other = 0; other < map.gpus(); ++other) {
      if (other != gpu) ways.push_back({map.gpu(other)});
    }
  }
  if (map.gpus() > 1 && site_.modules.topology == Topology::ring) {
    for (const bool clockwise : {true, false}) {
      if (!clockwise && map.gpus() == 2) continue;  // what is one clockwise step away never goes the other way
      for (unsigned lane = 0; lane < ring_lanes; ++lane) ways.push_back(ring_way(gpu, clockwise, lane));
    }
  }
  const TileScope of_gpu = tile(fmt::format("gpu{}", gpu), gpus_are_apart() ? own : ModuleMap::Modules{});
  Junction junction =
      make_junction(fmt::format("gpu{}", gpu), site_.modules.network, ways, way_up, TickRank::gpu_network);
  set_approach(junction, site_.crossbar.latency - site_.crossbar.allocation_period - 1);
  for (unsigned module = own.first; module < own.last; ++module, ++junction.inputs, ++junction.outputs) {
    for (unsigned i = 0; i < directions; ++i) {
      Crossbar& inside = *modules_[module].crossbars[i];
      inside.output(inside.outputs() - 1).socket.bind(junction.crossbars[i]->input(junction.inputs).socket);
      junction.crossbars[i]->output(junction.outputs).socket.bind(inside.input(inside.inputs() - 1).socket);
    }
  }
  gpus_.push_back(junction);
}

void ModuleNetworks::join_by_switches() {
  const ModuleMap& map = site_.map;
  const unsigned gpus = map.gpus(), of_switch = std::min(site_.modules.gpus_of_switch, gpus);
  const unsigned switches = (gpus + of_switch - 1) / of_switch;
  const auto gpus_at = [&](unsigned number) { return std::min(of_switch, gpus - number * of_switch); };
  const auto make_switch = [&](const std::string& name, const JunctionSpec& spec, const std::vector<Way>& below,
                               bool way_up) {
    const TileScope of_switches = tile(name, {});
    const Junction junction = make_junction(name, spec, below, way_up, TickRank::nvlink_switch);
    if (links_are_apart()) set_approach(junction, base::never);  // receiving ends of links are of its tile
    return junction;
  };
  Junction spine;
  if (switches > 1) {
    std::vector<Way> below;
    for (unsigned i = 0; i < switches; ++i) below.push_back({map.gpu(i * of_switch, gpus_at(i))});
    spine = make_switch("nvlink_spine", site_.modules.spine, below, false);
  }
  for (unsigned i = 0; i < switches; ++i) {
    const unsigned first = i * of_switch, last = first + gpus_at(i);
    std::vector<Way> below;
    for (unsigned gpu = first; gpu < last; ++gpu) below.push_back({map.gpu(gpu)});
    const std::string name = fmt::format("nvlink_switch{}", i);
    Junction nvlink_switch = make_switch(name, site_.modules.nvlink_switch, below, switches > 1);
    const End at_switch = {nvlink_switch, name, {}};
    for (unsigned gpu = first; gpu < last; ++gpu) join_to_switch(gpu, at_switch);
    if (switches == 1) continue;
    const End at_spine = {spine, "nvlink_spine", {}};
    join(at_switch, at_spine, fmt::format("spine_link{}_out", i), 1, TickRank::nvlink_switch);
    join(at_spine, at_switch, fmt::format("spine_link{}_in", i), 1, TickRank::nvlink_switch);
  }
}

ModuleNetworks::End ModuleNetworks::end_at_gpu(unsigned gpu) {
  return {gpus_[gpu], fmt::format("nvlink{}", gpu), gpus_are_apart() ? site_.map.gpu(gpu) : ModuleMap::Modules{}};
}

/// Where the ends are not apart the GPU alone touches both while switches wait for their turns.
void ModuleNetworks::join_to_switch(unsigned gpu, const End& nvlink_switch) {
  const End at_gpu = end_at_gpu(gpu);
  const End other = links_are_apart() ? nvlink_switch : End{nvlink_switch.junction, at_gpu.tile, at_gpu.between};
  join(at_gpu, other, fmt::format("nvlink{}_out", gpu));
  join(other, at_gpu, fmt::format("nvlink{}_in", gpu));
}

void ModuleNetworks::join_all_to_all() {
  // A GPU's outputs and inputs for others are in the order of their numbers, and so are both loops.
  for (unsigned from = 0; from < gpus_.size(); ++from) {
    for (unsigned to = 0; to < gpus_.size(); ++to) {
      if (to != from) join(end_at_gpu(from), end_at_gpu(to), fmt::format("nvlink{}_to{}", from, to));
    }
  }
}

void ModuleNetworks::join_in_a_ring() {
  // Of each GPU the first outputs are clockwise, and so are the first inputs.
  const auto gpus = static_cast<unsigned>(gpus_.size());
  for (unsigned gpu = 0; gpu < gpus; ++gpu) {
    const unsigned next = (gpu + 1) % gpus;
    join(end_at_gpu(gpu), end_at_gpu(next), fmt::format("nvlink{}_to{}", gpu, next), ring_lanes);
  }
  if (gpus == 2) return;
  for (unsigned gpu = 0; gpu < gpus; ++gpu) {
    const unsigned previous = (gpu + gpus - 1) % gpus;
    join(end_at_gpu(gpu), end_at_gpu(previous), fmt::format("nvlink{}_to{}", gpu, previous), ring_lanes);
  }
}

void ModuleNetworks::join(const End& from, const End& to, const std::string& link_name, unsigned lanes, TickRank rank) {
  LinkPeers peers;
  for (unsigned gpu = 0; gpu < site_.map.gpus(); ++gpu) {
    peers.nodes.add_way(site_.map.nodes(site_.map.gpu(gpu)));
    peers.names.push_back(fmt::format("gpu{}", gpu));
  }
  const LinkSpec& spec = site_.modules.link;
  const unsigned ways = directions * lanes, networks = site_.crossbar.virtual_networks;
  std::unique_ptr<NvlinkPort> link;
  std::unique_ptr<NvlinkRoom> room;
  {
    const TileScope of_sender = tile(from.tile, from.between);
    link = std::make_unique<NvlinkPort>(link_name.c_str(), site_.context, site_.clock, spec, ways, networks,
                                        std::move(peers), rank);
  }
  {
    const TileScope of_receiver = tile(to.tile, to.between);
    room =
        std::make_unique<NvlinkRoom>((link_name + "_room").c_str(), site_.context, site_.clock, spec, ways, networks);
  }
  for (unsigned lane = 0; lane < lanes; ++lane, ++from.junction.outputs, ++to.junction.inputs) {
    for (unsigned i = 0; i < directions; ++i) {
      const unsigned way = lane * directions + i;
      from.junction.crossbars[i]->output(from.junction.outputs).socket.bind(link->input(way).socket);
      link->output(way).socket.bind(room->input(way).socket);
      room->output(way).socket.bind(to.junction.crossbars[i]->input(to.junction.inputs).socket);
    }
  }
  room->credits.bind(link->credits);
  blocks_.push_back(std::move(link));
  blocks_.push_back(std::move(room));
}

}  // namespace syncline::models
