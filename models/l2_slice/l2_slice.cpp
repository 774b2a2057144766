#include "models/l2_slice/l2_slice.h"

namespace syncline::models {
namespace {
CacheController::Spec controller_spec(const L2Spec& spec, const NodeId& node) {
  CoherentLines::Geometry geometry{spec.sets(),      spec.ways,        spec.line, spec.mshr_entries,
                                   spec.mshr_merges, spec.replacement, node.index};
  geometry.locks = spec.locks;
  return {node, protocols::Role::home, TickRank::l2_slice, "l2.replacement", geometry};
}
}  // namespace

L2Slice::L2Slice(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const L2Spec& spec,
                 const protocols::CoherencePolicy& policy, base::PartitionId partition, const HomeMap& homes,
                 GpuPlace place)
    : CacheController(name, context, clock, controller_spec(spec, home_node(partition, place)), policy, homes),
      clients_(*this, {spec.ports, spec.banks, spec.bank_busy, spec.queue_latency, spec.access_latency(),
                       spec.input_queue, spec.output_queue}),
      memory_(*this, spec.memory_queue),
      atomics_(*this, clients_, spec.locks),
      to_next(policy.home_ring ? &ring_.emplace(*this).to_next : nullptr),
      from_previous(ring_ ? &ring_->from_previous : nullptr),
      debug("debug") {
  CacheLinks links;
  links.clients = &clients_;
  if (ring_) links.ring = &*ring_;
  links.memory = &memory_;
  links.atomics = &atomics_;
  join(links);
  debug.register_transport_dbg(this, &L2Slice::transport_dbg);
  add_statistics();
}

L2Slice::~L2Slice() = default;

}  // namespace syncline::models
