#include "models/l2_slice/l2_slice.h"

#include "models/clock/turn.h"

namespace syncline::models {
namespace {
using protocols::Role;

/// What an L2 may be under the policy, in the order of Standing.
std::vector<Role> roles_of(const protocols::CoherencePolicy& policy) {
  std::vector<Role> roles{Role::home};
  for (const Role& role : {Role::gpu_home, Role::gpm}) {
    if (policy.of_modules && policy.has(role)) roles.push_back(role);
  }
  return roles;
}

CacheController::Spec controller_spec(const L2Spec& spec, const protocols::CoherencePolicy& policy,
                                      const NodeId& node) {
  CoherentLines::Geometry geometry{spec.sets(),      spec.ways,        spec.line, spec.mshr_entries,
                                   spec.mshr_merges, spec.replacement, node.index};
  geometry.locks = spec.locks;
  return {node, roles_of(policy), TickRank::l2_slice, "l2.replacement", geometry};
}
/// What misses here leaves as it is looked up, as what is asked of memory does.
HomeLink::Spec to_homes(const L2Spec& spec) {
  return {1, spec.handles, spec.input_queue, spec.output_queue, 0};
}
}  // namespace

L2Slice::L2Slice(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const L2Spec& spec,
                 const protocols::CoherencePolicy& policy, base::PartitionId partition, const HomeMap& homes,
                 GpuPlace place)
    : CacheController(name, context, clock, controller_spec(spec, policy, home_node(partition, place)), policy, homes),
      clients_(*this, {spec.ports, spec.banks, spec.bank_busy, spec.queue_latency, spec.access_latency(),
                       spec.input_queue, spec.output_queue}),
      memory_(*this, spec.memory_queue),
      atomics_(*this, clients_, spec.locks),
      to_network(policy.of_modules ? &homes_.emplace(*this, to_homes(spec)).to_network : nullptr),
      from_network(homes_ ? &homes_->from_network : nullptr),
      to_next(policy.home_ring ? &ring_.emplace(*this).to_next : nullptr),
      from_previous(ring_ ? &ring_->from_previous : nullptr),
      debug("debug") {
  CacheLinks links;
  links.clients = &clients_;
  if (ring_) links.ring = &*ring_;
  if (homes_) links.homes = &*homes_;
  links.memory = &memory_;
  links.atomics = &atomics_;
  join(links);
  debug.register_transport_dbg(this, &L2Slice::transport_dbg);
  add_statistics();
}

L2Slice::~L2Slice() = default;

std::uint64_t L2Slice::tells_lanes_in_ps() const {
  return ring_ ? ring_->tells_lanes_in_ps() : never_ps;
}

}  // namespace syncline::models
