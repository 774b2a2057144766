#include "models/l1_cache/l1_cache.h"

#include <cstring>

#include "models/cache/by_lines.h"

namespace syncline::models {
namespace {
CacheController::Spec controller_spec(const L1Spec& spec, const NodeId& node) {
  return {node,
          {protocols::Role::l1},
          TickRank::l1_cache,
          "l1.replacement",
          {spec.sets(), spec.ways, spec.line, spec.mshr_entries, spec.mshr_merges, spec.replacement, node.index}};
}
/// What waits for its latency is not in the way of what waits for the network.
std::size_t room_to_send(const L1Spec& spec) {
  return spec.output_queue + spec.send_latency * spec.ports;
}
}  // namespace

L1Cache::L1Cache(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const L1Spec& spec,
                 const protocols::CoherencePolicy& policy, base::SmId sm, const HomeMap& homes, GpuPlace place)
    : CacheController(name, context, clock, controller_spec(spec, l1_node(sm, place)), policy, homes),
      core_(*this, {spec.ports, spec.input_queue, spec.hit_latency}),
      homes_(*this, {spec.sector, spec.handles, spec.reply_queue, room_to_send(spec), spec.send_latency}),
      to_peers(policy.peer_messages ? &peers_.emplace(*this, room_to_send(spec), spec.send_latency).to_peers
                                    : nullptr) {
  CacheLinks links;
  links.core = &core_;
  links.homes = &homes_;
  if (peers_) links.peers = &*peers_;
  join(links);
  add_statistics();
}

L1Cache::~L1Cache() = default;

void L1Cache::debug_overlay(base::ByteAddress address, std::uint8_t* data, std::size_t bytes) const {
  touched();
  by_lines(address.value(), bytes, line_bytes(),
           [&](base::LineAddress line, unsigned offset, std::size_t position, unsigned count) {
             base::LineData newest{};
             std::memcpy(newest.data() + offset, data + position, count);
             for (const HomeLink::WrittenBack& leaving : homes_.written_back()) {
               const ForwardedAccess& access = homes_.handles()[leaving.handle];
               if (access.line == line) access.mask.merge(newest, leaving.data);
             }
             const Index frame = lines().locate(line).frame;
             if (frame != nowhere) lines().tags().frame(frame).dirty.merge(newest, lines().tags().data(frame));
             std::memcpy(data + position, newest.data() + offset, count);
             return true;
           });
}

}  // namespace syncline::models
