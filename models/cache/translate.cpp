#include "models/cache/translate.h"

namespace syncline::models {
namespace {
/// The machines know caches by number; units beside a home are unknown to them (CoherencePolicy::plain).
constexpr std::uint16_t no_node = 0xffff;
}  // namespace

protocols::AccessTraits traits_of(const Message& message) {
  protocols::AccessTraits traits;
  switch (message.message_class) {
    case MessageClass::store_request:
      traits.operation = protocols::Operation::store;
      break;
    case MessageClass::atomic_request:
      traits.operation = protocols::Operation::atomic;
      break;
    default:
      break;
  }
  switch (message.scope) {
    case isa::Scope::none:
      break;
    case isa::Scope::cta:
      traits.scope = protocols::Scope::cta;
      break;
    case isa::Scope::cluster:
    case isa::Scope::gpu:
      traits.scope = protocols::Scope::gpu;
      break;
    case isa::Scope::sys:
      traits.scope = protocols::Scope::sys;
      break;
  }
  const isa::Semantics semantics = message.semantics;
  const bool strong = semantics != isa::Semantics::none && semantics != isa::Semantics::weak;
  const bool own_cta_only = traits.scope == protocols::Scope::cta;  // the L1 is the CTA's point of coherence
  traits.around_l1 =
      (strong && !own_cta_only) || message.cache == isa::CacheOp::cg || message.cache == isa::CacheOp::cv;
  traits.acquires = isa::has_acquire(semantics);
  traits.releases = isa::has_release(semantics);
  traits.last_use = message.cache == isa::CacheOp::lu;
  traits.is_read_only = message.read_only;
  return traits;
}

std::uint16_t wire_bytes(const protocols::CoherencePolicy& policy, protocols::Payload payload,
                         const base::ByteMask& mask, unsigned line_bytes) {
  unsigned bytes = policy.header_bytes;
  switch (payload) {
    case protocols::Payload::none:
      break;
    case protocols::Payload::touched:
      bytes += (mask.count() + 7) / 8 * 8;
      break;
    case protocols::Payload::line:
      bytes += line_bytes;
      break;
  }
  return static_cast<std::uint16_t>(bytes);
}

void dress(Message& message, const protocols::CoherencePolicy& policy, std::uint8_t kind, unsigned line_bytes) {
  const protocols::MessageKind& k = policy.messages[kind];
  message.family = &coherence_family;
  message.kind = kind;
  message.message_class = k.traffic_class;
  message.network = k.network;
  message.ideal = k.ideal;
  message.bytes = wire_bytes(policy, k.payload, message.mask, line_bytes);
}

void dress(Message& message, const MessageFamily& family, std::uint8_t kind, const MessageFamilies& spoken,
           const protocols::CoherencePolicy& policy, unsigned line_bytes) {
  const FamilyKind& k = family.kinds.at(kind);
  set_kind(message, family, kind);
  message.network = static_cast<VirtualNetwork>(policy.virtual_networks() + spoken.first_network(family) + k.network);
  message.ideal = false;
  message.bytes = static_cast<std::uint16_t>(wire_bytes(policy, k.payload, message.mask, line_bytes) + k.body_bytes);
}

protocols::Stimulus stimulus_of(const Message& message) {
  protocols::Stimulus stimulus;
  stimulus.source = protocols::Stimulus::Source::message;
  stimulus.message = message.kind;
  stimulus.sender = message.source.kind == NodeKind::unit ? no_node : message.source.index;
  stimulus.requester = message.requester.index;
  stimulus.warp = message.warp.value();
  stimulus.pc = message.pc;
  stimulus.acks = static_cast<std::int16_t>(message.coherence.acks);
  stimulus.stamps = message.coherence.stamps;
  return stimulus;
}

base::ByteMask widen(const base::ByteMask& mask, unsigned sector_bytes, unsigned line_bytes) {
  base::ByteMask wide;
  for (unsigned first = 0; first < line_bytes; first += sector_bytes) {
    const base::ByteMask sector = base::ByteMask::range(first, sector_bytes);
    if (sector.overlaps(mask)) wide |= sector;
  }
  return wide;
}

}  // namespace syncline::models
